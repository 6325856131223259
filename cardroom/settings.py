"""Every setting of a Cardroom, read from the environment once (see `.env.example` for the list).

With nothing set it is a complete room in one process: SQLite under `.run/`, an in-memory channel layer, and worker and
beat as threads of the web process. `DATABASE_URL` and `REDIS_URL` turn it into as many processes as wanted.
"""

import contextlib
import os
import secrets
import sys
import tempfile
from collections.abc import Callable
from email.utils import formataddr
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import drf_spectacular_sidecar
import environ
from django.core.exceptions import ImproperlyConfigured

from cardroom.core import room_time, seals
from cardroom.core.history import keys as history_keys
from cardroom.core.process import logs
from cardroom.core.web.api import openapi

BASE_DIR = Path(__file__).resolve().parent.parent
RUN_DIR = BASE_DIR / ".run"

env = environ.Env()
if (BASE_DIR / ".env").is_file():
    env.read_env(BASE_DIR / ".env")


def _own_key(name: str, make: Callable[[], str]) -> str:
    """A key of a room that was given none: made once, kept in `.run/`, readable by its owner only."""
    path = RUN_DIR / name
    if not path.exists():
        RUN_DIR.mkdir(exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=RUN_DIR)
        with os.fdopen(handle, "w") as file:
            file.write(make())
        # Linked whole, so that a process starting at the same moment never reads half a key, and the first one wins.
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
        os.unlink(draft)
    return path.read_text("ascii")


DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="") or _own_key("secret_key", lambda: secrets.token_urlsafe(50))
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
REDIS_URL = env.str("REDIS_URL", default="")
# Channels of Redis are one space for all its numbered databases, so two rooms on one Redis differ by this.
REDIS_PREFIX = env.str("REDIS_PREFIX", default="cardroom" + urlsplit(REDIS_URL).path.strip("/"))

INSTALLED_APPS = [
    # Each room with models is an app; the three folders hold what belongs to no room: tasks, commands, template tags.
    "cardroom",
    "cardroom.apps.CoreConfig",
    "cardroom.apps.LedgerConfig",
    "cardroom.apps.AccountsConfig",
    "cardroom.cage",
    "games",
    "games.rulebooks",
    "games.tables",
    "games.clubs",
    "games.dealers",
    "games.rake",
    "games.play",
    "games.training",
    "games.waitlists",
    "games.reports",
    "games.floor",
    "tournaments",
    "tournaments.events",
    "tournaments.prizes",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "channels",
    "django_htmx",
    "django_prometheus",
    "drf_spectacular",
    "knox",
    "rest_framework",
]

MIDDLEWARE = [
    "django_prometheus.middleware.PrometheusBeforeMiddleware",
    "cardroom.realtime.health.Probes",
    "django.middleware.security.SecurityMiddleware",
    "cardroom.core.web.parts.StaticFilesMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "cardroom.core.languages.LanguageMiddleware",
    "cardroom.core.web.parts.ZoneMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "cardroom.accounts.pages.idle.IdleMiddleware",
    "cardroom.accounts.pages.factors.SecondFactorMiddleware",
    "games.waitlists.kiosk.KioskMiddleware",
    "cardroom.core.web.problems.ProblemMiddleware",
    "django_prometheus.middleware.PrometheusAfterMiddleware",
]

ROOT_URLCONF = "cardroom.urls"
ASGI_APPLICATION = "cardroom.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "cardroom.core.languages.of_page",
                "cardroom.accounts.pages.navigation.wallet",
                "cardroom.accounts.pages.navigation.menus",
                "cardroom.accounts.pages.navigation.welcome",
                "cardroom.accounts.pages.navigation.look",
                "cardroom.accounts.pages.navigation.keys",
            ],
            # Every page has words to translate, and many have days.
            "builtins": [
                "django.templatetags.i18n",
                "cardroom.core.web.days",
                "cardroom.core.web.quotes",
                "cardroom.core.web.roles",
            ],
        },
    }
]

# -- storage ---------------------------------------------------------------------------------------------------------


