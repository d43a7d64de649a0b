"""Seats that are drawn, and keys that a reload in the middle of a call does not lose."""

import asyncio
import re

from playwright.async_api import Browser, Page, Route, expect

from support.chromium import Visitor
from support.page_server import PageServer
from tablestate import Client


async def test_two_people_sit_where_the_seats_are_drawn(
    visitor: Visitor, server: PageServer, chromium: Browser
) -> None:
    with Client(server.grpc) as client:
        address = f"/match/{client.create_match('offboard', seating='RANDOM').match_id}"
    async with Visitor(chromium, server.address) as other:
        for each, name in ((visitor, "Ada"), (other, "Grace")):
            await each.page.goto(address)
            await each.page.get_by_label("Your name").fill(name)
            await each.page.get_by_role("button", name="Take a seat").click()
            await expect(each.page.get_by_label("Whose eyes")).to_be_visible()
        for each, name in ((visitor, "Ada"), (other, "Grace")):
            await each.page.locator("[data-version]").wait_for()
            eyes = each.page.get_by_label("Whose eyes").locator("option:checked")
            await expect(eyes).to_have_text(f"As {name}")
        for each, name in ((visitor, "Ada"), (other, "Grace")):
            await each.page.reload()
            eyes = each.page.get_by_label("Whose eyes").locator("option:checked")
            await expect(eyes).to_have_text(f"As {name}")
        assert other.complaints == []


async def test_a_reload_while_joining_and_creating_loses_no_key(visitor: Visitor) -> None:
    page = visitor.page
    await page.goto("/new/offboard")
    await page.get_by_label(re.compile("^Opponent")).select_option("person")
    await _reload_in(page, "CreateMatch", "Create match")
    await page.wait_for_url("**/match/*")
    await expect(page.get_by_role("button", name="Abort the match")).to_be_visible()
    await _reload_in(page, "JoinMatch", "Sit here")
    await page.locator("[data-version]").wait_for()
    await expect(page.get_by_label("Whose eyes").locator("option")).to_have_count(3)


async def _reload_in(page: Page, method: str, button: str) -> None:
    """Press a button, and load the page anew before the answer to its call, which was made."""
    carried_out = asyncio.Event()

    async def hold_back(route: Route) -> None:
        await route.fetch()
        carried_out.set()

    await page.route(f"**/{method}", hold_back)
    await page.get_by_role("button", name=button).click()
    await asyncio.wait_for(carried_out.wait(), timeout=10)
    await page.unroute(f"**/{method}")
    await page.reload()
