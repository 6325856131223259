// Who went out in a hand: what each had is asked only of several, and nobody who is out has won.

export function connectHands(root) {
  const follow = ({ target }) => {
    const form = target.closest?.("form");
    if (form?.querySelector("input[name=out]")) setTimeout(() => draw(form));
  };
  root.addEventListener("change", follow);
  root.addEventListener("reset", follow);
}

function draw(form) {
  const out = new Set([...form.querySelectorAll("input[name=out]")].filter(({ checked, type }) => checked || type === "hidden").map(({ value }) => value));
  form.dataset.outs = String(out.size);
  for (const winner of form.querySelectorAll("input[name=by]")) {
    const isOut = out.has(winner.value);
    if (isOut) winner.checked = false;
    winner.disabled = isOut;
    winner.closest("label").hidden = isOut;
  }
}