def _database() -> dict[str, Any]:
    url = env.str("DATABASE_URL", default="")
    if not url:
        RUN_DIR.mkdir(exist_ok=True)
    config = env.db_url_config(url or f"sqlite:///{RUN_DIR / 'cardroom.sqlite3'}")
    options = config.setdefault("OPTIONS", {})
    if config["ENGINE"] == "django.db.backends.sqlite3":
        # IMMEDIATE: a transaction that will write says so at its start, so two writers queue instead of failing.
        options.setdefault("transaction_mode", "IMMEDIATE")
        options.setdefault("timeout", 20)
        options.setdefault("init_command", "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;")
        # A file, for tests too: an in-memory database answers "table is locked" to a second thread.
        config["TEST"] = {"NAME": str(RUN_DIR / "test.sqlite3")}
    else:
        size = env.int("DATABASE_POOL_SIZE", default=20)
        if size:  # the process's threads come and go, their connections stay
            config["ENGINE"] = "cardroom.core.database.postgresql"
            # Half for play, feeds, alarms and the heartbeat, half for pages and the API: readers, however many and
            # however slow, never take what an action needs. The pool's own way is to ask a server that went away after
            # ever longer pauses, and to wait ten times as long before it says that there is none.
            pool = {"min_size": 1, "timeout": 3, "reconnect_timeout": 1}
            pages = max(1, size // 2)
            options.setdefault("pool", pool | {"max_size": max(1, size - pages)})
            config["PAGES_POOL"] = pool | {"max_size": pages, "max_waiting": 8 * pages}
            config["CONN_HEALTH_CHECKS"] = True  # of what lay in the pool while the server restarted
        options.setdefault("connect_timeout", 5)
    return config


DATABASES = {"default": _database()}


def _owner() -> dict[str, Any]:
    url = env.str("DATABASE_OWNER_URL", default="")
    config = env.db_url_config(url) if url else {}
    return {name: config[name] for name in ("USER", "PASSWORD", "HOST", "PORT") if name in config}


# Who owns the tables, for `manage.py migrate` alone, see `core.database.roles`. No process of the room is given it.
DATABASE_OWNER = _owner()

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": REDIS_PREFIX,
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    # Parts of pages that many readers share, kept for moments in the process that drew them.
    "pages": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        "LOCATION": "pages",
        "OPTIONS": {"MAX_ENTRIES": 200},
    },
}

CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS_URL], "prefix": REDIS_PREFIX},
    }
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}

# -- the worker and the tick -----------------------------------------------------------------------------------------

CARDROOM_EMBEDDED = env.bool("CARDROOM_EMBEDDED", default=not REDIS_URL)
CARDROOM_TICK_SECONDS = 0.1
# So often it is looked whether anything stands still.
CARDROOM_WATCH_SECONDS = 20.0
# How many seconds a house bot thinks, give or take half of them.
CARDROOM_BOT_THINKS = env.float("CARDROOM_BOT_THINKS", default=1.0)
# Where only bots sit at a table of an event and nobody looks, they take so many turns at one ringing of its alarm; and
# when alarms ring late, bots of events think up to so many times as long.
CARDROOM_BOT_TURNS = env.int("CARDROOM_BOT_TURNS", default=8)
CARDROOM_BOT_SLOWEST = env.float("CARDROOM_BOT_SLOWEST", default=20.0)

# What seals the cards in the database: "2:<base64>,1:<base64>", see `core.seals`. A room of one process makes its own;
# any other is given it, for each machine would make another one.
CARDROOM_CARDS_KEY = env.str("CARDROOM_CARDS_KEY", default="")
if not CARDROOM_CARDS_KEY and CARDROOM_EMBEDDED:
    CARDROOM_CARDS_KEY = _own_key("cards_key", lambda: seals.with_new_key(""))
try:
    seals.parse_keys(CARDROOM_CARDS_KEY)
except ValueError as error:
    raise ImproperlyConfigured(f"CARDROOM_CARDS_KEY: {error}; `manage.py cards_key` makes one.") from None

# What makes the HMAC of the seals over history: "2:<text>,1:<text>", see `core.history`. A room of one process makes
# its own. Their heads are appended to a file, and mailed once a day, where the room cannot change them.
CARDROOM_HISTORY_KEY = env.str("CARDROOM_HISTORY_KEY", default="")
if not CARDROOM_HISTORY_KEY and CARDROOM_EMBEDDED:
    CARDROOM_HISTORY_KEY = _own_key("history_key", history_keys.fresh)
try:
    history_keys.parse_keys(CARDROOM_HISTORY_KEY)
except ValueError as error:
    raise ImproperlyConfigured(f"CARDROOM_HISTORY_KEY: {error}.") from None
CARDROOM_HISTORY_HEADS = env.str("CARDROOM_HISTORY_HEADS", default="")
CARDROOM_HISTORY_MAIL = env.str("CARDROOM_HISTORY_MAIL", default="")

