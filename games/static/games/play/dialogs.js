// Sitting down, adding chips and the other small moves: forms of the page, sent by htmx, opened and filled in here.

/** Wire the dialogs of `page`; `table()` gives the table as last drawn. */
export function connectDialogs(page, table) {
  const sit = document.getElementById("sit-dialog");
  const topUp = document.getElementById("top-up-dialog");
  for (const dialog of [sit, topUp]) if (dialog) pair(dialog);

  document.addEventListener("click", (event) => {
    const seat = event.target.closest("[data-sit]");
    if (seat && sit) openSit(sit, table(), Number(seat.dataset.sit));
    else if (seat) location.assign(page.dataset.loginUrl);
    if (event.target.closest("[data-top-up]") && topUp) openTopUp(topUp, table());
    const close = event.target.closest("[data-close]");
    if (close) close.closest("dialog").close();
  });
  // The server took the move: the dialog has done its work. What it changed comes over the socket.
  document.body.addEventListener("moved", () => {
    for (const dialog of [sit, topUp]) dialog?.close();
  });

  return { draw: (view, you, { hasSitOut }) => drawControls(page, view, you, hasSitOut) };
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
  page.querySelector("[data-back-words]")?.replaceChildren(mine?.state === "leaving" ? "Stay after all" : "I’m back");
  const free = table.seats.find(({ name }) => !name);
  for (const control of page.querySelectorAll("[data-sit-any]")) {
    control.hidden = Boolean(mine) || !free;
    if (free) control.dataset.sit = String(free.number);
  }
}

/** A slider and a number field that say the same. */
function pair(dialog) {
  const slider = dialog.querySelector("input[type=range]");
  const number = dialog.querySelector("input[type=number]");
  slider.addEventListener("input", () => (number.value = slider.value));
  number.addEventListener("input", () => (slider.value = number.value));
}

function limits(dialog, least, most, value) {
  for (const input of dialog.querySelectorAll("input[type=range], input[type=number]")) {
    Object.assign(input, { min: least, max: most, value });
  }
  dialog.querySelector("[data-least]").textContent = least.toLocaleString("en");
  dialog.querySelector("[data-most]").textContent = most.toLocaleString("en");
}

function openSit(dialog, table, seat) {
  const most = Math.min(table.maxBuyIn, Math.max(table.wallet, table.minBuyIn));
  limits(dialog, table.minBuyIn, most, Math.min(most, table.maxBuyIn));
  dialog.querySelector("[name=number]").value = String(seat);
  dialog.querySelector("[data-seat]").textContent = String(seat);
  dialog.querySelector("[data-wallet]").textContent = table.wallet.toLocaleString("en");
  freshKey(dialog);
  dialog.showModal();
}

function openTopUp(dialog, table) {
  const mine = table.seats.find(({ name }) => name && name === dialog.dataset.name);
  const held = mine?.stack ?? 0;
  const least = held ? 1 : table.minBuyIn;
  const most = Math.max(least, Math.min(table.maxBuyIn - held, table.wallet));
  limits(dialog, least, most, most);
  dialog.querySelector("[data-wallet]").textContent = table.wallet.toLocaleString("en");
  freshKey(dialog);
  dialog.showModal();
}

/** One key an opening: sending the same form twice moves chips once. */
function freshKey(dialog) {
  dialog.querySelector("[data-refusal]").hidden = true;
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  dialog.querySelector("[name=key]").value = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
