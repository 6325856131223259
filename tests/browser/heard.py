"""What a page says to those who listen: the words of its live regions in their order, as a screen reader takes them."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

#: Keeps in `window.heard` what is announced from now on; what is to interrupt begins with "!".
#: A status or an alert is told whole (they are atomic), of any other region only what is new; what comes into sight is
#: told as if it were new; what is hidden, or is drawn for the eyes only, is told to nobody.
LISTEN = """
(() => {
  window.heard = [];
  const LIVE = "[aria-live]:not([aria-live=off]), [role=status], [role=alert], [role=log]";
  const isKept = (node) => node.getAttribute("aria-hidden") === "true" || !node.checkVisibility();
  const words = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || isKept(node)) return "";
    if (node.ariaLabel) return ` ${node.ariaLabel} `;
    const inner = [...node.childNodes].map(words).join("");
    return getComputedStyle(node).display.startsWith("inline") ? inner : ` ${inner} `;
  };
  const isWhole = (region) => (region.ariaAtomic ?? String(["status", "alert"].includes(region.role))) === "true";
  const hear = (region, text) => {
    const said = text.replace(/\\s+/g, " ").replace(/ (?=[.,;:!?)](?: |[.]|$))/g, "").replaceAll("( ", "(").trim();
    const isUrgent = region.role === "alert" || region.ariaLive === "assertive";
    if (said) window.heard.push(isUrgent ? `! ${said}` : said);
  };
  const take = (records) => {
    const told = new Set();
    for (const { type, target, addedNodes, oldValue } of records) {
      const at = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
      const isShown = type === "attributes" && oldValue !== null && !target.hidden;
      if (type === "attributes" && !isShown) continue;
      const added = type === "childList" ? [...addedNodes].filter((node) => node.isConnected) : [at];
      const region = at?.closest(LIVE);
      if (region && (isKept(region) || region.closest("[aria-hidden=true]"))) continue;
      if (region && isWhole(region)) {
        if (added.length && !told.has(region)) hear(region, words(region));
        told.add(region);
      } else if (region) {
        for (const node of added) if (!told.has(node)) hear(region, words(node));
        for (const node of added) told.add(node);
      } else {
        for (const node of added) {
          const alerts = node.querySelectorAll ? [node, ...node.querySelectorAll("[role=alert]")] : [];
          for (const alert of alerts) if (alert.role === "alert") hear(alert, words(alert));
        }
      }
    }
  };
  const listen = () => new MutationObserver(take).observe(document.documentElement, {
    subtree: true, childList: true, characterData: true, attributeFilter: ["hidden"], attributeOldValue: true,
  });
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", listen);
  else listen();
})();
"""


def heard(page: Page) -> list[str]:
    """What was announced since `LISTEN`, or since it was asked last."""
    return list(page.evaluate("window.heard.splice(0)"))


def kept(name: str) -> str:
    """A text that is kept beside the tests."""
    return (Path(__file__).parent / name).read_text()
