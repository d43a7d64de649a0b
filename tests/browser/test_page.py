"""What the page survives, and what it is for everybody."""

import re

import pytest
from playwright.async_api import Browser, expect

from support.chromium import PHONE, Visitor
from support.page_server import PageServer


async def test_a_reload_and_a_restart_in_mid_match_lose_nothing(
    visitor: Visitor, server: PageServer
) -> None:
    await visitor.create("offboard", {"Points to win": "1"})
    await visitor.play(2)
    before = await visitor.version()
    await visitor.page.reload()
    await expect(visitor.page.locator(f"[data-version='{before}']")).to_be_visible()

    server.kill()
    away = visitor.page.get_by_text("The service cannot be reached")
    await expect(away).to_be_visible()
    server.start()
    await expect(away).to_be_hidden()
    await visitor.play_to_the_end(seconds=60)
    rows = visitor.page.locator("output")
    last = await visitor.version()
    await expect(rows).to_have_text(f"{last} / {last}")


async def test_two_people_find_each_other_and_play(
    visitor: Visitor, server: PageServer, chromium: Browser
) -> None:
    await visitor.page.goto("/new/offboard")
    await visitor.page.get_by_label("Your name").fill("Ada")
    await visitor.page.get_by_label(re.compile("^Opponent")).select_option("person")
    await visitor.page.get_by_role("button", name="Create match").click()
    await expect(visitor.page.get_by_role("heading", name="Waiting for players")).to_be_visible()
    assert await visitor.violations() == []

    async with Visitor(chromium, server.address, size=PHONE, scheme="dark") as other:
        await other.page.goto("/")
        await other.page.get_by_role("link", name=re.compile("open seat")).first.click()
        await other.page.get_by_label("Your name").fill("Grace")
        await other.picture("waiting-phone-dark")
        assert await other.violations() == []
        await other.page.get_by_role("button", name="Sit here").click()
        await expect(visitor.page.get_by_text("Grace").first).to_be_visible()
        await visitor.play_once()
        await other.play_once()
        await visitor.page.get_by_role("button", name="Offer a draw").click()
        await other.page.get_by_role("button", name="Accept").click()
        await expect(visitor.result).to_have_text(re.compile("draw"))
        assert other.complaints == []


async def test_a_position_is_searched_and_every_call_is_shown(visitor: Visitor) -> None:
    await visitor.create("offboard", {})
    await visitor.page.get_by_role("button", name="Search this position").click()
    chart = visitor.page.get_by_role("img", name=re.compile("The best actions"))
    await expect(chart).to_be_visible()
    await expect(visitor.page.get_by_role("button", name="Search this position")).to_be_visible()
    await visitor.page.get_by_role("button", name="API calls").click()
    panel = visitor.page.get_by_role("complementary", name="API calls")
    await panel.get_by_text("JoinMatch").click()
    await expect(panel.locator("pre")).to_contain_text("curl --silent")
    await expect(panel.locator("pre")).to_contain_text("$SEAT_TOKEN")
    for language, line in (("Python", "client.join("), ("TypeScript", "await client.join(")):
        await panel.get_by_role("button", name=language).click()
        await expect(panel.locator("pre")).to_contain_text(line)
    assert await visitor.violations() == []
    await visitor.picture("calls-desk-light")


async def test_no_page_has_a_fault_that_axe_finds(server: PageServer, chromium: Browser) -> None:
    pages = {
        "lobby": "/",
        "new": "/new/off_the_rails",
        "unknown": "/nowhere",
        "lost": "/match/" + "0" * 32,
    }
    for scheme in ("light", "dark"):
        async with Visitor(chromium, server.address, size=PHONE, scheme=scheme) as visitor:
            for name, path in pages.items():
                await visitor.page.goto(path)
                await visitor.page.get_by_role("heading", level=1).wait_for()
                await visitor.picture(f"{name}-phone-{scheme}")
                assert await visitor.violations() == [], path


@pytest.mark.parametrize("game", ["eternitium", "off_the_rails", "offboard", "offtrack"])
async def test_how_a_game_is_played_is_told_in_a_dialog(game: str, visitor: Visitor) -> None:
    await visitor.page.goto(f"/new/{game}")
    opener = visitor.page.get_by_role("button", name="How to play")
    await opener.click()
    dialog = visitor.page.get_by_role("dialog", name=re.compile("^How to play "))
    await expect(dialog.get_by_role("heading", name="A turn")).to_be_visible()
    await expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    assert await visitor.violations() == []
    await visitor.picture(f"{game}-how-desk-light")
    await visitor.page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await expect(opener).to_be_focused()


async def test_what_is_chosen_of_light_and_dark_stays(visitor: Visitor) -> None:
    await visitor.page.goto("/")
    html = visitor.page.locator("html")
    for theme in ("light", "dark"):
        await visitor.page.get_by_role("button", name=re.compile("Colours")).click()
        await expect(html).to_have_attribute("data-theme", theme)
    await visitor.page.reload()
    await expect(html).to_have_attribute("data-theme", "dark")
