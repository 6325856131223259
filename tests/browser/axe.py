"""What axe-core finds wrong with a page for those who do not see it, or see it badly.

Every rule that axe runs by itself is run, those of good practice too. It fetches no styles (`preload`): only an
experimental rule reads them, which is not run.
"""

from __future__ import annotations

from collections.abc import Iterator

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

#: A part that is opened by itself, without a page around it, is none.
_FIND = """
async () => {
  if (!document.doctype) return [];
  await new Promise(requestAnimationFrame);
  const { violations } = await axe.run(document, { resultTypes: ["violations"], preload: false });
  return violations.flatMap(({ id, help, nodes }) => nodes.slice(0, 3).map(({ target, any, all, none, html }) => {
    const why = [...any, ...all, ...none].map(({ message }) => message).join("; ");
    return `${id} (${help}): ${target.join(" ")}: ${why} ${html.slice(0, 160)}`;
  }));
}
"""
#: From here on a page changes its colours at once.
_STILL = """
() => {
  const still = new CSSStyleSheet();
  still.replaceSync("*, *::before, *::after { transition: none !important; animation: none !important; }");
  document.adoptedStyleSheets.push(still);
}
"""
SCHEMES = ("light", "dark")


def findings(page: Page, schemes: tuple[str, ...] = SCHEMES) -> Iterator[str]:
    """What is wrong with `page` as it is now, in these colours."""
    page.evaluate(_STILL)
    page.evaluate(AXE_SCRIPT)
    for scheme in schemes:
        page.emulate_media(color_scheme=scheme)
        yield from (f"{scheme}: {finding}" for finding in page.evaluate(_FIND))