CELERY_BROKER_URL = REDIS_URL or "memory://localhost/"
CELERY_BROKER_TRANSPORT_OPTIONS = {"global_keyprefix": f"{REDIS_PREFIX}:"} if REDIS_URL else {"polling_interval": 0.05}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # however long Redis is away; Celery's own worker gives up and ends
CELERY_TASK_DEFAULT_QUEUE = "cardroom"
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"  # the schedule is code: no file beside it
CELERY_BEAT_MAX_LOOP_INTERVAL = 1
CELERY_TIMEZONE = "UTC"

# -- people ----------------------------------------------------------------------------------------------------------

DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "core.User"
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
SESSION_ENGINE = "cardroom.accounts.sessions"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_ADAPTER = "cardroom.accounts.pages.login.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "cardroom.accounts.pages.login.LoginForm",
    "reset_password": "cardroom.accounts.pages.login.ResetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_EMAIL_VERIFICATION = env.str("ACCOUNT_EMAIL_VERIFICATION", default="optional")
_EMAIL = "email*" if ACCOUNT_EMAIL_VERIFICATION == "mandatory" else "email"
ACCOUNT_SIGNUP_FIELDS = ["username*", _EMAIL, "password1*"]
# In the browser that signed up, and in no other: the link alone logs nobody in.
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_LOGOUT_ON_GET = False
# Limits on wrong passwords: from one address for one name, which alone waits ever longer; and from a browser that has
# logged in before, counted separately ("key" is what `AccountAdapter` counts by): there a wrong one costs seconds and
# never more, as it may be the owner's. Right ones are not counted. All wrong ones of an address are counted too, but
# only to tell the operator: nobody is kept out by what others on their network do.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": "5/5m/key,15/h/key,40/d/key",
    "login_failed_address": "30/m/ip,300/h/ip",
    "login_failed_known": "5/20s/key",
}
CARDROOM_KNOWN_BROWSER_DAYS = 365
ACCOUNT_SESSION_REMEMBER = True
_PROXIES = env.str("TRUSTED_PROXIES", default="")
ALLAUTH_TRUSTED_PROXY_COUNT = int(_PROXIES or 0)
PROXIES_ARE_KNOWN = bool(_PROXIES)  # 0 says that none stands in front; nothing says that nobody thought of it
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_FORMS = {
    "add_webauthn": "cardroom.accounts.pages.login.KeyForm",
    "edit_webauthn": "cardroom.accounts.pages.login.KeyNameForm",
}
# Whether staff needs a second factor, and for how many minutes it counts before money and sealed cards.
CARDROOM_STAFF_FACTOR = env.bool("CARDROOM_STAFF_FACTOR", default=True)
CARDROOM_FACTOR_MINUTES = env.int("CARDROOM_FACTOR_MINUTES", default=15)

# Mail and password are changed only by somebody who shows once more that the account is theirs; the addresses that were
# there before are told.
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_REAUTHENTICATION_TIMEOUT = CARDROOM_FACTOR_MINUTES * 60
ACCOUNT_EMAIL_NOTIFICATIONS = True
# After so many minutes without a click staff are logged out; 0: never.
CARDROOM_STAFF_IDLE_MINUTES = env.int("CARDROOM_STAFF_IDLE_MINUTES", default=60)

# Play money that every player begins with, from their first seat on. A drawer would pay it out like any other chips:
# where there is one nobody gets any, unless the second setting allows it.
CARDROOM_WELCOME_CHIPS = env.int("CARDROOM_WELCOME_CHIPS", default=10_000)
if CARDROOM_WELCOME_CHIPS < 0:
    raise ImproperlyConfigured("CARDROOM_WELCOME_CHIPS is a number of chips, 0 or more.")
CARDROOM_WELCOME_CHIPS_PAID_OUT = env.bool("CARDROOM_WELCOME_CHIPS_PAID_OUT", default=False)

# Whether the lobby has a chat.
CARDROOM_CHAT = env.bool("CARDROOM_CHAT", default=True)

# The youngest who may be a member, in years; 0: nobody is asked. A limit one sets oneself counts at once when it is
# stricter, and after so many hours when it is looser.
CARDROOM_MINIMUM_AGE = env.int("CARDROOM_MINIMUM_AGE", default=18)
CARDROOM_LIMIT_HOURS = env.int("CARDROOM_LIMIT_HOURS", default=24)

# The name of the room, as mails and the apps of second factors show it.
CARDROOM_NAME = env.str("CARDROOM_NAME", default="Cardroom")
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{CARDROOM_NAME}] "
MFA_ADAPTER = "cardroom.accounts.pages.login.SecondFactorAdapter"
MFA_TOTP_ISSUER = CARDROOM_NAME

