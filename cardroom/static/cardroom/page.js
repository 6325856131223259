// What every page has: short notices in a corner, from htmx answers and from the live table.

const toasts = document.getElementById("toasts");
const SECONDS = 7;

/** Show a notice: {message, rule, isRefusal}. */
export function toast({ message, rule = null, isRefusal = false }) {
  const box = document.createElement("div");
  box.className = isRefusal ? "toast toast--refused" : "toast";
  const text = document.createElement("span");
  text.textContent = message;
  box.append(text);
  if (rule) {
    const cite = document.createElement("cite");
    cite.className = "toast__rule";
    cite.textContent = rule;
    box.append(cite);
  }
  const close = document.createElement("button");
  close.type = "button";
  close.className = "toast__close";
  close.setAttribute("aria-label", "Close this notice");
  close.textContent = "×";
  close.addEventListener("click", () => box.remove());
  box.append(close);
  toasts.append(box);
  while (toasts.childElementCount > 3) toasts.firstElementChild.remove();
  setTimeout(() => box.remove(), SECONDS * 1000);
}

addEventListener("toast", ({ detail }) => toast(detail));

// A refusal answers an htmx request with a small fragment that says what and by which rule.
document.addEventListener("htmx:responseError", ({ detail: { xhr } }) => {
  const answer = new DOMParser().parseFromString(xhr.responseText, "text/html").querySelector("[data-problem]");
  const message = answer?.querySelector("[data-detail]")?.textContent ?? "That did not work. Load the page again.";
  toast({ message, rule: answer?.querySelector("[data-rule]")?.textContent, isRefusal: true });
});
document.addEventListener("htmx:sendError", () => toast({ message: "The room cannot be reached.", isRefusal: true }));
