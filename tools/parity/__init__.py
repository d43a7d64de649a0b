"""The parity of the SDKs: runners that replay the vectors and make every call, and what they show.

`README.md` says what a runner is and does.
"""
