"""Real sockets to real servers: what players and watchers are told, and what they can do."""

from tests.live.socket import act_once


def test_three_players_play_a_hand_to_the_showdown(seated):
    sockets = seated(3)
    while act_once(sockets):
        pass
    for socket in sockets:
        print([m["type"] for m in socket.heard])
        print([f.kind for f in socket.story])
    print(sockets[0].view, sockets[0].you, sockets[0].clock)
