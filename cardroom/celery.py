"""The task queue: one Celery app, and its schedule: one tick, the watchdog that looks after all it wakes, a look at
turns that last, one at whether there is a problem of the day, and the seal over what was written down.

Tasks carry ids and fences, never cards. Nothing here is timed by an ETA: due times are rows (`core.alarms`), and
the tick only asks which of them are due, so a lost tick or a dead worker delays a clock and never loses it.
"""

import os

from celery import Celery

from cardroom.core.process import logs

logs.loading()  # before all that is loaded
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")

from django.conf import settings  # noqa: E402

app = Celery("cardroom", amqp="cardroom.core.process.heartbeat:AMQP")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.conf.beat_schedule = {
    "tick": {
        "task": "cardroom.tasks.tick",
        "schedule": settings.CARDROOM_TICK_SECONDS,
        # A tick that waited behind a busy worker is worth nothing: the next one asks the same question.
        "options": {"expires": 2.0},
    },
    "watch": {
        "task": "cardroom.tasks.watch",
        "schedule": settings.CARDROOM_WATCH_SECONDS,
        "options": {"expires": settings.CARDROOM_WATCH_SECONDS},
    },
    "seal": {"task": "cardroom.tasks.seal_history", "schedule": 60.0, "options": {"expires": 60.0}},
    "turns": {"task": "games.tasks.push_turns", "schedule": 3.0, "options": {"expires": 3.0}},
    "problem": {"task": "games.tasks.make_problem", "schedule": 30.0, "options": {"expires": 30.0}},
}
