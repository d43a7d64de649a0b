"""The program that the runner starts: the gateway before the service of its contract."""

import asyncio
import ssl
import struct
import sys
import tempfile
from pathlib import Path
from typing import Any

from conformance.protos import generated
from conformance.service import ConformanceService
from tablestate_service.gateway.methods import methods_of
from tablestate_service.gateway.origins import Origins
from tablestate_service.gateway.page import Page
from tablestate_service.gateway.server import Gateway
from tablestate_service.settings import Limits, Settings
from tablestate_service.tls import Certificates

HOST = "127.0.0.1"
SIZE = struct.Struct(">I")


def asked(kind: Any) -> Any:
    """What kind of server the runner wants."""
    (size,) = SIZE.unpack(sys.stdin.buffer.read(SIZE.size))
    return kind.FromString(sys.stdin.buffer.read(size))


def told(answer: Any) -> None:
    """Say where it is."""
    data = answer.SerializeToString()
    sys.stdout.buffer.write(SIZE.pack(len(data)) + data)
    sys.stdout.buffer.flush()


def certificates(request: Any, folder: Path) -> ssl.SSLContext | None:
    """What the server shows and asks for, as it was told."""
    if not request.use_tls:
        return None
    files = {
        "tls_cert": request.server_creds.cert,
        "tls_key": request.server_creds.key,
        "client_ca": request.client_tls_cert,
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
    paths: Any = {name: str(folder / name) for name, content in files.items() if content}
    return Certificates(Settings(**paths)).context()


async def serve() -> None:
    control, service_pb = (generated(sys.argv[1], name) for name in ("server_compat", "service"))
    request = asked(control.ServerCompatRequest)
    service = ConformanceService(service_pb)
    methods = methods_of([service.descriptor], service.handlers())
    limits = Limits(max_request_bytes=request.message_receive_limit or 1 << 20)
    gateway = Gateway(methods, Origins((), HOST), Page(), limits)
    with tempfile.TemporaryDirectory() as folder:
        context = certificates(request, Path(folder))
        port = await gateway.listen(HOST, 0, context)
    cert = request.server_creds.cert if context else b""
    told(control.ServerCompatResponse(host=HOST, port=port, pem_cert=cert))
    await asyncio.Event().wait()


asyncio.run(serve())
