"""What PostgreSQL gives without a service: single rows, each committed by itself.

`raw_commits URL WRITERS SECONDS`: so many connections of asyncpg insert one row after the other.
"""

import asyncio
import json
import secrets
import sys
import time
from typing import Any

import asyncpg
import uvloop

_CONTENT = bytes(200)
_TABLE = "CREATE TABLE IF NOT EXISTS raw_commits (id bytea PRIMARY KEY, content bytea NOT NULL)"
_INSERT = "INSERT INTO raw_commits VALUES ($1, $2)"
_WARM_UP = 0.2


async def _write(connection: Any, until: float) -> int:
    count = 0
    while time.monotonic() < until:
        await connection.execute(_INSERT, secrets.token_bytes(16), _CONTENT)
        count += 1
    return count


async def main(url: str, writers: int, seconds: float) -> None:
    """Write for so long, after a warming up."""
    connections = [await asyncpg.connect(url) for _ in range(writers)]
    await connections[0].execute(_TABLE)
    for share in (_WARM_UP, 1.0):
        begun = time.monotonic()
        until = begun + share * seconds
        counts = await asyncio.gather(*(_write(each, until) for each in connections))
    print(json.dumps({"per_second": sum(counts) / (time.monotonic() - begun)}))
    for each in connections:
        await each.close()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3])))
