// A pile of chips as a small drawing: at most six discs, the largest denominations first.

const SVG = "http://www.w3.org/2000/svg";
const DENOMINATIONS = [5000, 1000, 500, 100, 25, 5, 1];
const MOST_DISCS = 6;

/** Denominations of the discs to draw for `amount`, largest first. */
export function discsFor(amount) {
  const discs = [];
  let left = amount;
  for (const value of DENOMINATIONS) {
    while (left >= value && discs.length < MOST_DISCS) {
      discs.push(value);
      left -= value;
    }
  }
  return discs;
}

export function drawPile(amount) {
  const discs = discsFor(amount);
  const svg = document.createElementNS(SVG, "svg");
  const height = 12 + 4 * Math.max(0, discs.length - 1);
  svg.setAttribute("class", "pile");
  svg.setAttribute("viewBox", `0 0 22 ${height}`);
  svg.setAttribute("width", "22");
  svg.setAttribute("height", String(height));
  svg.setAttribute("aria-hidden", "true");
  discs.forEach((value, i) => {
    const y = height - 6.5 - 4 * i;
    const disc = document.createElementNS(SVG, "g");
    disc.setAttribute("class", `disc disc--${value}`);
    disc.append(shape("rect", { x: 1, y, width: 20, height: 3, class: "disc__side" }));
    disc.append(shape("ellipse", { cx: 11, cy: y + 3, rx: 10, ry: 3.4, class: "disc__side" }));
    disc.append(shape("ellipse", { cx: 11, cy: y, rx: 10, ry: 3.9, class: "disc__face" }));
    disc.append(shape("ellipse", { cx: 11, cy: y, rx: 6, ry: 2.2, class: "disc__ring" }));
    svg.append(disc);
  });
  return svg;
}

function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
