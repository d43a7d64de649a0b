"""The ports made real: the Rust core, SQLite, the clock, the feed within one process."""
