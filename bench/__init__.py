"""Benchmarks: the service beside a no-op echo, the engine beside OpenSpiel.

`python -m bench --help`; what the figures mean is in `docs/benchmarks.md`.
"""
