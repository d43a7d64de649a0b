"""gRPC: bytes in, bytes out, and one wrapper round everything."""
