// What a call for the floor says.

const WANTED = { decision: "A decision", chips: "Chips", drinks: "Drinks" };

/** "Drinks: two waters"; what is wanted is not said where it is the floor itself. */
export const wordsOf = ({ kind, note }) => [WANTED[kind], note].filter(Boolean).join(": ");
