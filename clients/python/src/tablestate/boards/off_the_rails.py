"""Off the Rails: the board with its tracks and carts, and what belongs to the seats below."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tablestate.boards._off_the_rails_map import COLOURS, Map, cart_place, styled
from tablestate.boards._off_the_rails_words import (
    JEWELS,
    MISSIONS,
    cart_name,
    describe,
    exits_name,
    heading,
    letters,
    mine_name,
    mission_name,
    seat_name,
    side_name,
    size_of,
    square_name,
)
from tablestate.v1.game_pb2 import GameAction, GameEvent, GameOptions, GameView, OutcomeReason
from tablestate.v1.off_the_rails_pb2 import (
    OffTheRailsCart,
    OffTheRailsCartPlace,
    OffTheRailsColour,
    OffTheRailsMine,
    OffTheRailsPreview,
    OffTheRailsPreviewEnd,
    OffTheRailsSquare,
    OffTheRailsStep,
    OffTheRailsTable,
    OffTheRailsView,
)

_ACTIONS = 4
_WHITE, _BLACK = OffTheRailsColour.values()[1:]
_MINES = OffTheRailsMine.values()[1:]
_SUPPLY = OffTheRailsCartPlace.OFF_THE_RAILS_CART_PLACE_SUPPLY

_TO_DECIDE = {
    OffTheRailsStep.OFF_THE_RAILS_STEP_UNSPECIFIED: "nothing, the match is over",
    OffTheRailsStep.OFF_THE_RAILS_STEP_ACTIONS: "track, a cart, a speed, or to end",
    OffTheRailsStep.OFF_THE_RAILS_STEP_FIRST: "which cart moves first",
    OffTheRailsStep.OFF_THE_RAILS_STEP_TAKE: "take a jewel, or nothing more",
    OffTheRailsStep.OFF_THE_RAILS_STEP_FACE: "which exit the cart faces",
    OffTheRailsStep.OFF_THE_RAILS_STEP_ODD: "which odd jewel the cart hit drops",
    OffTheRailsStep.OFF_THE_RAILS_STEP_SPLIT: "split the hold of the cart hit into two hands",
    OffTheRailsStep.OFF_THE_RAILS_STEP_HAND: "which hand is dropped",
    OffTheRailsStep.OFF_THE_RAILS_STEP_TURN_ACTIVE: "where the cart turns",
    OffTheRailsStep.OFF_THE_RAILS_STEP_TURN_OPPOSING: "where the cart hit turns",
    OffTheRailsStep.OFF_THE_RAILS_STEP_CLAIM: "claim a mission, or none",
    OffTheRailsStep.OFF_THE_RAILS_STEP_TOKEN: "where the token is laid",
}
_OF_OPPOSING = (
    OffTheRailsStep.OFF_THE_RAILS_STEP_ODD,
    OffTheRailsStep.OFF_THE_RAILS_STEP_SPLIT,
    OffTheRailsStep.OFF_THE_RAILS_STEP_TURN_OPPOSING,
)
"""The steps in which the owner of the cart that was hit decides."""

_WAYS = {
    OffTheRailsPreviewEnd.OFF_THE_RAILS_PREVIEW_END_SPEED_USED: "stop",
    OffTheRailsPreviewEnd.OFF_THE_RAILS_PREVIEW_END_CHOICE: "choose an exit",
    OffTheRailsPreviewEnd.OFF_THE_RAILS_PREVIEW_END_COLLISION: "collide",
    OffTheRailsPreviewEnd.OFF_THE_RAILS_PREVIEW_END_BANK: "bank",
    OffTheRailsPreviewEnd.OFF_THE_RAILS_PREVIEW_END_DERAILMENT: "derail",
}

_REASONS = {
    OutcomeReason.OUTCOME_REASON_OFF_THE_RAILS_NO_CART_ON_BOARD: "no cart is on the board",
    OutcomeReason.OUTCOME_REASON_OFF_THE_RAILS_LAST_TOKEN: "the last Chasm token is drawn",
}

_HELP = """\
Drive your carts to the jewels and back to the Surface before the Chasm takes
the board. Jewels are worth k Rock 0, r Ruby 1, e Emerald 2, g Gold 3,
d Diamond 4. At the end most Rubies bring 5 more, each of your carts in supply
3, each mission 4.

On the map r3 is square 3 of the red mine, [r] its centre, (r) a red Chasm
token; the mines are red, yellow, green, blue. 0w▸3 is seat 0's white cart,
facing east with speed 3.

