"""Forgetting who a player was."""

import asyncio
import json
from dataclasses import dataclass, field

from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.match import fold
from tablestate_service.domain.persons import can_forget, forgotten, is_of
from tablestate_service.ports import Engine, MatchStore
from tablestate_service.usecases.matches import Matches

_LOOK_SECONDS = 60.0


@dataclass(slots=True)
class Forgotten:
    """Ids of matches, by what became of the player's names in them."""

    forgotten: list[str] = field(default_factory=list)
    running: list[str] = field(default_factory=list)
    """They go on, and the player is part of them."""
    chained: list[str] = field(default_factory=list)
    """Their logs are of an earlier version, and hold the names in what the hashes cover."""
    damaged: list[str] = field(default_factory=list)
    """They cannot be read."""


async def forget_player(
    store: MatchStore, engine: Engine, tenant: str, player_id: str
) -> Forgotten:
    """Erase a player's names from all matches of a tenant that have ended; it can be done again.

    Refuses STORAGE_UNAVAILABLE.
    """
    done = Forgotten()
    for match_id in await store.joined_matches(json.dumps(player_id)):
        await _forget(store, engine, match_id, (tenant, player_id), done)
    await store.forget_in_news(tenant, player_id, done.running)
    return done


async def _forget(
    store: MatchStore, engine: Engine, match_id: str, player: tuple[str, str], done: Forgotten
) -> None:
    try:
        log = await store.load(match_id)
        if log is None:
            return
        match, entries = fold(engine, log.entries), log.entries
        joined = [each for each in entries if is_of(each, player[1])]
        if match.terms.tenant != player[0] or not joined:
            return
        if not match.standing.has_ended:
            done.running.append(match_id)
        elif not all(map(can_forget, joined)):
            done.chained.append(match_id)
        else:
            kept = [forgotten(each) if each in joined else each for each in entries]
            await store.forget(fold(engine, kept), [each.version for each in joined])
            done.forgotten.append(match_id)
    except DomainError as refusal:
        if refusal.reason.name not in ("LOG_DAMAGED", "RULES_VERSION_UNSUPPORTED"):
            raise
        done.damaged.append(match_id)


async def keep_letting_go(matches: Matches) -> None:
    """Hold matches that have ended no longer than a minute: names may be forgotten meanwhile."""
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        matches.drop_ended()