EMAIL_CONFIG = env.email_url("EMAIL_URL", default="consolemail://")
vars().update(EMAIL_CONFIG)
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", default=formataddr((CARDROOM_NAME, "room@localhost")))

# Where people reach this room, for links in messages that go out; without it they have none.
CARDROOM_ADDRESS = env.str("CARDROOM_ADDRESS", default="")

# Text messages, see `core.texting`: a command, or an address that gets a signed request; neither: none is sent.
CARDROOM_SMS_COMMAND = env.str("CARDROOM_SMS_COMMAND", default="")
CARDROOM_SMS_WEBHOOK = env.str("CARDROOM_SMS_WEBHOOK", default="")
CARDROOM_SMS_SECRET = env.str("CARDROOM_SMS_SECRET", default=SECRET_KEY)

# Push: the hosts whose push services, there or below, the room sends to, by https alone; none: no push. Browsers name
# the address themselves, so that no other is ever asked. The room's key is made from the secret: with another one
# everybody has to turn push on again.
CARDROOM_PUSH_SERVICES = env.list(
    "CARDROOM_PUSH_SERVICES",
    default=["fcm.googleapis.com", "push.services.mozilla.com", "push.apple.com", "notify.windows.com"],
)
CARDROOM_PUSH_SECRET = env.str("CARDROOM_PUSH_SECRET", default=SECRET_KEY)

# How many sockets one address may have open in one web process, of people and programs; how many of them of people who
# are not logged in; and how many messages a second each of those may send. 0: as many as they like, and as many as
# people do who are logged in. A room's own wireless network is one address.
CARDROOM_SOCKETS = env.int("CARDROOM_SOCKETS", default=2_000)
CARDROOM_SOCKETS_ANONYMOUS = env.int("CARDROOM_SOCKETS_ANONYMOUS", default=200)
CARDROOM_ANONYMOUS_PACE = env.float("CARDROOM_ANONYMOUS_PACE", default=5.0)

# -- the browser's side ----------------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
# By their own names; none lacks a word (`manage.py languages`). Rows, files and papers of the house stay in English,
# which the auditor reads.
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("es", "Español"), ("fr", "Français"), ("pt-br", "Português")]
LOCALE_PATHS = [RUN_DIR / "locale"]  # laid out by `core.languages`
LANGUAGE_COOKIE_SAMESITE = "Lax"
# The room's zone, such as Europe/Berlin: pages, papers, mails and files go by it. A gaming day of the reports begins at
# this full hour there.
TIME_ZONE = CARDROOM_TIME_ZONE = env.str("CARDROOM_TIME_ZONE", default="") or room_time.machine_zone()
if not room_time.is_known(TIME_ZONE):
    raise ImproperlyConfigured(f"CARDROOM_TIME_ZONE: there is no zone {TIME_ZONE!r}; it is named like Europe/Berlin.")
CARDROOM_DAY_BEGINS = env.int("CARDROOM_DAY_BEGINS", default=6)
if not 0 <= CARDROOM_DAY_BEGINS <= 23:
    raise ImproperlyConfigured("CARDROOM_DAY_BEGINS is the hour at which a gaming day begins, from 0 to 23.")
USE_I18N = True
USE_TZ = True

STATIC_URL = "/static/"
# Of the package only the viewer that /api/docs/ shows.
STATICFILES_DIRS = [
    ("swagger-ui", Path(drf_spectacular_sidecar.__file__).parent / "static/drf_spectacular_sidecar/swagger-ui-dist")
]
STATIC_ROOT = CARDROOM_STATIC_ROOT = Path(env.str("CARDROOM_STATIC_ROOT", default="") or RUN_DIR / "static")
# Pictures that were drawn, for the next request; they may be deleted at any time.
CARDROOM_DRAWN_ROOT = RUN_DIR / "drawn"
# Where files were laid out by `collectstatic` they are named by their content, for browsers to keep for ever. Without
# it whitenoise reads the apps' own folders, so that one command is enough to run a room.
CARDROOM_STATIC_BUILT = env.bool("CARDROOM_STATIC_BUILT", default=False)
if CARDROOM_STATIC_BUILT:
    STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "cardroom.core.web.static_files.NamedByContent"},
    }
WHITENOISE_USE_FINDERS = not CARDROOM_STATIC_BUILT
WHITENOISE_AUTOREFRESH = DEBUG

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"

