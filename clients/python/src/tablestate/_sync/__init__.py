# Made from ../_aio by clients/python/tools/make_sync.py. DO NOT EDIT!
"""The synchronous client."""
