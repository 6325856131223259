// Sitting down, adding chips and the other small moves: forms of the page, sent by htmx, opened and filled in here.

import { gettext, number } from "../../cardroom/language.js";

/** So long a lost showdown stays in sight before the page asks what next, ms. */
const READ_IT = 1600;
/** What a browser keeps once its player was asked how loud the table may be. */
const ASKED = "sounds-asked";

/** Wire the dialogs of `page`; `table()` gives the table as last drawn. */
export function connectDialogs(page, table) {
  const sit = document.getElementById("sit-dialog");
  const topUp = document.getElementById("top-up-dialog");
  const broke = connectBroke(document.getElementById("broke-dialog"));
  const sounds = connectSounds(sit?.querySelector("[data-ask-sounds]"));
  for (const dialog of [sit, topUp]) if (dialog) pair(dialog);

  document.addEventListener("click", (event) => {
    const seat = event.target.closest("[data-sit]");
    if (seat && sit) openSit(sit, table(), Number(seat.dataset.sit), page.dataset.buyInUrl);
    else if (seat) location.assign(page.dataset.loginUrl);
    const adds = event.target.closest("[data-top-up]");
    if (adds && topUp) {
      adds.closest("dialog")?.close();
      openTopUp(topUp, table());
    }
    const close = event.target.closest("[data-close]");
    if (close) close.closest("dialog").close();
  });
  // The server took the move: the dialog has done its work. What it changed comes over the socket.
  document.body.addEventListener("moved", () => {
    if (sit?.open) sounds.answered();
    for (const dialog of [sit, topUp, broke.dialog]) dialog?.close();
  });

  // Who comes by "Quick seat" is asked for their buy-in at once.
  let isSent = location.hash === "#sit";
  return {
    draw: (view, you, { hasSitOut, isSettled, isAtStake }) => {
      drawControls(page, view, you, hasSitOut);
      askBeforeLeaving(page, isAtStake);
      broke.draw(view, you, isSettled);
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

/** `hasSitOut`: sitting out is a choice of the hand being played, and taken back there. */
function drawControls(page, table, you, hasSitOut) {
  const mine = table.seats.find(({ number }) => number === you.seat);
  const shown = {
    "sit-out": mine?.state === "playing",
    "come-back": mine?.state === "leaving" || (mine?.state === "sitting-out" && mine.stack > 0 && !hasSitOut),
    rebuy: mine?.state === "sitting-out" && mine.stack === 0,
    "top-up": Boolean(mine) && mine.state !== "leaving" && mine.stack < table.maxBuyIn,
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
  const words = isAtStake ? gettext("Your hand is dead at your turn, and what you have bet stays in the pot. Leave the table?") : null;
  for (const form of page.querySelectorAll("[data-control=leave]")) {
    if (words) form.setAttribute("hx-confirm", words);
    else form.removeAttribute("hx-confirm");
  }
}

/** The last of the viewer's chips is gone while they look on: what next is asked on the table, once for each time. */
function connectBroke(dialog) {
  let hadChips = false;
  let timer = 0;
  function draw(view, you, isSettled) {
    const mine = view.seats.find(({ number }) => number === you.seat);
    const isBroke = Boolean(mine) && mine.state === "sitting-out" && !mine.stack && !you.top_up_queued && !view.event;
    if (!dialog || !isBroke || !hadChips) {
      clearTimeout(timer);
      timer = 0;
      hadChips = Boolean(mine?.stack);
      if (dialog?.open && !isBroke) dialog.close();
    } else if (isSettled) {
      timer ||= setTimeout(() => {
        hadChips = false;
        const isShort = view.wallet < view.minBuyIn;
        dialog.querySelector("[data-wallet]").textContent = number(view.wallet);
        dialog.querySelector("[data-short]").hidden = !isShort;
        dialog.querySelector("[data-top-up]").hidden = isShort;
        if (!document.querySelector("dialog[open]")) dialog.showModal();
      }, READ_IT);
    }
  }
  return { dialog, draw };
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
  return { least: table.minBuyIn, most: table.maxBuyIn, rule: "" };
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

function openTopUp(dialog, table) {
  const mine = table.seats.find(({ name }) => name && name === dialog.dataset.name);
  const held = mine?.stack ?? 0;
  const least = held ? 1 : table.minBuyIn;
  const most = Math.max(least, Math.min(table.maxBuyIn - held, table.wallet));
  limits(dialog, least, most, most);
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
