"""Callers know the matches of their tenant, and no others."""

from tablestate_service.domain.errors import match_not_found
from tablestate_service.ports import MatchStore
from tablestate_service.usecases.matches import Matches


async def require_own(matches: Matches, store: MatchStore, match_id: str, tenant: str) -> None:
    """Refuse MATCH_NOT_FOUND for a match of another tenant, just as for one that is not there.

    Both cost the same read of the store, whether this node has loaded the match or not: else the
    time would tell that it is there.
    """
    loaded = matches.peek(match_id)
    if loaded is not None and loaded.terms.tenant == tenant:
        return
    if await store.tenant_of(match_id) != tenant:
        raise match_not_found(match_id)
