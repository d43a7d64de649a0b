"""The learning example learns, and its two kinds of batches are one."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from examples import selfplay
from tablestate_service.cli.embedded import embedded_service

EXAMPLE = Path(selfplay.__file__)


@pytest.fixture(scope="module")
def target() -> Iterator[str]:
    with embedded_service() as address:
        yield address


def test_the_example_runs_over_grpc_and_gets_stronger(target: str, tmp_path: Path) -> None:
    curve = tmp_path / "curve.svg"
    arguments = ["--target", target, "--updates", "60", "--evaluations", "1", "--plot", str(curve)]
    command = [sys.executable, "-W", "error", str(EXAMPLE), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr
    before, after = map(float, re.findall(r"([\d.]+)%", done.stdout))
    assert before <= 55
    assert after >= before + 5
    assert ElementTree.parse(curve).getroot().tag.endswith("svg")


def test_a_seed_plays_the_same_games_in_process_and_over_grpc(target: str) -> None:
    seen = []
    for place in (None, target):
        rng = np.random.default_rng(1)
        network = selfplay.Network(len(selfplay.SCALE), 8, 428, rng)
        with selfplay.opener(place) as open_batch:
            batch = open_batch("offboard", 64, seed=1, auto_reset=True)
            seen.append(selfplay.play(batch, network, 150, rng))
    for ours, theirs in zip(*seen, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert (seen[0].continuation == 0).any()


def loss(
    network: selfplay.Network, seen: selfplay.Experience, better: selfplay.Floats, entropy: float
) -> float:
    count = better.size
    inputs, legal = seen.inputs.reshape(count, -1), seen.legal.reshape(count, -1)
    _, policy, values = network(inputs, legal)
    chosen = policy[np.arange(count), seen.actions.ravel()]
    weight = ((better - better.mean()) / better.std()).ravel()
    variety = -np.sum(policy * np.log(policy + 1e-20), axis=1)
    wrong = values - (better + seen.values[:-1]).ravel()
    return float(np.mean(wrong**2 / 4 - weight * np.log(chosen) - entropy * variety))


def test_the_gradient_is_the_slope_of_the_loss() -> None:
    rng = np.random.default_rng(2)
    network = selfplay.Network(len(selfplay.SCALE), 8, 428, rng)
    with selfplay.opener(None) as open_batch:
        seen = selfplay.play(open_batch("offboard", 16, seed=2, auto_reset=True), network, 8, rng)
    better = rng.standard_normal(seen.rewards.shape).astype(np.float32)
    network.weights["value"] += np.float32(0.1)
    weights = {name: each.astype(np.float64) for name, each in network.weights.items()}
    network.weights = weights  # type: ignore[assignment]  # differences need the digits
    slopes = selfplay.gradient(network, seen, better, 0.2)
    for name, slope in slopes.items():
        steepest = np.unravel_index(np.abs(slope).argmax(), slope.shape)
        losses = []
        for change in (-1e-4, 2e-4):
            weights[name][steepest] += change
            losses.append(loss(network, seen, better, 0.2))
        weights[name][steepest] -= 1e-4
        assert slope[steepest] == pytest.approx((losses[1] - losses[0]) / 2e-4, rel=1e-3), name
