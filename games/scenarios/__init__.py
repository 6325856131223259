"""Rule scenarios: hands told as facts in TOML files, replayed through the engine and held against what must be true.

``files`` reads a file, ``script`` and ``expectations`` its lines, ``runner`` drives the engine, ``checks`` looks at it.
Pure Python over the engine and the rulebooks: no database, no clock.
"""