In a turn you take up to four actions. Then all your carts on the board move, as
many squares as their speed. Where a cart enters it may take a jewel, on its
last step two; a Rock comes first. It banks on any Surface square; where no
track leads on it derails and loses all. A cart that runs into another stops: an
empty one derails, the one hit drops half its jewels. At last a card brings
jewels to a mine or, once the Chasm is open, a token takes a square.

  c4NS    lay a straight on c4, to north and south; c4NE a corner
  c4+NES  upgrade the track on c4 to a T; c4+NESW to a cross
  Nc E3   place a cart on this square of your Surface, with speed 3
  w+ b-   the white cart becomes faster, the black one slower
  .       end the actions               w b     which cart moves first
  *r *    take a Ruby; take no more     ^N      face north on a T or cross
  -r      drop a Ruby, the odd jewel    ~N      turn to the north
  =re     split your hold: Ruby and Emerald in the left hand, the rest in the
          right one
  L R     drop the left or the right hand
  #11 #   claim mission 11; none        !c4     lay the Chasm token on c4
"""


class OffTheRailsBoard:
    """Draws Off the Rails."""

    @property
    def notation_help(self) -> str:
        """How actions are written, and what the missions ask for."""
        missions = (f"  {n:>2} {each.title}: {each.condition}" for n, each in MISSIONS.items())
        return "\n".join([_HELP, *missions])

    def seat_name(self, seat: int) -> str:
        """Return "seat 0", as carts are named 0w and 0b."""
        return seat_name(seat)

    def listing(self, view: GameView) -> str:
        """Name the squares with track, jewels or a token."""
        game = view.off_the_rails
        squares = (_square(square, size_of(game.board)) for square in game.table.squares)
        return f"Squares with track, jewels or a token: {', '.join(squares) or 'none'}"

    def describe(self, event: GameEvent, options: GameOptions) -> str:
        """Tell an event in a few words; the end of a turn needs none."""
        return describe(event.off_the_rails, size_of(options.off_the_rails.board))

    def reason(self, reason: OutcomeReason.ValueType) -> str:
        """Say why the game ended."""
        return _REASONS.get(reason, "")

    def heading(self, action: GameAction) -> str:
        """Say what kind of action this is."""
        return heading(action.off_the_rails)

    def render(self, view: GameView) -> RenderableType:
        """Draw the board, the jewels of the seats, the carts, and what is going on."""
        game = view.off_the_rails
        standing = [*_decks(game.table), *_missions(game.table), *_turn(game)]
        return Group(
            *Map(game).lines(), Text(), _jewels(game), Text(), _carts(game), Text(), *standing
        )


def _square(square: OffTheRailsSquare, size: int) -> str:
    """Tell what lies on a square, as "c4 NES krr"."""
    token = f"{mine_name(square.token)} token" if square.token else ""
    parts = [exits_name(square.exits), letters(square.jewels), token]
    return " ".join([square_name(square.square, size), *filter(None, parts)])


def _is_over(table: OffTheRailsTable) -> bool:
    return table.step == OffTheRailsStep.OFF_THE_RAILS_STEP_UNSPECIFIED


def _jewels(view: OffTheRailsView) -> Table:
    """Draw the stockpiles and scores of the seats, the bag, and what is out of the game."""
    shown = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("", "seat", "side"):
        shown.add_column(title, no_wrap=True)
    for title in ("score", *JEWELS):
        shown.add_column(title, justify="right", no_wrap=True)
    shown.add_column("missions")
    table = view.table
    for seat, player in enumerate(table.players):
        mark = "▸" if seat == table.turn_of and not _is_over(table) else ""
        side = Text(side_name(view.sides[seat]), COLOURS[view.sides[seat]])
        claimed = " ".join(map(str, player.claimed)) or "-"
        numbers = map(str, (view.scores[seat], *player.stockpile))
        shown.add_row(mark, seat_name(seat), side, *numbers, claimed)
    for name, jewels in (("bag", table.bag), ("removed", table.removed)):
        shown.add_row("", name, "", "", *map(str, jewels), style="dim")
    return shown


def _carts(view: OffTheRailsView) -> Table:
    """Draw the carts of every seat, with the ways that they would go now."""
    size = size_of(view.board)
    ways = {(way.cart.seat, way.cart.colour): _way(way, size) for way in view.preview}
    shown = Table(box=None, pad_edge=False, header_style="dim")
    for title in ("cart", "at", "faces", "speed", "hold", "where it would go now"):
        shown.add_column(title, no_wrap=True)
    for seat, player in enumerate(view.table.players):
        side = view.sides[seat]
        for colour, cart in ((_WHITE, player.white), (_BLACK, player.black)):
            name = Text(cart_name(seat, colour), COLOURS[side])
            place = cart_place(cart, side, size)
            way = ways.get((seat, colour), "")
            shown.add_row(name, *_cart(cart, place), way)
    return shown


def _cart(cart: OffTheRailsCart, place: str) -> Iterator[RenderableType]:
    if not place:
        yield "supply" if cart.place == _SUPPLY else "out"
        return
    yield place
    yield side_name(cart.facing) if cart.facing else "?"
    yield str(cart.speed)
    yield styled(cart.hold) if cart.hold else "-"


def _way(way: OffTheRailsPreview, size: int) -> str:
    """Say where a cart would go, as "c4 c3, collide facing south, 2 left"."""
    squares = " ".join(square_name(square, size) for square in way.squares)
    entering = f"{squares}, " if squares else ""
    facing = f" facing {side_name(way.facing)}" if way.facing else ""
    left = f", {way.steps_left} left" if way.steps_left else ""
    return f"{entering}{_WAYS[way.end]}{facing}{left}"


def _decks(table: OffTheRailsTable) -> Iterator[Text]:
    """Tell what is known of the cards, and of the Chasm and its tokens."""
    shown = (
        f"{mine_name(mine)} {' '.join(map(str, table.cards[mine - 1].numbers)) or '-'}"
        for mine in _MINES
    )
    yield Text(f"Cards shown: {', '.join(shown)}")
    deck, chasm = table.deck, table.chasm
    top = [*map(mine_name, deck.top), *["Chasm Card"] * deck.chasm_card_on_top]
    next_of = f", the next one of {', '.join(top)}" if top else ""
    yield Text(f"Deposit cards to come: {deck.size}{next_of}")
    yield Text(f"Chasm tokens to come: {_by_mine(chasm.to_come)}")
    if any(chasm.put_out):
        yield Text(f"Chasm tokens put out: {_by_mine(chasm.put_out)}")
    if chasm.HasField("opener"):
        standing = "The Chasm is open" if chasm.open else "The Chasm opens after its next turn"
        yield Text(f"{seat_name(chasm.opener).capitalize()} has turned the Chasm Card. {standing}.")


def _by_mine(numbers: Iterable[int]) -> str:
    counted = zip(numbers, _MINES, strict=False)
    return ", ".join(f"{number} {mine_name(mine)}" for number, mine in counted if number) or "none"


def _missions(table: OffTheRailsTable) -> Iterator[Text]:
    """Tell what the missions that lie face up ask for, and what the turn has brought."""
    for number in table.missions:
        condition = f": {MISSIONS[number].condition}" if number in MISSIONS else ""
        yield Text(f"Mission {number}, {mission_name(number)}{condition}")
    deeds = table.deeds
    brought = [f"{name} has banked" for name, has in _banked(table) if has]
    brought += [mission_name(number) for number in deeds.met]
    if brought:
        yield Text(f"This turn has brought: {', '.join(brought)}")


def _banked(table: OffTheRailsTable) -> Iterator[tuple[str, bool]]:
    yield cart_name(table.turn_of, _WHITE), table.deeds.white_banked
    yield cart_name(table.turn_of, _BLACK), table.deeds.black_banked


def _turn(view: OffTheRailsView) -> Iterator[Text]:
    """Tell the move, the collision, the token and the hands there are, and what is to decide."""
    table = view.table
    if table.HasField("move"):
        yield from map(Text, _move(view))
    if table.HasField("collision"):
        hit = table.collision.opposing
        name = cart_name(hit.seat, hit.colour)
        yield Text(f"{name} has been hit from the {side_name(table.collision.hit_side)}")
    if table.HasField("token"):
        die = f", the die shows {table.token.die}" if table.token.die else ""
        yield Text(f"A {mine_name(table.token.colour)} token is drawn{die}")
    if view.left_hand:
        yield Text("Your hands: left ").append_text(_hands(view))
    yield Text(_to_decide(table))


def _move(view: OffTheRailsView) -> Iterator[str]:
    table, move, size = view.table, view.table.move, size_of(view.board)
    steps = _counted(move.steps_left, "step")
    parts = [f"{cart_name(table.turn_of, move.cart)} moves, {steps} left"]
    if move.entered_by:
        parts.append(f"in from the {side_name(move.entered_by)}")
    if move.takings_left:
        parts.append(f"may take {_counted(move.takings_left, 'jewel')}")
    yield ", ".join(parts)
    if move.taken_from:
        squares = " ".join(square_name(square, size) for square in move.taken_from)
        yield f"It has taken jewels from {squares}"
    if move.other_to_move:
        yield "Then the other cart moves"


def _hands(view: OffTheRailsView) -> Text:
    """Return what is in the left hand, and in the right one: the rest of the hold."""
    hit = view.table.collision.opposing
    player = view.table.players[hit.seat]
    rest = list((player.white if hit.colour == _WHITE else player.black).hold)
    for jewel in view.left_hand:
        rest.remove(jewel)
    return styled(view.left_hand).append(", right ").append_text(styled(rest))


def _to_decide(table: OffTheRailsTable) -> str:
    if _is_over(table):
        return f"To decide: {_TO_DECIDE[table.step]}."
    seat = table.collision.opposing.seat if table.step in _OF_OPPOSING else table.turn_of
    left = ""
    if table.step == OffTheRailsStep.OFF_THE_RAILS_STEP_ACTIONS:
        left = f" ({_counted(_ACTIONS - table.actions_taken, 'action')} left)"
    return f"{seat_name(seat).capitalize()} is to decide: {_TO_DECIDE[table.step]}{left}."


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" + "s" * (number != 1)


BOARD = OffTheRailsBoard()
