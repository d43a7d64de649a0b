"""The programs that the page shows of its calls, and a service to run them against.

They are those that `programs.test.ts` in `clients/web/src/lib/snippets` compares the page's with.
"""

import json
import os
import socket
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest

import tablestate
from tablestate_service.cli.embedded import embedded_service
from tools.sources import ROOT

PROGRAMS = json.loads((ROOT / "tests/data/page_calls.json").read_text(encoding="utf-8"))
SHOWN_MATCH = "0123456789abcdef0123456789abcdef"
SECOND_MATCH = "fedcba9876543210fedcba9876543210"

WAITING = {"GetMatch", "GetMatch of a host", "GetMatch of a seat", "JoinMatch", "AddBot"}
OVER = {"GetReplay", "Rematch", "WatchMatches", "WatchMatches of a seat", "WatchMatches of several"}
OVER |= {"VerifyReplay"}


class Server(NamedTuple):
    """A service by its two addresses."""

    grpc: str
    gateway: str


@contextmanager
def page_service() -> Iterator[Server]:
    """A service with a gateway of its own."""
    with socket.socket() as free, pytest.MonkeyPatch.context() as patch:
        free.bind(("127.0.0.1", 0))
        gateway = f"127.0.0.1:{free.getsockname()[1]}"
        free.close()
        patch.setenv("TABLESTATE_GATEWAY", gateway)
        with embedded_service() as target:
            yield Server(target, gateway)


def ready(client: tablestate.Client, name: str) -> tuple[tablestate.HostedMatch, bytes]:
    """A match in which the call can be made, and the token of the seat that makes it."""
    start = "BY_HOST" if name == "StartMatch" else "START_POLICY_UNSPECIFIED"
    match = client.create_match("offboard", start_policy=start)
    player = match.join(seat=0)
    if name in WAITING:
        return match, player.credential.token
    other = match.join(seat=1)
    if name in OVER:
        other.resign()
    elif name == "Respond":
        other.propose("DRAW")
    elif name == "ResumeMatch":
        player.respond(other.propose("PAUSE").version, accept=True)
    return match, player.credential.token


def program(name: str, language: str, server: Server, client: tablestate.Client) -> str:
    """What is shown of a call, with the addresses of this service and a second match of it."""
    shown: str = PROGRAMS[name][language]
    if SECOND_MATCH in shown:
        second, _ = ready(client, name)
        shown = shown.replace(SECOND_MATCH, second.match_id)
    return shown.replace("localhost:50051", server.grpc).replace("localhost:3000", server.gateway)


def environment(match: tablestate.HostedMatch, seat_token: bytes) -> dict[str, str]:
    """What "Copy tokens" sets."""
    tokens = {
        "HOST_TOKEN": match.credential.token,
        "SEAT_TOKEN": seat_token,
        "NEW_HOST_TOKEN": os.urandom(32),
        "NEW_SEAT_TOKEN": os.urandom(32),
    }
    return {name: b64encode(token).decode() for name, token in tokens.items()}
