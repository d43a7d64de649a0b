"""The page in Chromium: what it loads, how soon it shows an action, how smoothly it scrubs."""

import asyncio
import random
import re
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from statistics import quantiles

from playwright.async_api import Page, Response, async_playwright

import tablestate
from bench.figures import Figure, at_most
from bench.native import MissingToolError
from bench.servers import Server, service
from bench.settings import Settings
from tablestate.v1.match_pb2 import MatchUpdate

CASES = ("page-load", "page-update", "page-scrub")
GAMES = ("eternitium", "off_the_rails", "offboard", "offtrack")
FRAMES = 1000
_FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
_PAUSE_SECONDS = 0.1
_CALL = re.compile(r"/tablestate\.v1\.")


def measure(names: tuple[str, ...], settings: Settings) -> list[Figure]:
    """Measure the cases of these names; raises MissingToolError without Chromium."""
    wanted = [name for name in CASES if name in names]
    if not wanted:
        return []
    with (
        tempfile.TemporaryDirectory(dir=settings.directory) as directory,
        service(Path(directory), has_gateway=True) as server,
    ):
        return asyncio.run(_measure(wanted, server, settings))


async def _measure(wanted: list[str], server: Server, settings: Settings) -> list[Figure]:
    figures = []
    async with tablestate.AsyncClient(server.address) as client:
        if "page-load" in wanted:
            figures += await _load(client, server)
        if "page-update" in wanted:
            settings.tell("the page: updates")
            figures.append(await _update(client, server, max(10, int(settings.seconds * 40))))
        if "page-scrub" in wanted:
            settings.tell("the page: a long replay")
            figures.append(await _scrub(client, server))
    return figures


@asynccontextmanager
async def _browser(server: Server) -> AsyncIterator[Page]:
    """A page in a browser that has loaded nothing yet."""
    if (program := shutil.which("chromium")) is None:
        raise MissingToolError("Chromium is needed; on Debian: apt-get install chromium")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=_FLAGS)
        context = await browser.new_context(base_url=f"http://127.0.0.1:{server.gateway_port}")
        yield await context.new_page()
        await browser.close()


async def _load(client: tablestate.AsyncClient, server: Server) -> list[Figure]:
    """Bytes of bodies as they were sent, of the list and of the heaviest page of a match."""
    first = await _bytes_of(server, "/", "main li a")
    by_game = {}
    for game in GAMES:
        match = await _bots(client, game)
        by_game[game] = await _bytes_of(server, f"/match/{match.match_id}", "[data-version] .board")
    each = ", ".join(f"{game} {size / 1000:.0f}" for game, size in by_game.items())
    return [
        Figure("first load of the list: kB", [first / 1000], at_most(100), f"{first} bytes"),
        Figure("first load of a match: kB", [max(by_game.values()) / 1000], None, each),
    ]


async def _bytes_of(server: Server, path: str, shown: str) -> int:
    """What comes before a page shows what it is for; answers to calls do not count."""
    responses: list[Response] = []
    async with _browser(server) as page:
        page.on("response", lambda response: responses.append(response))
        await page.goto(path)
        await page.locator(shown).first.wait_for()
        sent = [each for each in responses if not _CALL.search(each.url)]
        sizes = [await each.request.sizes() for each in sent]
    return sum(size["responseBodySize"] for size in sizes)


async def _update(client: tablestate.AsyncClient, server: Server, count: int) -> Figure:
    """From an entry's time, which is before its commit, until the frame with it is drawn."""
    match = await client.create_match("offboard", {"points_to_win": 12, "quiet_limit": 1000})
    players = [await match.join(), await match.join()]
    times: dict[int, float] = {}
    async with _browser(server) as page:
        await page.goto(f"/match/{match.match_id}")
        await page.locator("[data-version]").wait_for()
        await page.evaluate(_RECORD)
        async for update in _played(players, count):
            times[update.version] = update.time.ToNanoseconds() / 1e6
            await asyncio.sleep(_PAUSE_SECONDS)
        await page.wait_for_function("(last) => window.drawn[last]", arg=str(max(times)))
        drawn: dict[str, float] = await page.evaluate("() => window.drawn")
    delays = [drawn[str(version)] - time for version, time in times.items()]
    p95 = quantiles(delays, n=20)[-1]
    middle = quantiles(delays, n=2)[0]
    return Figure(
        "from an entry's time to its frame on the page: p95, ms",
        [p95],
        at_most(50),
        f"{count} actions, median {middle:.1f} ms, longest {max(delays):.1f} ms",
    )


async def _scrub(client: tablestate.AsyncClient, server: Server) -> Figure:
    """The longest frame while the scrubber jumps through a replay, once in each frame."""
    match = await _bots(client, "offtrack", {"rounds": 9, "seats": 4})
    *_, last = [update.version async for update in match.watch()]
    async with _browser(server) as page:
        await page.goto(f"/match/{match.match_id}")
        await page.wait_for_function(_IS_LOADED, arg=last)
        await page.evaluate(_SCRUB, [last, 100])
        frames: list[float] = await page.evaluate(_SCRUB, [last, FRAMES])
    return Figure(
        "longest frame while a long replay is scrubbed: ms",
        [max(frames)],
        at_most(50),
        f"{last} entries, {len(frames)} frames, median {quantiles(frames, n=2)[0]:.1f} ms, "
        f"99 of 100 up to {quantiles(frames, n=100)[-1]:.1f} ms",
    )


async def _bots(
    client: tablestate.AsyncClient, game: str, options: Mapping[str, int] | None = None
) -> tablestate.AsyncHostedMatch:
    """A match between bots."""
    match = await client.create_match(game, options)
    for _ in (await match.get()).seats:
        await match.add_bot("random")
    return match


async def _played(
    players: Sequence[tablestate.AsyncSeatedPlayer], count: int
) -> AsyncIterator[MatchUpdate]:
    """Uniform actions of whoever must decide, so many or until the match ends."""
    chooser, actor = random.Random(1), 0
    for _ in range(count):
        legal = await players[actor].legal_actions()
        update = await players[actor].submit(chooser.choice(legal.legal_actions.actions))
        yield update
        if not update.actors:
            return
        actor = update.actors[0]


# What comes behind a frame's callbacks begins when that frame has been laid out and painted.
_RECORD = """() => {
  window.drawn = {};
  const shown = document.querySelector('[data-version]');
  const { port1, port2 } = new MessageChannel();
  port2.onmessage = ({ data }) => {
    window.drawn[data] ??= performance.timeOrigin + performance.now();
  };
  new MutationObserver(() => {
    const version = shown.dataset.version;
    requestAnimationFrame(() => port1.postMessage(version));
  }).observe(shown, { attributes: true, attributeFilter: ['data-version'] });
}"""
_IS_LOADED = """(last) => {
  const list = document.querySelector('aside ol');
  return list && Math.round(list.clientHeight / 36) >= last;
}"""
_SCRUB = """async ([last, count]) => {
  const range = document.querySelector('fieldset input[type=range]');
  const frame = () => new Promise(requestAnimationFrame);
  const times = [];
  let before = await frame();
  for (let at = 0; at < count; at += 1) {
    range.value = 5 + (at * 389) % (last - 5);
    range.dispatchEvent(new Event('input', { bubbles: true }));
    const now = await frame();
    times.push(now - before);
    before = now;
  }
  return times;
}"""
