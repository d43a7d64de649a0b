"""The description of the JSON routes says what the gateway does."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from support.browser import Browser, browser
from support.service import service, token
from tools.access_table import methods

SETTINGS = {"gateway": "127.0.0.1:0"}
SCHEMAS = "#/components/schemas/"


def without_extras(schema: Any) -> Any:
    """The schema, which then allows no field that it does not name."""
    if isinstance(schema, list):
        return [without_extras(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    strict = {key: without_extras(each) for key, each in schema.items()}
    return strict | ({"additionalProperties": False} if "properties" in schema else {})


class Document:
    """The document as it is served."""

    def __init__(self, content: Any) -> None:
        self.content = content
        self._components = without_extras(content["components"])

    def operation(self, method: str) -> Any:
        return self.content["paths"][f"/tablestate.v1.MatchService/{method}"]["post"]

    def check(self, content: Any, value: Any) -> None:
        """Hold a value against the schema of a body."""
        ((_, body),) = content.items()
        schema = {**body["schema"], "components": self._components}
        Draft202012Validator(schema).validate(value)


async def document(browser: Browser) -> Document:
    answer = await browser.send("GET", "/openapi.json")
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    return Document(answer.json)


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (each for key, each in value.items() if key == "$ref")
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from references(each)


async def test_it_has_every_method_but_those_with_streams_of_requests(alone: Browser) -> None:
    paths = (await document(alone)).content["paths"]
    expected = {
        f"/{method.containing_service.full_name}/{method.name}"
        for method in methods()
        if not method.client_streaming
    }
    assert set(paths) == expected
    for path, item in paths.items():
        post = item["post"]
        assert post["description"] and post["summary"].endswith(".")
        answer = await alone.send("POST", path, b"{", content_type="application/json")
        is_unary = "application/json" in post["requestBody"]["content"]
        assert (answer.status != 415) is is_unary


async def test_all_that_it_names_is_there_and_described(alone: Browser) -> None:
    content = (await document(alone)).content
    schemas = content["components"]["schemas"]
    assert {each.removeprefix(SCHEMAS) for each in references(content)} <= schemas.keys()
    for name, schema in schemas.items():
        Draft202012Validator.check_schema(schema)
        assert schema["description"], name
        assert all(each.get("description") for each in schema.get("properties", {}).values()), name


@pytest.mark.parametrize("game", ["offboard", "offtrack", "eternitium", "off_the_rails"])
async def test_what_is_sent_and_answered_is_as_it_says(tmp_path: Path, game: str) -> None:
    async with (
        service(tmp_path, settings=SETTINGS) as (running, _),
        browser(running.page) as opened,
    ):
        described = await document(opened)

        async def call(method: str, **request: Any) -> Any:
            operation = described.operation(method)
            described.check(operation["requestBody"]["content"], request)
            answer = await opened.json(method, request)
            refused = "200" if answer.status == 200 else "default"
            described.check(operation["responses"][refused]["content"], answer.json)
            return answer.json

        await played(call, game)


async def played(call: Any, game: str) -> None:
    """A match from its creation on, with a refusal in it."""
    text = {seat: base64.b64encode(token(seat)).decode() for seat in (0, 1, 9)}
    options: dict[str, Any] = {"offTheRails" if game == "off_the_rails" else game: {}}
    created = await call(
        "CreateMatch", requestId="request-of-openapi", hostToken=text[9], options=options
    )
    match_id = created["match"]["matchId"]
    for seat in (0, 1):
        await call(
            "JoinMatch",
            requestId=f"joining-openapi-{seat}",
            matchId=match_id,
            seat=seat,
            seatToken=text[seat],
        )
    for ply in range(6):
        actor = (await call("GetMatch", matchId=match_id))["match"].get("actors", [0])[0]
        legal = await call("ListLegalActions", matchId=match_id, seatToken=text[actor])
        choice = legal["legalActions"]["actions"][0]["notation"]
        await call(
            "SubmitAction",
            requestId=f"action-of-openapi-{ply}",
            matchId=match_id,
            seatToken=text[actor],
            choice={"notation": choice},
        )
        await call("GetView", matchId=match_id, seatToken=text[1 - actor], includeObservation=True)
    assert (await call("GetMatch", matchId="none"))["code"] == "invalid_argument"
    assert json.dumps(await call("ListMatches"))
