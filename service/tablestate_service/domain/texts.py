"""Texts that people and operators choose: names, tenants, metadata."""

from unicodedata import category

MAX_TENANT = 64
"""Characters of a tenant."""
MAX_PLAYER_ID = 128
"""Characters of a player id."""
SEEN = "no control, formatting, private or unassigned characters"
"""What is expected of a text in which nothing is unseen."""

# Controls, line ends, and all that nobody sees: two names that look alike are to be alike.
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def has_unseen(text: str) -> bool:
    """Whether there is a character that nobody sees, other than spaces."""
    return not text.isprintable() and any(category(each) in _UNSEEN for each in text)
