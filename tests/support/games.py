"""What pages are told of the games."""

from games.engine.games import GAMES, describe

#: Each game by its slug, as a snapshot has it.
DESCRIBED = {slug: describe(game) for slug, game in GAMES.items()}
