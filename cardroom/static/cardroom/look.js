// How somebody likes a table to look: what is chosen in a form of it is seen at once. The page's root says what is
// chosen, for the sheets and for scripts; the server keeps it (cardroom/accounts/look.py).

const nameOf = (wish) => `look${wish[0].toUpperCase()}${wish.slice(1)}`;

/** What is chosen for one thing, such as `chosen("amounts")`: "chips". */
export const chosen = (wish) => document.documentElement.dataset[nameOf(wish)] ?? "";

/** Whether one of the switches is on. */
export const isOn = (wish) => chosen(wish) === "on";

/** Show each change of the forms of this page at once; `onChange(name)` hears of it. */
export function connectLook(onChange = () => {}) {
  document.addEventListener("change", ({ target }) => {
    if (!target.form?.matches("[data-look]")) return;
    document.documentElement.dataset[nameOf(target.name)] = target.type === "checkbox" && !target.checked ? "off" : target.value;
    onChange(target.name);
  });
}
