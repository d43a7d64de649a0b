"""What the recipes of `docs/recipes.md` say to the service: it is said here, call by call.

The programs are in languages that are not on every machine. Each writes its requests as literals
of its language, of which JSON is made here, and reads answers by the names of fields.
"""

import base64
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp
import pytest

from support.code_blocks import CodeBlock, blocks_for
from support.service import service
from tools.parity.contract import METHODS

DOCUMENTED = "http://127.0.0.1:8080/tablestate.v1."
CALL = re.compile(r'\("(\w+/\w+)", (?:new JObject\s*)?([{\[].*?\n\s*[}\]])\)', re.DOTALL)
READ = re.compile(r'(?:\[|\.get\(|\.has\()"(\w+)"(?:\]|\)|,)(?! =|:)')
OF_ERRORS = {"code", "message"}
BLOCKS = blocks_for(__file__)
MOST_PLIES = 1000


class Call(NamedTuple):
    """A call of a recipe, its request still with the names of variables."""

    method: str
    request: str

    def filled(self, values: dict[str, Any]) -> Any:
        """The request, with values for the variables and for the functions that make some."""

        def value(found: re.Match[str]) -> str:
            name = found[1].replace("_", "").lower()
            return found[0] if name in ("true", "false") else json.dumps(values[name])

        text = re.sub(r"(?<=: )(\w*[A-Za-z]\w*)(?:\(\))?(?=[,\s}])", value, self.request)
        return json.loads(re.sub(r",(\s*})", r"\1", text))


def calls_of(block: CodeBlock) -> list[Call]:
    """The calls of a recipe, in order."""
    return [Call(method, literal(request)) for method, request in CALL.findall(block.code)]


def literal(text: str) -> str:
    """A literal of C#, Swift or GDScript as JSON, but for variables and the last commas."""
    text = re.sub(r'\["(\w+)"\] = ', r'"\1": ', text.replace("new JObject", ""))
    return text.replace("[", "{").replace("]", "}")


def values() -> Iterator[dict[str, Any]]:
    """What the functions of a recipe make, each time something new."""
    for number in itertools.count(1):
        token = base64.b64encode(number.to_bytes(32, "big")).decode()
        yield {"newid": f"recipe-request-{number}", "newtoken": token}


async def play(page: str, calls: list[Call]) -> Any:
    """Make the calls, the last two again and again until the match is over; its outcome."""
    made = values()
    known = {"hosttoken": next(made)["newtoken"], "seattoken": next(made)["newtoken"]}
    async with aiohttp.ClientSession(f"{page.rstrip('/')}/") as session:

        async def answer(call: Call) -> Any:
            request = call.filled(known | next(made))
            path = f"tablestate.v1.{call.method}"
            async with session.post(path, json=request) as response:
                content = await response.json()
                assert response.status == 200, content
                return content

        *first, look, act = calls
        for call in first:
            told = await answer(call)
            known.setdefault("matchid", told["match"]["matchId"])
        for _ in range(MOST_PLIES):
            now = await answer(look)
            if "outcome" in now:
                return now["outcome"]
            if actions := now.get("legalActions", {}).get("actions"):
                known |= {"index": actions[0].get("index", 0), "version": now["version"]}
                await answer(act)
    raise AssertionError("the match has no end")


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.language)
async def test_a_match_is_played_by_the_calls_of_each_recipe(
    block: CodeBlock, tmp_path: Path
) -> None:
    calls = calls_of(block)
    assert len(calls) == block.code.count("Service/")
    async with service(tmp_path, settings={"gateway": "127.0.0.1:0"}) as (running, _):
        outcome = await play(running.page, calls)
    assert outcome["reason"].startswith("OUTCOME_REASON_OFFBOARD_")


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.language)
def test_every_name_that_is_read_from_an_answer_is_there(block: CodeBlock) -> None:
    read = set(READ.findall(block.code)) - OF_ERRORS
    assert {"match", "matchId", "outcome", "legalActions", "actions", "version"} <= read
    assert read <= names()
    assert DOCUMENTED in block.code


def names() -> set[str]:
    """The names of the fields of all answers, in JSON, and of what is in them."""
    left, seen = [each.output_type for each in METHODS.values()], set()
    found: set[str] = set()
    while left:
        message = left.pop()
        if message.full_name not in seen:
            seen.add(message.full_name)
            found |= {field.json_name for field in message.fields}
            left += [field.message_type for field in message.fields if field.message_type]
    return found
