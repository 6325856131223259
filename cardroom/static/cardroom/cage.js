// The cage: sums up a count while it is typed, and keeps a form from being sent twice.

const said = new Intl.NumberFormat("en");

function sum(count) {
  let total = 0;
  for (const piece of count.querySelectorAll("[data-worth]")) {
    total += Number(piece.dataset.worth) * (Number.parseInt(piece.value, 10) || 0);
  }
  count.querySelector("[data-sum]").textContent = said.format(total);
}

document.addEventListener("input", ({ target }) => {
  const count = target.closest("[data-count]");
  if (count) sum(count);
});

for (const count of document.querySelectorAll("[data-count]")) sum(count);

// Down and up, and Enter but for the last, go from piece to piece.
document.addEventListener("keydown", (event) => {
  const count = event.target.closest("[data-count]");
  if (!count || !event.target.matches("[data-worth]")) return;
  const step = { ArrowDown: 1, Enter: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const pieces = [...count.querySelectorAll("[data-worth]")];
  const next = pieces[pieces.indexOf(event.target) + step];
  if (next || event.key === "Enter") event.preventDefault();
  next?.select();
});

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.target === "_blank" || form.method !== "post") return;
  if (form.dataset.sent) {
    event.preventDefault();
    return;
  }
  form.dataset.sent = "yes";
  setTimeout(() => {
    for (const button of form.querySelectorAll("button")) button.setAttribute("aria-disabled", "true");
  });
});
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("button")) button.removeAttribute("aria-disabled");
  }
});
