"""The battery that shows that no viewer learns what it may not know."""
