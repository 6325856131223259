"""The ruling desk: what happened at some table, told in a few answers, is played in the engine up to the mistake, and
the engine rules on it.

Nothing here knows a ruling; what is known is how each irregularity is brought about. ``model`` has the shapes,
``scene`` the little hand, ``cards``, ``betting`` and ``people`` the questions; ``asking`` puts them to the engine.
"""
