// Sitting down, adding chips and the other small moves: forms of the page, sent by htmx, opened and filled in here.

import { gettext, number } from "../../cardroom/language.js";

/** What a browser keeps once its player was asked how loud the table may be. */
const ASKED = "sounds-asked";

/** Wire the dialogs of `page`; `table()` gives the table as last drawn. */
export function connectDialogs(page, table) {
  const sit = document.getElementById("sit-dialog");
  const topUp = document.getElementById("top-up-dialog");
  const sounds = connectSounds(sit?.querySelector("[data-ask-sounds]"));
  for (const dialog of [sit, topUp]) if (dialog) pair(dialog);

  document.addEventListener("click", (event) => {
    const seat = event.target.closest("[data-sit]");
    if (seat && sit) openSit(sit, table(), Number(seat.dataset.sit), page.dataset.buyInUrl);
    else if (seat) location.assign(page.dataset.loginUrl);
    const adds = event.target.closest("[data-top-up]");
    if (adds && topUp) {
      openTopUp(topUp, table(), page.dataset.buyInUrl);
    }
    const close = event.target.closest("[data-close]");
    if (close) close.closest("dialog").close();
  });
  // The server took the move: the dialog has done its work. What it changed comes over the socket.
  document.body.addEventListener("moved", () => {
    if (sit?.open) sounds.answered();
    for (const dialog of [sit, topUp]) dialog?.close();
  });

  // Who comes by "Quick seat" is asked for their buy-in at once.
  let isSent = location.hash === "#sit";
  return {
    draw: (view, you, { hasSitOut, isBroke, isAtStake }) => {
      drawControls(page, view, you, { hasSitOut, isBroke });
      askBeforeLeaving(page, isAtStake);
      const seat = isSent ? page.querySelector("[data-sit-any]:not([hidden])") : null;
      if (isSent) history.replaceState(null, "", location.pathname);
      isSent = false;
      seat?.click();
    },
  };
}

/** How loud the table may be is asked once in a browser: not again when it was answered, or left as it is. */
function connectSounds(asked) {
  if (!asked) return { answered() {} };
  asked.hidden = Boolean(localStorage.getItem(ASKED));
  document.addEventListener("change", ({ target }) => {
    if (target.name === "sounds" && !asked.contains(target)) asked.hidden = true;
  });
  return { answered: () => localStorage.setItem(ASKED, "yes") };
}

/** `hasSitOut`: sitting out is a choice of the hand being played, and taken back there. `isBroke`: the viewer has seen the
 * last of their chips go, and is asked what next. */
function drawControls(page, table, you, { hasSitOut, isBroke }) {
  const mine = table.seats.find(({ number }) => number === you.seat);
  const shown = {
    "sit-out": mine?.state === "playing",
    "come-back": mine?.state === "leaving" || (mine?.state === "sitting-out" && mine.stack > 0 && !hasSitOut),
    rebuy: isBroke && table.wallet >= table.minBuyIn,
    "to-cashier": isBroke && table.wallet < table.minBuyIn,
    "leave-broke": isBroke,
    "top-up": Boolean(mine) && mine.state !== "leaving" && mine.stack > 0 && mine.stack < table.maxBuyIn,
    leave: Boolean(mine) && mine.state !== "leaving",
    floor: Boolean(mine),
  };
  for (const control of page.querySelectorAll("[data-control]")) control.hidden = !shown[control.dataset.control];
  page.querySelector("[data-back-words]")?.replaceChildren(mine?.state === "leaving" ? gettext("Stay after all") : gettext("I’m back"));
  const free = table.seats.find(({ name }) => !name);
  for (const control of page.querySelectorAll("[data-sit-any]")) {
    control.hidden = Boolean(mine) || !free;
    if (free) control.dataset.sit = String(free.number);
  }
}

/** Who leaves in a hand that they may still win gives it up: that has to be meant. */
function askBeforeLeaving(page, isAtStake) {
  const words = isAtStake ? gettext("Leave now? Your hand will be folded and you lose what you have bet.") : null;
  for (const form of page.querySelectorAll("[data-control=leave]")) {
    if (words) form.setAttribute("hx-confirm", words);
    else form.removeAttribute("hx-confirm");
  }
}

/** A slider and a number field that say the same. */
function pair(dialog) {
  const slider = dialog.querySelector("input[type=range]");
  const field = dialog.querySelector("input[type=number]");
  slider.addEventListener("input", () => (field.value = slider.value));
  field.addEventListener("input", () => (slider.value = field.value));
}

function limits(dialog, least, most, value) {
  for (const input of dialog.querySelectorAll("input[type=range], input[type=number]")) {
    Object.assign(input, { min: least, max: most, value });
  }
  dialog.querySelector("[data-least]").textContent = number(least);
  dialog.querySelector("[data-most]").textContent = number(most);
}

/** What the server would take from this player; the table's own range where it cannot be asked. */
async function buyInOf(table, url) {
  try {
    const answer = await fetch(url, { headers: { Accept: "application/json" } });
    if (answer.ok) return await answer.json();
  } catch {
    // The server says what is wrong when the form is sent.
  }
  return { least: table.minBuyIn, most: table.maxBuyIn, rule: "", last: null };
}

async function openSit(dialog, table, seat, url) {
  const { least, most, rule } = await buyInOf(table, url);
  if (dialog.open) return;
  const isShort = table.wallet < least;
  limits(dialog, least, Math.max(least, Math.min(most, table.wallet)), Math.max(least, Math.min(most, table.wallet)));
  dialog.querySelector("[data-rule]").hidden = !rule;
  dialog.querySelector("[data-rule-chips]").textContent = number(least);
  dialog.querySelector("[data-rule-cite]").textContent = rule;
  dialog.querySelector("[data-short]").hidden = !isShort;
  dialog.querySelector(".buy-in").hidden = isShort;
  dialog.querySelector("[type=submit]").hidden = isShort;
  dialog.querySelector("[name=number]").value = String(seat);
  dialog.querySelector("[data-seat]").textContent = String(seat);
  dialog.querySelector("[data-wallet]").textContent = number(table.wallet);
  freshKey(dialog);
  dialog.showModal();
}

/** Who has nothing left buys in anew, and is offered what they came in with. */
async function openTopUp(dialog, table, url) {
  const mine = table.seats.find(({ name }) => name && name === dialog.dataset.name);
  const held = mine?.stack ?? 0;
  const { last } = held ? { last: null } : await buyInOf(table, url);
  if (dialog.open) return;
  const least = held ? 1 : table.minBuyIn;
  const most = Math.max(least, Math.min(table.maxBuyIn - held, table.wallet));
  limits(dialog, least, most, Math.max(least, Math.min(most, last ?? most)));
  dialog.querySelector("[data-wallet]").textContent = number(table.wallet);
  freshKey(dialog);
  dialog.showModal();
}

/** One key an opening: sending the same form twice moves chips once. */
function freshKey(dialog) {
  dialog.querySelector("[data-refusal]").hidden = true;
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  dialog.querySelector("[name=key]").value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
