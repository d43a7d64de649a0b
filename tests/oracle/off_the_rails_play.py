"""Biased play of Off the Rails: random choices that lead to banks, collisions and collapses."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from .off_the_rails import RULES, numbered
from .off_the_rails_actions import LARGER, Action, action_text
from .off_the_rails_board import (
    KINDS,
    LETTERS,
    OPPOSITE,
    SIMPLE,
    Place,
    place_text,
    places,
    sides,
)
from .off_the_rails_state import CARTS, Cart, State, is_underground
from .off_the_rails_views import previews

GARBAGE = (
    *("", "-", "a", "a1", "a1N", "a1SN", "a1NSE", "c6NS", "a0NS", "a10NS", "j1NS", "+", "w", "w++"),
    *("^", "^X", "~", "~NS", "=", "=krr", "=er", "*x", "#0", "#12", "!", "!Na", "!a1!", "..", "Nz"),
    *("N1", "Ea", "w-1", "x+", "LL", "Rk", "-", "-x", "c6+NESW"),
)
"""Texts that are no decision in any state, or never legal."""


@dataclass(frozen=True)
class Bias:
    """What a policy prefers: shares of the choices of each step.

    `leads` is how often a track is laid where an own cart would leave the tracks; `rams` how often
    a cart is placed against another, `hits` how often the cart goes first that will collide.
    """

    ends: float = 0.2
    carts: float = 0.3
    rams: float = 0.7
    hits: float = 0.7
    speeds: float = 0.2
    faster: float = 0.6
    upgrades: float = 0.3
    leads: float = 0.6
    takes: float = 0.8
    claims: float = 0.7
    buries: float = 0.4


class Player:
    """Chooses by step and bias."""

    def __init__(self, bias: Bias) -> None:
        """Take the bias."""
        self.bias = bias

    def choose(self, state: State, legal: list[str], rng: random.Random) -> str:
        """Choose an action."""
        if len(legal) == 1:
            return legal[0]
        wanted = set(legal)
        actions = [action for _, text, action in numbered(RULES, state) if text in wanted]
        if not actions:
            return rng.choice(legal)
        steps = {
            "actions": self.act,
            "first": self.first,
            "take": self.take,
            "claim": self.claim,
            "token": self.token,
        }
        action = steps.get(state.step, self.any)(state, actions, rng)
        return action_text(state.options.board, action)

    def any(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Choose any action."""
        return rng.choice(actions)

    def act(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Choose a kind of action, then one of that kind."""
        if rng.random() < self.bias.ends:
            return Action("END_ACTIONS")
        carts = of_kind(actions, "PLACE_CART")
        if carts and rng.random() < self.bias.carts:
            return self.place_cart(state, carts, rng)
        speeds = of_kind(actions, "SPEED")
        if speeds and rng.random() < self.bias.speeds:
            faster = rng.random() < self.bias.faster
            wanted = [action for action in speeds if action.faster == faster]
            return rng.choice(wanted or speeds)
        return self.lay(state, actions, rng)

    def first(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Choose the cart that goes first, at times one that will collide."""
        ways = previews(state)
        own = [f"{state.seat}{letter}" for letter in CARTS]
        ends = [way.split(" ")[2] for way in ways if way[:2] in own]
        if "COLLISION" in ends and len(actions) == len(ends) and rng.random() < self.bias.hits:
            return actions[ends.index("COLLISION")]
        return rng.choice(actions)

    def place_cart(self, state: State, carts: list[Action], rng: random.Random) -> Action:
        """Place a cart, at times against another, else where a track begins."""
        inner = {action: inner_square(state, action) for action in carts}
        rammed = [action for action in carts if state.cart_at(inner[action]) is not None]
        rammed += [action for action in carts if action.place in faced_by_own(state)]
        if rammed and rng.random() < self.bias.rams:
            return rng.choice(rammed)
        tracks = [action for action in carts if inner[action] in state.tracks]
        return rng.choice(tracks or carts) if rng.random() < 0.8 else rng.choice(carts)

    def lay(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Lay or upgrade a track, at times where an own cart needs it."""
        needed = dict(needs(state)) if rng.random() < self.bias.leads else {}
        laid = of_kind(actions, "PLACE_TRACK", "UPGRADE")
        useful = [each for each in laid if needed.get(place_of(each), "-") in each.exits]
        upgrades = of_kind(actions, "UPGRADE")
        if not useful and upgrades and rng.random() < self.bias.upgrades:
            return rng.choice(upgrades)
        return rng.choice(useful or laid or actions)

    def take(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Take a jewel or nothing."""
        if rng.random() >= self.bias.takes:
            return Action("TAKE_NOTHING")
        return rng.choice(of_kind(actions, "TAKE") or actions)

    def claim(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Claim a mission or none."""
        if rng.random() >= self.bias.claims:
            return Action("CLAIM_NONE")
        return rng.choice(of_kind(actions, "CLAIM") or actions)

    def token(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Lay a token, at times onto a cart, jewels or track."""
        if rng.random() >= self.bias.buries:
            return rng.choice(actions)
        carts = [action for action in actions if state.cart_at(place_of(action)) is not None]
        lying = [action for action in actions if place_of(action) in state.deposits]
        return rng.choice(carts or lying or actions)

    def stray(self, rng: random.Random) -> str:
        """Give any action text, at times no action at all."""
        return rng.choice(GARBAGE) if rng.random() < 0.2 else stray_text(rng)


class Miner(Player):
    """Places carts at once, and keeps those that it has on the tracks."""

    def act(self, state: State, actions: list[Action], rng: random.Random) -> Action:
        """Lead a cart on as long as it would leave the tracks."""
        carts = of_kind(actions, "PLACE_CART")
        if carts and rng.random() < self.bias.carts:
            return self.place_cart(state, carts, rng)
        if not any(needs(state)) and rng.random() < 0.7:
            return super().act(state, actions, rng)
        return self.lay(state, actions, rng)


def of_kind(actions: list[Action], *kinds: str) -> list[Action]:
    """List the actions of some kinds."""
    return [action for action in actions if action.kind in kinds]


def place_of(action: Action) -> Place:
    """Give the square that an action names."""
    assert action.place is not None
    return action.place


def inner_square(state: State, action: Action) -> Place:
    """Give the square that a Surface square leads to."""
    place = place_of(action)
    return place.to(OPPOSITE[sides(state.options.board)[place]])


def faced_by_own(state: State) -> list[Place]:
    """List the squares that own carts face."""
    carts = [cart for cart in state.own.carts if cart.place is not None]
    return [cart.place.to(cart.facing) for cart in carts if cart.place and cart.facing]


def needs(state: State) -> Iterator[tuple[Place, str]]:
    """Give the squares where own carts would leave the tracks, and the exit that is missing."""
    for cart in state.own.carts:
        if cart.place is not None:
            found = end_of_way(state, cart)
            if found is not None:
                yield found


def end_of_way(state: State, cart: Cart) -> tuple[Place, str] | None:
    """Follow the first exit of each square up to where the tracks end."""
    place, facing = cart.place, cart.facing
    for _ in range(cart.speed):
        assert place is not None and facing is not None
        place = place.to(facing)
        if not is_underground(state, place):
            return None
        exits = RULES.exits(state, place)
        if OPPOSITE[facing] not in exits:
            return place, OPPOSITE[facing]
        facing = exits.replace(OPPOSITE[facing], "")[0]
    return None


def stray_text(rng: random.Random) -> str:
    """Write a well-formed decision, for any board."""
    board = rng.choice(("COMPACT", "AISLE"))
    square = rng.choice(list(places(board).values()))
    text = place_text(board, square)
    kind, other = sorted((rng.choice(KINDS), rng.choice(KINDS)))
    exit, cart, hand = rng.choice("NESW"), rng.choice("wb"), rng.choice("LR")
    tracks = f"{text}{rng.choice(SIMPLE)}", f"{text}+{rng.choice(LARGER)}", text, f"!{text}"
    carts = f"{cart}{rng.choice('+-')}", cart, f"^{exit}", f"~{exit}", "."
    jewels = f"*{LETTERS[kind]}", "*", f"-{LETTERS[kind]}", f"={LETTERS[kind]}", hand
    rest = f"={LETTERS[kind]}{LETTERS[other]}", f"#{rng.randint(1, 11)}", "#"
    return rng.choice((*tracks, *tracks, *carts, *jewels, *rest))
