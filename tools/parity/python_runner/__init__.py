"""The runner of the Python SDK, and a model for others: it uses nothing of the harness."""
