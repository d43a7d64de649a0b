"""Callers call at their pace: bursts, the hint, and many callers at once."""

import pytest

from tablestate_service.rpc import pace
from tablestate_service.rpc.pace import Pace, peer_name


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_two_seconds_worth_may_come_at_once_and_then_one_at_a_time() -> None:
    clock = Clock()
    paced = Pace(10, clock)
    assert [paced.wait_for("a") for _ in range(20)] == [0.0] * 20
    wait = paced.wait_for("a")
    assert wait == pytest.approx(0.1)
    assert paced.wait_for("a") == pytest.approx(0.1), "what is refused costs nothing"
    assert paced.wait_for("b") == 0.0
    clock.now += wait + 1e-9
    assert paced.wait_for("a") == 0.0 and paced.wait_for("a") > 0
    clock.now += 3600
    assert [paced.wait_for("a") for _ in range(20)] == [0.0] * 20
    assert paced.wait_for("a") > 0


@pytest.mark.parametrize("rate", [1, 7, 5000])
def test_over_time_the_rate_is_kept_and_reached(rate: int) -> None:
    clock = Clock()
    paced = Pace(rate, clock)
    made, steps = 0, 4 * rate * 10
    for _ in range(steps):
        clock.now += 10 / steps
        made += paced.wait_for("a") == 0.0
    assert 10 * rate <= made + 1 and made <= 12 * rate


def test_the_longest_unheard_of_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pace, "_REMEMBERED", 100)
    paced = Pace(1, Clock())
    for number in range(1000):
        for _ in range(3):
            paced.wait_for("busy")
        paced.wait_for(f"peer {number}")
    assert len(paced._paid_off) == 100
    assert paced.wait_for("busy") > 0


@pytest.mark.parametrize(
    ("peer", "name"),
    [
        ("ipv4:127.0.0.1:4711", "ipv4:127.0.0.1"),
        ("ipv6:%5B2001:db8:1:2:3:4:5:6%5D:4711", "2001:db8:1:2::/64"),
        ("ipv6:[2001:db8:1:2:9::1]:1", "2001:db8:1:2::/64"),
        ("ipv6:%5Bfe80::1%25eth0%5D:1", "fe80::/64"),
        ("ipv6:nonsense", "ipv6"),
        ("unix:/tmp/socket", "unix:"),
        ("", ":"),
    ],
)
def test_a_peer_is_a_machine_or_a_network(peer: str, name: str) -> None:
    assert peer_name(peer) == name
