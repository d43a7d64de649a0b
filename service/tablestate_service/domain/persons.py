"""Who a player is, kept beside the log: the log holds a salted hash of it, and so can forget it."""

import json
from collections.abc import Mapping
from dataclasses import replace

from tablestate_service.domain.entry import Draft, Entry, MatchChange
from tablestate_service.domain.hashing import digest

_SALT = b"tablestate/person-salt/v1"
_PERSON = b"tablestate/person/v1"


def salt_of(match_id: str, seat_token: bytes) -> bytes:
    """What nobody can guess who has not the seat's token, of which the store has but a hash."""
    return digest((_SALT, match_id.encode(), seat_token))


def to_personal(display_name: str, player_id: str, salt: bytes) -> str:
    """A person as the JSON of `Draft.personal`."""
    person = {"display_name": display_name, "player_id": player_id, "salt": salt.hex()}
    return json.dumps(person, sort_keys=True)


def person_hash(personal: str) -> str:
    """What the payload of JOINED holds of a person."""
    return digest((_PERSON, personal.encode())).hex()


def names_of(draft: Draft) -> tuple[str, str]:
    """Display name and player id of a JOINED entry; both empty once they are forgotten.

    Logs of earlier versions hold them in the payload. Raises KeyError or ValueError if damaged.
    """
    payload = json.loads(draft.payload)
    if "person" not in payload:
        return payload["display_name"], payload["player_id"]
    if not draft.personal:
        return "", ""
    person: Mapping[str, str] = json.loads(draft.personal)
    return person["display_name"], person["player_id"]


def is_fit(draft: Draft) -> bool:
    """Whether the person beside an entry, if there is one, is the one that it has the hash of."""
    if not draft.personal:
        return True
    return bool(json.loads(draft.payload).get("person") == person_hash(draft.personal))


def is_of(entry: Entry, player_id: str) -> bool:
    """Whether an entry says that this player has taken a seat."""
    draft = entry.draft
    return draft.change is MatchChange.JOINED and names_of(draft)[1] == player_id


def can_forget(entry: Entry) -> bool:
    """Whether the person stands beside the entry, and not in what its hash covers."""
    return bool(entry.draft.personal)


def forgotten(entry: Entry) -> Entry:
    """The entry without the person; its hash holds as before."""
    return replace(entry, draft=replace(entry.draft, personal=""))
