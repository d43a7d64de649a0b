"""Every game, in the hands of somebody who has a browser and nothing else."""

import re

import pytest
from playwright.async_api import Browser, ViewportSize, expect

from support.chromium import PHONE, Visitor
from support.page_server import PageServer

SMALL_DESK = ViewportSize(width=1280, height=800)
# Games that are soon over.
SHORT = {
    "eternitium": {"Eras per seat": "3", "Most rounds": "8"},
    "off_the_rails": {"Deposit cards": "13"},
    "offboard": {"Points to win": "1"},
    "offtrack": {"Rounds": "1"},
}
# What happened is told in whole: no line is cut, and none lies on the next.
_LINES_LIE_APART = """() => {
  const lines = [...document.querySelectorAll('[data-entry]')].map((each) => [
    each.getBoundingClientRect(), each.querySelector('.words')
  ]);
  return lines.length > 0 && lines.every(([box, words], at) =>
    words.scrollWidth <= words.clientWidth && words.offsetHeight <= box.height &&
    (at === 0 || lines[at - 1][0].bottom <= box.top + 1));
}"""


@pytest.mark.parametrize("game", SHORT)
async def test_a_match_is_created_played_watched_and_replayed(
    game: str, visitor: Visitor, server: PageServer, chromium: Browser
) -> None:
    match = await visitor.create(game, SHORT[game])
    await visitor.picture(f"{game}-desk-light")
    assert await visitor.violations() == []

    looks = Visitor(chromium, server.address, size=PHONE, scheme="dark")
    async with looks as spectator:
        await spectator.page.goto(f"/match/{match}")
        await visitor.play(1)
        await visitor.play_to_the_end(seconds=60)
        await expect(spectator.result).to_be_visible()
        await spectator.picture(f"{game}-phone-dark-end")
        assert await spectator.result.text_content() == await visitor.result.text_content()
        assert await spectator.version() == await visitor.version()
        assert await spectator.violations() == []
        assert spectator.complaints == []

    await visitor.picture(f"{game}-desk-light-end")
    await scrubs_through(visitor, match)


async def scrubs_through(visitor: Visitor, match: str) -> None:
    """Every version is shown when the scrubber is there, and has an address."""
    last = await visitor.version()
    for version in (1, last // 2, last - 1, 5):
        await visitor.scrub(version)
        await expect(visitor.page.locator(f"[data-version='{version}']")).to_be_visible()
        await expect(visitor.page.locator("[data-entry] [aria-current]")).to_be_in_viewport()
        await visitor.page.wait_for_function(_LINES_LIE_APART)
    await visitor.page.wait_for_url(re.compile(rf"/match/{match}/at/5$"))
    await visitor.page.reload()
    await expect(visitor.page.locator("[data-version='5']")).to_be_visible()
    await expect(visitor.page.locator("output")).to_have_text(f"5 / {last}")


async def test_board_and_prompt_are_seen_together_on_a_small_desk(
    server: PageServer, chromium: Browser
) -> None:
    async with Visitor(chromium, server.address, size=SMALL_DESK) as visitor:
        for game in SHORT:
            await visitor.create(game, {})
            await visitor.page.locator(".board .bar").wait_for()
            seen = await visitor.page.evaluate(_SEEN_TOGETHER)
            assert seen, f"{game}: the board's end is below the window or under the prompt"


# The lowest of the table is in the window, and nothing of the table is under the prompt.
_SEEN_TOGETHER = """() => {
  const box = (name) => document.querySelector(`.board ${name}`).getBoundingClientRect();
  const [table, bar] = [box(".main"), box(".bar")];
  const isApart = bar.left >= table.right || bar.top >= table.bottom;
  return isApart && Math.max(table.bottom, bar.bottom) <= innerHeight;
}"""


async def test_a_marble_is_moved_on_the_board(visitor: Visitor) -> None:
    await visitor.create("offboard", {})
    before = await visitor.version()
    notation = await visitor.page.locator("li button.mono").first.text_content() or ""
    await visitor.page.get_by_role("gridcell", name=re.compile(f"^{notation[:2]},")).click()
    goals = "[role=gridcell][aria-disabled=false][aria-selected=false]"
    await visitor.page.locator(goals).first.click()
    await expect(visitor.page.locator(f"[data-version='{before + 2}']")).to_be_visible()
    moved = visitor.page.get_by_role("region", name="What happened")
    await expect(moved.get_by_text(re.compile(f"Ada plays {notation[:2]}"))).to_be_visible()
