// A question before something that cannot be taken back, in a dialog of the room and not of the browser.

import { gettext } from "./language.js";

/** "Leave now? Your hand will be folded." -> what is asked, and what is said of it. */
const QUESTION = /^([^?？]+[?？])\s+(.+)$/su;

/** Ask `question`; whether the answer was `yes`, the words of the button that does it. */
export function asked(question, yes) {
  const [, title, words] = QUESTION.exec(question) ?? [null, question, ""];
  const dialog = document.createElement("dialog");
  dialog.className = "ask";
  dialog.setAttribute("role", "alertdialog");
  dialog.setAttribute("aria-labelledby", "ask-title");
  const head = made("h2", { id: "ask-title", textContent: title });
  const moves = made("div", { className: "form-actions" });
  const good = made("button", { type: "button", className: "button button--danger", textContent: yes });
  const not = made("button", { type: "button", className: "button button--quiet", textContent: gettext("Not now"), autofocus: true });
  moves.append(good, not);
  dialog.append(head, moves);
  if (words) {
    head.after(made("p", { id: "ask-words", textContent: words }));
    dialog.setAttribute("aria-describedby", "ask-words");
  }
  document.body.append(dialog);
  return new Promise((answer) => {
    good.addEventListener("click", () => dialog.close("yes"));
    not.addEventListener("click", () => dialog.close(""));
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue === "yes");
    });
    dialog.showModal();
  });
}

const made = (tag, properties) => Object.assign(document.createElement(tag), properties);

/** What htmx would have the browser ask (`hx-confirm`) is asked here. */
export function askInstead() {
  document.addEventListener("htmx:confirm", (event) => {
    const { question, elt, triggeringEvent, issueRequest } = event.detail;
    if (!question || event.defaultPrevented) return;
    event.preventDefault();
    const button = triggeringEvent?.submitter ?? elt.querySelector("button") ?? elt;
    asked(question, button.textContent.trim()).then((isMeant) => isMeant && issueRequest(true));
  });
}