# Set where the room is reached by https, here or at a proxy in front: a cookie marked secure is lost on plain http.
HTTPS = env.bool("CARDROOM_HTTPS", default=False)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS and not DEBUG
SECURE_SSL_REDIRECT = HTTPS and not DEBUG
SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", default=0) if HTTPS else 0
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
# HSTS for subdomains and browsers' lists concerns more than this room: the owner of the domain decides.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
DATA_UPLOAD_MAX_NUMBER_FIELDS = 2_500  # the form of an event with 200 levels
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"

# -- the API ---------------------------------------------------------------------------------------------------------

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "cardroom.accounts.pages.api_auth.RoomToken",
        "cardroom.accounts.pages.api_auth.SessionLogin",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["cardroom.core.web.api.access.MayUse"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["cardroom.core.web.api.formats.JSONBody"],
    "DEFAULT_SCHEMA_CLASS": "cardroom.core.web.api.schema.RoomSchema",
    "EXCEPTION_HANDLER": "cardroom.core.web.problems.exception_handler",
    "DEFAULT_THROTTLE_CLASSES": ["cardroom.core.web.api.access.Guests", "cardroom.core.web.api.access.Users"],
    "DEFAULT_THROTTLE_RATES": {"anon": "120/min", "user": "1200/min"},
    "NUM_PROXIES": ALLAUTH_TRUSTED_PROXY_COUNT,  # 0: by the connected address, whatever headers say
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = openapi.settings(
    enums={
        "LookColour": "cardroom.accounts.look.COLOURS",
        "LookDeck": "cardroom.accounts.look.DECKS",
        "OnOff": "cardroom.accounts.look.SWITCH",
        "TableDeck": "games.tables.models.tables.Table.Deck",
        "BanKind": "cardroom.accounts.models.Ban.Kind",
        "ChatKind": "cardroom.accounts.models.ChatLine.Kind",
        "BlockedKind": "cardroom.accounts.models.Blocked.Kind",
        "LimitKind": "cardroom.ledger.models.LimitChange.Kind",
        "Where": "cardroom.accounts.models.Where",
        "VisitWay": "cardroom.accounts.models.Visit.Entrance",
        "SeatState": "games.tables.models.tables.Seat.State",
        "TableState": "games.tables.models.tables.Table.State",
        "MoveKind": "games.tables.models.tables.SeatMove.Kind",
        "DropKind": "games.tables.models.offers.DropSchedule.Kind",
        "Action": "games.play.hands.ACTIONS",
        "DealerEntry": "games.dealing.entries.WHATS",
        "FloorCallKind": "games.floor.models.FloorCall.Kind",
        "FloorOrderWhat": "games.floor.rulings.WHATS",
        "TournamentState": "tournaments.events.models.Tournament.State",
        "EntryState": "tournaments.events.models.TournamentEntry.State",
        "PaymentMethod": "tournaments.events.models.Payment.Method",
        "PayoutState": "tournaments.prizes.models.Payout.State",
        "PayoutMethod": "tournaments.prizes.models.Payout.PaidBy",
        "TicketState": "tournaments.prizes.models.Ticket.State",
        "PaidBy": "tournaments.directing.pages.order_serializers.PAID_BY",
        "Paying": "tournaments.events.pages.serializers.PAYING",
    }
)
KNOX_TOKEN_MODEL = "accounts.ApiToken"
# knox's own migrations make its table even where another model takes its place; nothing would ever empty that table.
MIGRATION_MODULES = {"knox": None}
REST_KNOX = {"AUTO_REFRESH": False, "AUTH_HEADER_PREFIX": "Token"}

# -- rooms that others call without importing them -------------------------------------------------------------------

# What the house asks the games that are played in it, and places of talk that are for some people only.
PLAYED_GAMES = ["games.waitlists.host.CashGames", "tournaments.prizes.payouts.EventGames"]
PRIVATE_PLACES = ["games.play.table_chat.TableChats", "games.clubs.queries.ClubChats"]
# Who runs the games at tables of which kind: see `games.tables.hosts`.
TABLE_HOSTS = {"cash": "games.waitlists.host.CashHost", "tournament": "tournaments.online.host.EventHost"}
# Who runs the tables of events online: see `tournaments.events.tables`.
EVENT_TABLES = "tournaments.online.tables.OnlineTables"

# -- logs and measurements -------------------------------------------------------------------------------------------

METRICS_TOKEN = env.str("METRICS_TOKEN", default="")
LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
LOGGING = logs.configuration(
    level=LOG_LEVEL,
    as_json=env.bool("LOG_JSON", default=not sys.stderr.isatty()),
    keeps_errors=env.bool("KEEP_ERRORS", default=True),
)
DEFAULT_EXCEPTION_REPORTER_FILTER = "cardroom.core.process.logs.SealedReporterFilter"
