// What the house has to say about the table: paused, breaking up, a line of the staff, who may look on or sit.

import { gettext } from "../../cardroom/language.js";

/** `table`: the server's own object. The lines to be read, most urgent first. */
export function houseLines({ state, paused, notice, is_physical: isPhysical, is_shown: isShown }) {
  const lines = [];
  if (state === "breaking") lines.push(breaks(isPhysical));
  if (state === "closing") lines.push(gettext("This table closes when the hand is over."));
  if (state === "closed") lines.push(gettext("This table is closed."));
  if (paused) lines.push(pausedWords(paused));
  if (isShown === false && !isPhysical) lines.push(gettext("This table has no spectators: its hands are shown to those who sit here."));
  if (notice) lines.push(notice);
  return lines;
}

const breaks = (isPhysical) =>
  isPhysical
    ? gettext("This game breaks up: the floor counts your chips and seats you elsewhere.")
    : gettext("This game breaks up: when the hand is over its players go to other tables.");

const pausedWords = ({ reason }) =>
  reason ? gettext("Paused: {reason}. No new hand is dealt.", { reason: reason.replace(/\.$/, "") }) : gettext("Paused. No new hand is dealt.");

/** `part`: {houseLine, houseText, unlock} of the page. */
export function connectHouseLine(part) {
  return {
    draw(table, you) {
      const lines = houseLines(table);
      const isLocked = Boolean(table.is_private && !you.seat);
      const text = lines.join(" ");
      if (part.houseText.textContent !== text) part.houseText.textContent = text;
      part.unlock.hidden = !isLocked;
      part.houseLine.hidden = !lines.length && !isLocked;
    },
  };
}
