"""The gateway: browsers call the service by gRPC-Web and Connect, and fetch the page.

It knows no RPC by name: methods come from descriptors, and it calls the handlers that gRPC calls.
"""
