"""Other engines, each driven at random by a program of its own.

Each prints a JSON object with `per_second`: the steps that it made in a second.
"""
