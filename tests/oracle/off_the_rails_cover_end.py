"""What the coverage of Off the Rails counts of deposits, the Chasm, missions and the end."""

from __future__ import annotations

from collections.abc import Iterator

from .coverage import Step
from .off_the_rails import RULES
from .off_the_rails_board import RUBY, Place, places
from .off_the_rails_scene import Scene
from .off_the_rails_state import MISSIONS, State, is_centre

UNDER = ("TRACK", "JEWELS", "CART", "BARE")

EXPECTED_CHASM: tuple[str, ...] = (
    *("DEPOSIT OF 2", "DEPOSIT OF 3", "DEPOSIT SHORT", "DEPOSIT OF NONE"),
    *(f"DEPOSIT ON {what}" for what in UNDER),
    *("CHASM CARD", "DECK EMPTIED", "CHASM OPENED", "LAST CARDS ARE ENOUGH"),
    *(f"FIRST TOKEN ON {what}" for what in UNDER),
    *(f"TOKEN ON {what}" for what in (*UNDER, "CENTRE", "OWN CART", "OTHER CART")),
    *("TOKEN ASKED", "TOKEN NOT ASKED", "TOKEN PUT OUT"),
    *("DIE FREE", "DIE TAKEN ASKED", "DIE TAKEN NOT ASKED"),
    *("DIE FALLS BACK ASKED", "DIE FALLS BACK NOT ASKED", "DIE PUT OUT"),
)

EXPECTED_MISSIONS: tuple[str, ...] = (
    *(f"MET {number}" for number in MISSIONS),
    *(f"CLAIMED {number}" for number in MISSIONS),
    *("NO CLAIM", "ONE OF SEVERAL", "MET ANOTHER THAT IS GONE", "NOT MET"),
)

EXPECTED_END: tuple[str, ...] = (
    *("END NO_CART_ON_BOARD", "END LAST_TOKEN", "END AT OPENING", "END BY BOTH"),
    *("END WITH CARTS", "END WITH PUT OUT", "GOES ON WITH CARTS"),
    *("WON BY POINTS", "WON BY JEWELS", "WON BY ROCKS", "SHARED"),
    *("RUBIES OF ONE", "RUBIES TIED", "RUBIES NONE", "CARTS LOST", "SCORED A MISSION"),
)


def beneath(scene: Scene, place: Place) -> Iterator[str]:
    """Name what is on a square."""
    state = scene.state
    found = {
        "TRACK": place in state.tracks,
        "JEWELS": place in state.deposits,
        "CART": state.cart_at(place) is not None,
    }
    yield from (what for what, there in found.items() if there)
    if not any(found.values()):
        yield "BARE"


def chasm_names(step: Step[State], scene: Scene) -> Iterator[str]:
    """Name what an event of a deposit or a token is."""
    if scene.name == "DEPOSITED":
        yield from deposit_names(scene)
    elif scene.name == "CHASM_CARD":
        yield "CHASM CARD"
    elif scene.name == "CHASM_OPENED":
        yield "CHASM OPENED"
        if not step.after.decks:
            yield "LAST CARDS ARE ENOUGH"
    elif scene.name == "TOKEN_PLACED":
        yield from token_names(scene)
    elif scene.name == "TOKEN_PUT_OUT":
        yield "TOKEN PUT OUT"


def deposit_names(scene: Scene) -> Iterator[str]:
    """Name how many jewels are laid, and where."""
    state, event = scene.state, scene.event
    asked = 2 if int(event[2]) % 2 else 3
    if len(state.bag) >= asked:
        yield f"DEPOSIT OF {asked}"
    else:
        yield "DEPOSIT SHORT" if state.bag else "DEPOSIT OF NONE"
    place = places(state.options.board)[str(event[3])]
    yield from (f"DEPOSIT ON {what}" for what in beneath(scene, place))


