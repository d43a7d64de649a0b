"""The contract as reflection tells it, to programs that have no protos."""

from collections.abc import Iterable

from google.protobuf import descriptor_pb2, descriptor_pool
from google.protobuf.descriptor import Descriptor, FileDescriptor


def reflected_pool(files: Iterable[FileDescriptor]) -> descriptor_pool.DescriptorPool:
    """These files and all that they import, with the names that fields have in JSON.

    Generated code leaves those names out, and programs such as grpcurl print what they are told.
    """
    pool, added = descriptor_pool.DescriptorPool(), set[str]()
    for file in files:
        _add(pool, file, added)
    return pool


def _add(pool: descriptor_pool.DescriptorPool, file: FileDescriptor, added: set[str]) -> None:
    if file.name in added:
        return
    added.add(file.name)
    for dependency in file.dependencies:
        _add(pool, dependency, added)
    proto = descriptor_pb2.FileDescriptorProto()
    file.CopyToProto(proto)
    for message in proto.message_type:
        _name(message, file.message_types_by_name[message.name])
    pool.Add(proto)


def _name(message: descriptor_pb2.DescriptorProto, described: Descriptor) -> None:
    for field in message.field:
        field.json_name = described.fields_by_name[field.name].json_name
    for nested in message.nested_type:
        _name(nested, described.nested_types_by_name[nested.name])
