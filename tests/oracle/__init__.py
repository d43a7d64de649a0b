"""Independent oracles of the games' rules, and the play that compares an engine with them."""
