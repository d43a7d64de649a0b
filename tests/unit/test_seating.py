"""Seats that are drawn when a match starts."""

from dataclasses import replace

import pytest

from support.domain import Table, make_terms
from support.service import token
from tablestate import verifier
from tablestate_service import matchfile
from tablestate_service.domain import decide, fairness
from tablestate_service.domain.entry import Draft, Entry, MatchChange, seal
from tablestate_service.domain.errors import DomainError
from tablestate_service.domain.hashing import token_hash
from tablestate_service.domain.match import fold
from tablestate_service.domain.seats import Occupant, Seat, seat_of, seating
from tablestate_service.domain.standing import MatchPhase
from tablestate_service.domain.terms import Seating
from tablestate_service.matchfile import MatchFileError
from tablestate_service.usecases.verifying import FlawError, Verifier


def full(seats: int = 4, entropy: bytes = b"") -> Table:
    table = Table(make_terms(seats, seating=Seating.RANDOM))
    for holder in range(seats):
        table.join(None, holder, entropy=entropy if holder == 0 else b"")
    return table


def entries(table: Table) -> list[Entry]:
    return [each.entry for each in table.course]


def drawn(table: Table) -> tuple[int, ...]:
    return next(e.draft.draws for e in entries(table) if e.draft.change is MatchChange.SEATED)


def test_players_go_to_the_seats_that_are_drawn_and_their_tokens_with_them() -> None:
    table = full()
    changes = [each.draft.change for each in entries(table)]
    assert changes[-2:] == [MatchChange.SEATED, MatchChange.STARTED]
    sizes = fairness.seating_sizes(4)
    seed = table.match.seed()
    assert list(drawn(table)) == verifier.draw(seed, 0, sizes, verifier.SEATING_DOMAIN)
    origins = seating(table.match.standing.seats, drawn(table))
    assert sorted(origins) == [0, 1, 2, 3]
    for holder in range(4):
        seat = seat_of(table.match.standing.seats, token_hash(token(holder)))
        assert seat is not None and origins[seat] == holder
    assert fold(table.engine, entries(table)).standing == table.match.standing


def test_every_order_comes_from_the_draws() -> None:
    seats = [Seat(Occupant.PLAYER)] * 3
    orders = {tuple(seating(seats, (one, two))) for one in range(3) for two in range(2)}
    assert len(orders) == 6


def test_seats_that_are_out_stay_where_they_are() -> None:
    seats = [Seat(Occupant.PLAYER), Seat(Occupant.FORFEITED), Seat(Occupant.BOT)]
    assert seating(seats, (1,)) == [2, 1, 0]
    for wrong in ((), (2,), (-1,), (0, 0)):
        with pytest.raises(ValueError, match="no draws"):
            seating(seats, wrong)


def test_entropy_counts_on_the_seat_that_was_joined() -> None:
    table = Table(make_terms(3, seating=Seating.RANDOM))
    for holder in range(3):
        table.join(None, holder, entropy=bytes([holder]) * 32)
    for holder in range(3):
        table.do(
            decide.reveal(
                table.match,
                table.engine,
                replace(table.course[-1].entry.stamp, store_time=1),
                token_hash=token_hash(token(holder)),
                entropy=bytes([holder]) * 32,
            )
        )
    terms = table.match.terms
    assert table.match.standing.phase is MatchPhase.RUNNING
    expected = [bytes([holder]) * 32 for holder in range(3)]
    assert table.match.seed() == verifier.derive_seed(terms.match_id, terms.secret, expected)
    check(table)


def test_nobody_names_a_seat() -> None:
    table = Table(make_terms(2, seating=Seating.RANDOM))
    with pytest.raises(DomainError, match="seat"):
        table.join(1)
    assert table.match.standing.version == 1


def check(table: Table) -> None:
    """Hold the log against both verifiers."""
    checking = Verifier(table.engine)
    for entry in entries(table):
        checking.check(entry)
    # The fake game draws as no game does: the plain verifier reads as far as the seats.
    log = entries(table)[:-1]
    assert log[-1].draft.change is MatchChange.SEATED
    verifier.verify_file(b"".join(matchfile.write(matchfile.record(table.engine, log)[0])))


def forged(table: Table, **changed: object) -> list[Entry]:
    """The log with another entry SEATED, and hashes that fit."""
    written: list[Entry] = []
    for entry in entries(table):
        draft = entry.draft
        if draft.change is MatchChange.SEATED:
            if not changed:
                continue
            draft = replace(draft, **changed)  # type: ignore[arg-type]
        head = written[-1].hash if written else bytes(32)
        written.append(seal(entry.match_id, len(written) + 1, head, draft, entry.stamp))
    return written


def test_both_verifiers_draw_the_seats_again() -> None:
    table = full()
    check(table)
    first, *others = drawn(table)
    for log in (forged(table), forged(table, draws=((first + 1) % 4, *others))):
        checking = Verifier(table.engine)
        with pytest.raises(FlawError, match="entry 6"):
            for entry in log:
                checking.check(entry)
        with pytest.raises(MatchFileError):
            matchfile.record(table.engine, log)
        sizes = [(4, 3, 2) if e.draft.change is MatchChange.SEATED else () for e in log]
        content = b"".join(matchfile.write(matchfile.MatchFile(log, sizes)))
        with pytest.raises(verifier.VerificationError, match="entry 6"):
            verifier.verify_file(content)


def test_seats_are_drawn_where_that_was_agreed_alone() -> None:
    table = Table(make_terms(2))
    table.join(0)
    head = table.course[-1].entry
    draft = Draft(MatchChange.SEATED, draws=(0,))
    stray = seal(head.match_id, 3, head.hash, draft, head.stamp)
    checking = Verifier(table.engine)
    with pytest.raises(FlawError, match="entry 3"):
        for entry in [*entries(table), stray]:
            checking.check(entry)
