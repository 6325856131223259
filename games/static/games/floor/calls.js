// What a call for the floor says.

import { gettext } from "../../cardroom/language.js";

const WANTED = { decision: gettext("A decision"), chips: gettext("Chips"), drinks: gettext("Drinks") };

/** "Drinks: two waters"; what is wanted is not said where it is the floor itself. */
export const wordsOf = ({ kind, note }) => [WANTED[kind], note].filter(Boolean).join(": ");
