"""The table of methods, made once from the descriptors."""

import re
from collections.abc import Sequence
from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message_factory import GetMessageClass

from tablestate_service.rpc.gate import Rule, rule_of
from tablestate_service.rpc.wrapper import Wrapper


def handlers_of(
    service: ServiceDescriptor,
    servicers: Sequence[object],
    wrapper: Wrapper,
    *,
    rule: Rule | None = None,
    while_draining: bool = False,
) -> grpc.GenericRpcHandler:
    """Handlers of all methods of a service, each found in the servicer that has it.

    A `rule` says who may call them, in the place of what their descriptors say.
    """
    table = {}
    for method in service.methods:
        parse = GetMessageClass(method.input_type).FromString
        name = f"/{service.full_name}/{method.name}"
        make = _maker(method, wrapper)
        call = _implementation(method, servicers)
        table[method.name] = make(
            name, rule or rule_of(method), parse, call, while_draining=while_draining
        )
    return grpc.method_handlers_generic_handler(service.full_name, table)


def _maker(method: MethodDescriptor, wrapper: Wrapper) -> Any:
    if method.client_streaming:
        return wrapper.dialogue
    return wrapper.stream if method.server_streaming else wrapper.unary


def _implementation(method: MethodDescriptor, servicers: Sequence[object]) -> Any:
    name = re.sub("(?<!^)(?=[A-Z])", "_", method.name).lower()
    return next(getattr(each, name) for each in servicers if hasattr(each, name))
