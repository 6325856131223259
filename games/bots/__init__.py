"""House bots: who they are and what they do when it is their turn.

``choose`` is handed a replay of the facts as they were redacted for the bot's own seat, so a bot cannot know what a
person in its place would not. Knows nothing of tables, accounts or clocks; chance comes in as an argument.
"""

from games.bots.choosing import choose
from games.bots.personalities import PERSONALITIES, Personality

__all__ = ["PERSONALITIES", "Personality", "choose"]
