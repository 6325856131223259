"""The floor: rulings, sections, shifts, tables in the room, the lobby and the screens on the wall."""
