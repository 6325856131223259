"""A person who has a keyboard and nothing else: what they press, and where they are after it."""

from __future__ import annotations

import re

from playwright.sync_api import Page

#: What has the focus: its name, whether that can be seen (by a ring of its own, or of what it stands in), and whether
#: it is nowhere.
_HERE = """
() => {
  const at = document.activeElement ?? document.body;
  const rings = (node) => {
    const look = getComputedStyle(node);
    return look.outlineStyle !== "none" && parseFloat(look.outlineWidth) > 0;
  };
  const isAround = at.parentElement?.closest(":has(:focus-visible)");
  const by = at.getAttribute("aria-labelledby");
  const named = by?.split(" ").map((id) => document.getElementById(id)?.textContent).join(" ");
  const label = at.labels?.[0]?.textContent;
  return {
    name: (at.ariaLabel ?? named ?? label ?? at.innerText ?? at.textContent ?? "").replace(/\\s+/g, " ").trim(),
    tag: at.tagName.toLowerCase(),
    isNowhere: at === document.body,
    isSeen: rings(at) || Boolean(isAround && rings(isAround)),
  };
}
"""
#: More stops than any page has on the way.
MOST = 120


class Keys:
    """`page`: what they look at now."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def here(self) -> dict[str, str | bool]:
        """Where they are; they see it, and are never nowhere."""
        here = self.page.evaluate(_HERE)
        assert not here["isNowhere"], f"the focus is lost: {here}"
        assert here["isSeen"], f"nobody sees that the focus is on {here['tag']} {here['name']!r}"
        return dict(here)

    def is_at(self, name: str) -> bool:
        return bool(re.search(name, str(self.here()["name"])))

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def to(self, name: str, *, key: str = "Tab", tag: str = "") -> None:
        """On to what is called so (a pattern), unless they are there; every stop of the way is in sight."""
        passed = []
        here = self.page.evaluate(_HERE)
        for _ in range(MOST):
            if re.search(name, str(here["name"])) and tag in ("", here["tag"]):
                return
            self.press(key)
            here = self.here()
            passed.append(f"{here['tag']} {here['name']}")
        raise AssertionError(f"{name!r} is not come to by {key}: {passed}")

    def waits_until_found(self) -> None:
        """What had the focus is gone: they are somewhere else, and see where."""
        self.page.wait_for_function("() => document.activeElement !== document.body")
        self.here()