def token_names(scene: Scene) -> Iterator[str]:
    """Name where a token is laid."""
    state = scene.state
    place = places(state.options.board)[str(scene.event[2])]
    if scene.cause == "OPENING":
        yield from (f"FIRST TOKEN ON {what}" for what in beneath(scene, place))
        return
    yield from (f"TOKEN ON {what}" for what in beneath(scene, place))
    if is_centre(state, place):
        yield "TOKEN ON CENTRE"
    spot = state.cart_at(place)
    if spot is not None:
        yield "TOKEN ON OWN CART" if spot[0] == state.seat else "TOKEN ON OTHER CART"


def drawn_names(step: Step[State]) -> Iterator[str]:
    """Name how the square of a token was found."""
    events = {str(event[0]): event for event in step.events}
    if step.before.step == "token" or "TOKEN_DRAWN" not in events:
        return
    how = "NOT ASKED"
    if step.after.step == "token":
        how = "ASKED"
    elif "TOKEN_PUT_OUT" in events:
        how = "PUT OUT"
    if "DIE_ROLLED" not in events:
        if how != "PUT OUT":
            yield f"TOKEN {how}"
        return
    yield from die_names(step, how, str(events["DIE_ROLLED"][2]))


def die_names(step: Step[State], how: str, rolled: str) -> Iterator[str]:
    """Name what the die brought: a free square, one beside a taken one, or neither."""
    board = step.before.options.board
    place = places(board)[rolled]
    tokens = step.before.tokens
    if place not in tokens:
        yield "DIE FREE"
    elif how == "PUT OUT":
        yield "DIE PUT OUT"
    else:
        near = RULES.free_near(step.before, [place])
        yield f"DIE {'TAKEN' if near else 'FALLS BACK'} {how}"


# Missions


def mission_names(step: Step[State]) -> Iterator[str]:
    """Name which missions are met and claimed."""
    before, after = step.before, step.after
    if before.step == "claim":
        met = RULES.met(before)
        yield f"CLAIMED {step.action[1:]}" if step.action != "#" else "NO CLAIM"
        if len(met) > 1:
            yield "ONE OF SEVERAL"
        gone = {mission for seat in before.seats for mission in seat.missions}
        if gone & before.feats:
            yield "MET ANOTHER THAT IS GONE"
    elif after.step == "claim":
        yield from (f"MET {number}" for number in RULES.met(after))
    elif before.options.missions and step.events and step.events[-1][0] == "TURN_STARTED":
        yield "NOT MET"


# The end


def end_names(step: Step[State]) -> Iterator[str]:
    """Name how a match ended."""
    after = step.after
    names = [event[0] for event in step.events]
    if len(after.decks) < len(step.before.decks):
        yield "DECK EMPTIED"
    if "TURN_ENDED" not in names:
        return
    if after.actor is not None:
        if after.open:
            yield "GOES ON WITH CARTS"
        return
    result = RULES.outcome(after)
    assert result is not None
    yield f"END {result.reason}"
    if "CHASM_OPENED" in names:
        yield "END AT OPENING"
    ended = names.index("TURN_ENDED")
    if "DERAILED" in names[ended:]:
        yield "END WITH CARTS"
    elif not after.left_tokens:
        yield "END BY BOTH"
    if after.put_out:
        yield "END WITH PUT OUT"
    yield from score_names(after)


def score_names(after: State) -> Iterator[str]:
    """Name what decided, and what was scored."""
    ranks = sorted((RULES.rank(after, seat) for seat in range(after.options.seats)), reverse=True)
    first, second = ranks[:2]
    if first == second:
        yield "SHARED"
    else:
        decided = next(number for number in range(3) if first[number] != second[number])
        yield f"WON BY {('POINTS', 'JEWELS', 'ROCKS')[decided]}"
    most = RULES.most_rubies(after)
    yield "RUBIES TIED" if len(most) > 1 else ("RUBIES OF ONE" if most else "RUBIES NONE")
    assert not most or after.seats[most[0]].stock.count(RUBY)
    if any(cart.out for seat in after.seats for cart in seat.carts):
        yield "CARTS LOST"
    if any(seat.missions for seat in after.seats):
        yield "SCORED A MISSION"
