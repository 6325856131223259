#!/usr/bin/env python
"""Django's command line for Cardroom."""

import os
import sys

from cardroom.core.process import logs


def main() -> None:
    logs.loading()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "cardroom.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise SystemExit(
            "Cardroom's libraries are not installed in this Python. Run `make setup`, then .venv/bin/python manage.py"
        ) from error
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
