// The games as the room describes them with a snapshot (`describe` in games/engine/games.py): a script asks the game what
// it is, and compares no street with a number and no game with a name. Pure.

/** The street of `game` with this number; null where there is none. */
export const streetOf = (game, number) => game?.streets.find((street) => street.number === number) ?? null;
