"""Whole clusters in one thread: real use cases on a fake store, clock and feed, with faults.

A seed brings about the same thing every time. `docs/architecture.md` tells how to look into one.
"""
