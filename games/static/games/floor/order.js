// The form by which the floor orders: what is open now, whose hand, and always a reason.

import { gettext } from "../../cardroom/language.js";

const WHATS = {
  "rules-live": gettext("Rule a hand live"), "orders-low": gettext("Correct the low card"), misdeal: gettext("Misdeal"),
  void: gettext("Void the hand"),
  kills: gettext("Kill a hand"), penalises: gettext("Penalise"), undo: gettext("Undo the last entry"),
};
const DONE = {
  "rules-live": gettext("ruled live"), "orders-low": gettext("low card corrected"), misdeal: gettext("misdeal"),
  void: gettext("hand void"), kills: gettext("hand killed"),
  penalises: gettext("penalty"), undo: gettext("entry taken back"),
};

export class OrderForm {
  #open = []; #key = "";

  constructor(part, { who, onOrder }) {
    Object.assign(this, { part, who, onOrder });
    part.orderForm.addEventListener("input", () => this.draw({ isBusy: this.isBusy }));
    part.orderForm.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#submit();
    });
  }

  /** `open`: [{what, seats}], `log`: the orders of this hand so far. */
  take(open, log) {
    this.#open = open;
    this.part.orderState.textContent = gettext("No hand is being played.");
    this.#drawChoices();
    this.part.noOrders.hidden = log.length > 0;
    this.part.orderLog.replaceChildren(...log.map((order) => this.#logged(order)));
    this.draw({ isBusy: this.isBusy });
  }

  /** A seat was tapped on the table. */
  choose(seat) {
    const box = this.part.orderSeats.querySelector(`input[value="${seat}"]`);
    if (box && !box.disabled) box.checked = true;
    this.draw({ isBusy: this.isBusy });
  }

  /** The order has been taken. */
  given() {
    this.part.orderForm.reset();
    this.draw({ isBusy: this.isBusy });
  }

  draw({ isBusy }) {
    this.isBusy = isBusy;
    const { orderForm, orderState, orderSeats, orderHands, orderGo } = this.part;
    const order = this.#open.find(({ what }) => what === new FormData(orderForm).get("what"));
    orderState.hidden = this.#open.length > 0;
    this.#drawSeats(order);
    orderSeats.hidden = !order?.seats?.length;
    orderHands.hidden = order?.what !== "penalises";
    const form = new FormData(orderForm);
    const hasSeat = !order?.seats?.length || form.get("seat");
    orderGo.disabled = isBusy || !order || !hasSeat || String(form.get("reason")).trim().length < 3;
    orderGo.textContent = order ? WHATS[order.what] ?? order.what : gettext("Confirm the order");
  }

  #drawChoices() {
    const chosen = new FormData(this.part.orderForm).get("what");
    const open = new Set(this.#open.map(({ what }) => what));
    const legend = this.part.orders.querySelector("legend");
    this.part.orders.replaceChildren(
      legend,
      ...Object.entries(WHATS).map(([what, label]) => radio("what", what, label, { isOpen: open.has(what), isChosen: what === chosen })),
    );
  }

  #drawSeats(order) {
    const key = JSON.stringify([order?.what, order?.seats]);
    if (key === this.#key) return;
    this.#key = key;
    const legend = this.part.orderSeats.querySelector("legend");
    const seats = order?.seats ?? [];
    this.part.orderSeats.replaceChildren(
      legend,
      ...seats.map((seat) => radio("seat", String(seat), `${seat} ${this.who(seat)}`, { isOpen: true, isChosen: seats.length === 1 })),
    );
  }

  #logged({ what, seat, reason, by }) {
    const item = document.createElement("li");
    const name = document.createElement("strong");
    name.textContent = DONE[what] ?? what;
    item.append(name, seat ? `, ${this.who(seat)}` : "", `: ${reason} `);
    const whom = document.createElement("span");
    whom.className = "muted";
    whom.textContent = `(${by})`;
    item.append(whom);
    return item;
  }

  #submit() {
    const form = new FormData(this.part.orderForm);
    const what = form.get("what");
    const seats = this.#open.find((order) => order.what === what)?.seats ?? [];
    const hands = Number(form.get("hands"));
    this.onOrder({
      what, reason: String(form.get("reason")).trim(), ...(seats.length ? { seat: Number(form.get("seat")) } : {}),
      ...(what === "penalises" && hands ? { hands } : {}),
    });
  }
}

function radio(name, value, words, { isOpen, isChosen }) {
  const label = document.createElement("label");
  label.className = "order";
  const input = document.createElement("input");
  Object.assign(input, { type: "radio", name, value, disabled: !isOpen, checked: isOpen && isChosen });
  const text = document.createElement("span");
  text.textContent = words;
  label.append(input, text);
  return label;
}
