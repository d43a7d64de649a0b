"""Commands reach a service that asks for a key, over TLS."""

import asyncio
from pathlib import Path

import pytest

from support.certificates import Authority
from support.keys import guarded, key_of
from tablestate_service.cli.main import main


@pytest.mark.parametrize("command", [["list"], ["perft", "offboard", "--depth", "1"]])
async def test_a_command_brings_key_and_trust(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    authority = Authority()
    (tmp_path / "ca.pem").write_bytes(authority.certificate)
    (tmp_path / "key").write_text(key_of("player") + "\n")
    (tmp_path / "empty").write_text("\n")
    async with guarded(tmp_path, **authority.write(tmp_path)) as running:
        given = [*command, "--server", running.address, "--ca-file", str(tmp_path / "ca.pem")]

        async def status(*more: str) -> int:
            return await asyncio.to_thread(main, [*given, *more])

        assert await status("--key-file", str(tmp_path / "key")) == 0
        for file, told in (("empty", "no key"), ("missing", "cannot read")):
            assert await status("--key-file", str(tmp_path / file)) == 1
            assert told in capsys.readouterr().err
        assert await status() == 1
        assert "WRONG_KEY" in capsys.readouterr().err
