"""Somebody who looks at the page in Chromium."""

import re
import shutil
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize

from tools.node import INSTALLED
from tools.sources import ROOT

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PICTURES = ROOT / "target" / "screenshots"
DESK = ViewportSize(width=1280, height=860)
PHONE = ViewportSize(width=390, height=844)
_AXE = INSTALLED.parent / "axe-core" / "axe.min.js"
# What a browser itself says when the service is gone, which is no fault of the page.
_GONE = re.compile(r"net::ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|INCOMPLETE)")


def program() -> str:
    """Debian's Chromium."""
    found = shutil.which("chromium")
    assert found, "this needs Chromium; on Debian: apt-get install chromium"
    return found


class Visitor:
    """One who has a browser of their own: nothing is kept from others."""

    def __init__(
        self,
        browser: Browser,
        address: str,
        *,
        size: ViewportSize = DESK,
        scheme: str = "light",
    ) -> None:
        self._browser = browser
        self._address = address
        self._size, self._scheme = size, scheme
        self.complaints: list[str] = []

    async def __aenter__(self) -> Self:
        scheme = cast(Any, self._scheme)
        self._context: BrowserContext = await self._browser.new_context(
            base_url=self._address,
            viewport=self._size,
            color_scheme=scheme,
            reduced_motion="reduce",
        )
        self.page: Page = await self._context.new_page()
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda error: self.complaints.append(f"{error}\n{error.stack}"))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._context.close()

    def _hear(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not _GONE.search(message.text):
            self.complaints.append(f"{message.type}: {message.text}")

    async def create(self, game: str, options: dict[str, str], bot: str = "greedy") -> str:
        """Create a match against a bot by the form, and return its id."""
        await self.page.goto(f"/new/{game}")
        await self.page.get_by_label("Your name").fill("Ada")
        await self.page.get_by_label(re.compile("^Opponent")).select_option(bot)
        await self.page.get_by_text("Options of the game").click()
        for label, value in options.items():
            await self.page.get_by_label(label, exact=True).fill(value)
        await self.page.get_by_role("button", name="Create match").click()
        await self.page.wait_for_url("**/match/*")
        await self.page.locator("[data-version]").wait_for()
        return self.page.url.rpartition("/")[2]

    async def play_to_the_end(self, seconds: float) -> None:
        """Click listed actions, as fast as they come, until the match is over."""
        await self.page.evaluate(_PLAYER)
        await self.result.wait_for(timeout=seconds * 1000)

    async def play(self, actions: int) -> None:
        """Click so many listed actions, each when the turn has come back."""
        for _ in range(actions):
            await self.play_once()
            await self.page.wait_for_function(_MAY_ACT)

    async def play_once(self) -> None:
        """Click a listed action when there are some."""
        await self.page.wait_for_function(_MAY_ACT)
        before = await self.version()
        await self.page.evaluate(_ACT)
        await self.page.wait_for_function(_IS_PAST, arg=before)

    @property
    def result(self) -> Any:
        """The line that says how the match has ended."""
        return self.page.locator("p.result")

    async def version(self) -> int:
        """The version that is on the screen."""
        shown = await self.page.locator("[data-version]").get_attribute("data-version")
        return int(shown or 0)

    async def scrub(self, version: int) -> None:
        """Pull the scrubber to a version."""
        await self.page.evaluate(_SCRUB, version)

    async def violations(self) -> list[str]:
        """What axe finds fault with."""
        await self.page.evaluate(_AXE.read_text())
        found = await self.page.evaluate("() => axe.run()")
        return [
            f"{each['id']}: {node['html'][:200]}"
            for each in found["violations"]
            for node in each["nodes"]
        ]

    async def picture(self, name: str) -> None:
        """Keep what is on the screen, for people to look at."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        await self.page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)


_ACT = "() => { const all = document.querySelectorAll('li button.mono');"
_ACT += " all[Math.floor(all.length / 2)].click(); }"
_MAY_ACT = "() => document.querySelector('li button.mono, p.result')"
_IS_PAST = "(before) => Number(document.querySelector('[data-version]').dataset.version) > before"
# The choice depends on the position alone, so that a match is the same whenever it is played.
_PLAYER = """() => {
  setInterval(() => {
    const all = document.querySelectorAll('li button.mono');
    const at = Number(document.querySelector('[data-version]').dataset.version);
    if (all.length > 0) all[(at * 7) % all.length].click();
  }, 10);
}"""
_SCRUB = """(version) => {
  const range = document.querySelector('fieldset input[type=range]');
  range.value = version;
  range.dispatchEvent(new Event('input', { bubbles: true }));
}"""
