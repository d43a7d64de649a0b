"""A PostgreSQL of one's own, for tests and benchmarks: Debian's programs, files of its own.

PostgreSQL refuses to run as root; then it runs as the user `postgres`, or `nobody`.
"""

import contextlib
import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools.ports import free_port

PROGRAMS = ("initdb", "postgres", "psql")
_DEBIAN = Path("/usr/lib/postgresql")
_USERS = ("postgres", "nobody")
_START_SECONDS = 60
_USER = "tablestate"

FAST, IMMEDIATE, KILL = signal.SIGINT, signal.SIGQUIT, signal.SIGKILL
"""Ways to stop it: rolling back, without even that, and by surprise."""


class PostgresError(Exception):
    """PostgreSQL is not there, or does not start."""


def program(name: str) -> str | None:
    """Where one of its programs is: the newest that Debian has installed, or on the path."""
    installed = sorted(
        _DEBIAN.glob(f"*/bin/{name}"), key=lambda path: float(path.parts[-3]), reverse=True
    )
    return str(installed[0]) if installed else shutil.which(name)


class Postgres:
    """A server on a free port of 127.0.0.1, which a test may stop, kill and start again."""

    def __init__(self, directory: Path) -> None:
        """Make a cluster in an empty directory; raises PostgresError."""
        self._directory = directory
        user = _other_user()
        # Not by subprocess's `user`: it would fork, which is not safe beside gRPC's threads.
        self._as_other = ["setpriv", f"--reuid={user}", "--clear-groups"] if user else []
        self._password = secrets.token_hex(16)
        self._port = free_port()
        self._process: subprocess.Popen[bytes] | None = None
        self._count = 0
        if user is not None:
            os.chown(directory, pwd.getpwnam(user).pw_uid, -1)
        password = directory / "password"
        password.write_text(self._password)
        password.chmod(0o644)
        arguments = ["--auth=password", "--encoding=UTF8", "--locale=C", "--no-instructions"]
        arguments += ["--username", _USER, "--pwfile", str(password)]
        _run([*self._as_other, *_command("initdb", *arguments, "-D", str(directory / "data"))])

    @property
    def password(self) -> str:
        """What no log may hold."""
        return self._password

    @property
    def port(self) -> int:
        """Where it listens on 127.0.0.1, also after it was started again."""
        return self._port

    @property
    def pid(self) -> int:
        """The process of the postmaster."""
        assert self._process is not None
        return self._process.pid

    def url(self, database: str = "postgres", port: int | None = None) -> str:
        """How to connect to one of its databases."""
        where = f"127.0.0.1:{port or self._port}"
        return f"postgresql://{_USER}:{self._password}@{where}/{database}"

    def start(self) -> None:
        """Start it and wait until it takes connections; raises PostgresError."""
        deadline = time.monotonic() + _START_SECONDS
        while True:
            with (self._directory / "log").open("ab") as log:
                self._process = subprocess.Popen(
                    [*self._as_other, *_command("postgres", *self._settings())],
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    cwd="/",
                    start_new_session=True,
                )
            while self._process.poll() is None:
                if self._answers():
                    return
                time.sleep(0.02)
            # After a kill its orphans hold the shared memory for a moment.
            if time.monotonic() > deadline:
                raise PostgresError(self.log()[-2000:])
            time.sleep(0.05)

    def stop(self, how: signal.Signals = FAST) -> None:
        """Stop it, or kill it."""
        assert self._process is not None
        self._process.send_signal(how)
        self._process.wait(_START_SECONDS)

    def log(self) -> str:
        """What it has written about itself."""
        return (self._directory / "log").read_text(errors="replace")

    def create_database(self) -> str:
        """Create an empty database; its name."""
        self._count += 1
        name = f"test_{self._count}"
        self._sql(f"CREATE DATABASE {name}")
        return name

    def _settings(self) -> Sequence[str]:
        settings = ["listen_addresses=127.0.0.1", f"port={self._port}"]
        settings += [f"unix_socket_directories={self._directory}", "max_connections=200"]
        arguments = ["-D", str(self._directory / "data")]
        for setting in settings:
            arguments += ["-c", setting]
        return arguments

    def _answers(self) -> bool:
        with contextlib.suppress(PostgresError):
            self._sql("SELECT 1")
            return True
        return False

    def _sql(self, statement: str) -> None:
        options = ["--quiet", "--no-psqlrc", "--output=/dev/null"]
        _run(_command("psql", self.url(), *options, "--command", statement))


def _command(name: str, *arguments: str) -> list[str]:
    found = program(name)
    if found is None:
        raise PostgresError(f"no {name} here; on Debian: apt-get install postgresql")
    return [found, *arguments]


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, cwd="/")
    if done.returncode:
        raise PostgresError(done.stderr.decode()[-2000:])


@contextlib.contextmanager
def running_postgres(parent: Path | None = None) -> Iterator[Postgres]:
    """A started server; its files are in a new directory, and gone afterwards."""
    directory = Path(tempfile.mkdtemp(prefix="tablestate-postgres-", dir=parent))
    server: Postgres | None = None
    try:
        server = Postgres(directory)
        server.start()
        yield server
    finally:
        if server is not None and server._process is not None:
            server.stop(IMMEDIATE)
        shutil.rmtree(directory, ignore_errors=True)


def _other_user() -> str | None:
    """Who is to run it, if not we ourselves."""
    if os.geteuid() != 0:
        return None
    known = {each.pw_name for each in pwd.getpwall()}
    return next(user for user in _USERS if user in known)
