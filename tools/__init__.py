"""The checks and chores of the repository, run by `make`."""
