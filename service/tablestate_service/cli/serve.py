"""`tablestate serve`."""

from __future__ import annotations

import argparse
import os

from tablestate_service import __version__, app, settings
from tablestate_service.cli.arguments import CommandError, add_data_dir
from tablestate_service.settings import LOG_LEVELS, Settings

_DEFAULTS = Settings()

DESCRIPTION = f"""\
Run the service until Ctrl-C or SIGTERM; it then refuses new calls, ends the watches, and
finishes what it has begun. The first line on stdout says where it listens and where it stores
the matches; everything after goes to stderr as one JSON object a line.

Each can be set by an environment variable as well ({settings.ENVIRONMENT_PREFIX}PORT and so on);
what is given here comes first.

examples:
  tablestate serve
  tablestate serve --port 0 --data-dir /tmp/matches --log-level warning
  tablestate serve --store postgresql://tablestate@db.example/tablestate   # one of several nodes
  tablestate serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem --keys keys.toml
  tablestate serve --host 0.0.0.0 --allow-insecure   # behind something that speaks TLS
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments; None means that it was not given."""
    parser.add_argument("--host", help=f"where to listen (default: {_DEFAULTS.host})")
    parser.add_argument(
        "--port", type=int, help=f"0 takes any that is free (default: {_DEFAULTS.port})"
    )
    add_data_dir(parser, default=None)
    parser.add_argument(
        "--store",
        metavar="URL",
        help="keep the matches in this PostgreSQL database, which other services may share, "
        "instead of a data directory; a password is better given by "
        f"{settings.ENVIRONMENT_PREFIX}STORE, or in a passfile",
    )
    parser.add_argument(
        "--store-listen",
        metavar="URL",
        help="the same database by a way that leads through no pooler, to listen on "
        "(default: that of --store)",
    )
    parser.add_argument(
        "--webhooks",
        metavar="FILE",
        help="post what happens to matches to the servers named in this file (docs/feed.md)",
    )
    parser.add_argument(
        "--gateway",
        metavar="HOST:PORT",
        help="where browsers find the page and call the service by Connect and gRPC-Web, as "
        "127.0.0.1:8080 (docs/browsers.md; default: nowhere)",
    )
    parser.add_argument(
        "--gateway-origins",
        metavar="ORIGINS",
        help="let pages of other servers call the gateway too, as https://a.example,"
        "https://b.example (default: its own page alone)",
    )
    _add_access(parser)
    _add_operations(parser)
    parser.add_argument(
        "--log-level",
        choices=LOG_LEVELS,
        help=f"how much is logged (default: {_DEFAULTS.log_level})",
    )
    parser.add_argument(
        "--reflection",
        action="store_const",
        const=True,
        help="let tools such as grpcurl ask for the services (default: no)",
    )
    parser.add_argument(
        "--allow-insecure",
        action="store_const",
        const=True,
        help="listen beyond loopback although tokens travel unencrypted (default: no)",
    )


def _add_access(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--keys",
        metavar="FILE",
        help="let in only callers with a key of this file, to which `tablestate key` adds "
        "(docs/access.md; default: let in everybody)",
    )
    parser.add_argument(
        "--jwks",
        metavar="FILE",
        help="let in callers with a token (JWT) that a key of this JSON Web Key Set has signed",
    )
    parser.add_argument("--jwt-issuer", metavar="TEXT", help="the `iss` of those tokens")
    parser.add_argument("--jwt-audience", metavar="TEXT", help="the `aud` of those tokens")
    parser.add_argument(
        "--tls-cert",
        metavar="FILE",
        help="speak TLS with this chain of certificates in PEM, read again when it changes",
    )
    parser.add_argument("--tls-key", metavar="FILE", help="the private key of that certificate")
    parser.add_argument(
        "--client-ca",
        metavar="FILE",
        help="let in only clients that show a certificate of these authorities (mTLS)",
    )


def _add_operations(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--turn-limit-default",
        metavar="TIME",
        help="how long a decision may take in matches created without a time control, as 72h; "
        f"0: for ever (default: {settings.SERVED['turn_limit_default']})",
    )
    parser.add_argument(
        "--waiting-limit-default",
        metavar="TIME",
        help="how long matches created without a limit wait for their start, as 12h; "
        f"0: for ever (default: {settings.SERVED['waiting_limit_default']})",
    )
    parser.add_argument(
        "--retention",
        metavar="TIME",
        help="remove matches so long after their end, as 30d (default: never)",
    )
    parser.add_argument(
        "--archive",
        metavar="DIR",
        help="before that, write them into files of this directory (default: nowhere)",
    )
    parser.add_argument(
        "--metrics",
        metavar="HOST:PORT",
        help="where Prometheus may fetch metrics, as 127.0.0.1:9464 (default: nowhere)",
    )
    parser.add_argument(
        "--traces",
        action="store_const",
        const=True,
        help="send traces of calls as OTEL_EXPORTER_OTLP_ENDPOINT and the like say; needs "
        "tablestate-service[otel] (default: no)",
    )


def run(args: argparse.Namespace) -> int:
    """Run until told to stop."""
    given = {name: value for name, value in vars(args).items() if name != "run"}
    try:
        chosen = settings.from_environment(os.environ, **given)
        app.serve(chosen, lambda running: _announce(running, chosen))
    except (settings.SettingsError, app.StoreUnusableError, OSError) as error:
        raise CommandError(str(error)) from None
    return 0


def _announce(running: app.RunningService, chosen: Settings) -> None:
    where = settings.shown_store(chosen.store) if chosen.store else chosen.data_dir.resolve()
    line = f"Tablestate {__version__} listens on {running.address} and stores matches in {where}"
    print(line, flush=True)
    if running.page:
        print(f"The page is at {running.page}", flush=True)
