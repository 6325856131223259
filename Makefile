# Cardroom: `make help` tells what there is.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
PORT ?= 8000
HOST ?= localhost
SUITE ?=

BIN := .venv/bin
LOCKED := .venv/locked-$(shell cksum requirements.lock | cut -d ' ' -f 1)
# What the room runs on is there, too, where everything is.
RUNTIME := $(or $(wildcard $(LOCKED)),.venv/runtime-$(shell cksum requirements-runtime.lock | cut -d ' ' -f 1))
# uv is ten times as quick, and reads none of pip's configuration: where that names the only index there is, pip goes on.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input --require-hashes
UV_PIP := pip install --quiet --python $(BIN)/python --require-hashes --compile-bytecode
# More than cores: browsers, sockets and killed processes are waited for half the time.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) * 3 / 2)))

.DEFAULT_GOAL := help
.PHONY: help setup run test test-long lint types events mutants house bench lock clean

help: ## Tell what there is
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(LOCKED) ## Make .venv and install all locked libraries there, tests' and builds' too (nothing to do when it is done)

define VENV
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Cardroom needs Python 3.11 or later; '$(PYTHON)' is not. Name one: make $(1) PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(BIN)/python -c '' 2>/dev/null || "$(PYTHON)" -m venv --clear .venv || { \
		echo "Python could not make a virtual environment (on Debian: apt-get install python3.11-venv)." >&2; exit 1; }
endef

$(LOCKED): requirements.lock
	$(call VENV,setup)
	@echo "Installing the locked libraries into .venv ..."
	@awk '/^[^ #]/ { on = /^uv==/ } on' requirements.lock > .venv/uv.txt
	@$(PIP) --no-compile -r .venv/uv.txt
	@$(BIN)/uv $(UV_PIP) -r requirements.lock || $(PIP) -r requirements.lock
	@rm -f .venv/locked-* .venv/runtime-*
	@touch $@

.venv/runtime-%: requirements-runtime.lock
	$(call VENV,run)
	@echo "Installing what the room runs on into .venv ..."
	@{ command -v uv >/dev/null && uv $(UV_PIP) -r requirements-runtime.lock; } || $(PIP) -r requirements-runtime.lock
	@rm -f .venv/locked-* .venv/runtime-*
	@touch $@

# Laid out anew when one of them, or a library, has changed.
STATIC := .run/static/staticfiles.json
$(STATIC): $(RUNTIME) $(shell find cardroom games tournaments -path '*/static/*' -type f)
	@CARDROOM_STATIC_BUILT=true $(BIN)/python manage.py collectstatic --noinput --clear --verbosity 0

run: $(STATIC) ## Install what the room runs on, lay out the demo room and serve it on http://localhost:8000 (PORT=8001 for another port)
	@CARDROOM_STATIC_BUILT=true $(BIN)/python manage.py serve --demo --host $(HOST) --port $(PORT)

test: lint ## Check what a change can break: style, types, migrations, the suite (SUITE=tests/games for a part)
	@$(BIN)/python -m tests.support.suite --workers $(WORKERS) $(SUITE)

test-long: lint ## Check everything in its long form, on SQLite too: hundreds of kills, thousands of courses (an hour)
	@$(BIN)/python -m tests.support.suite --long --workers $(WORKERS) $(SUITE)

lint: setup ## Check style and format
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check

types: setup ## Check the types of the two engines
	@$(BIN)/mypy games/engine tournaments/engine

events: setup ## Play an online event of 1,000 bots to its end while its processes are killed
	@CARDROOM_EVENT_BOTS=1000 $(BIN)/pytest --numprocesses 0 --quiet tests/faults/test_tournament.py

mutants: setup ## Put the random faults of tests/mutants.json into copies of the code: does a test of `make test` notice each?
	@$(BIN)/python -m tests.support.mutants all -m "not long"

house: setup ## Measure the house: sizes, circles, what an action crosses, each beside its aim (DETAILS=1: what is counted)
	@$(BIN)/python -m tests.support.house $(if $(DETAILS),--details)

bench: setup ## Run the benchmarks (they take minutes; see CONTRIBUTING.md)
	@for bench in engine evaluate live crowd storage room tournament $(if $(REDIS_URL),clocks); do $(BIN)/python manage.py bench $$bench || exit 1; done

lock: setup ## Write requirements.lock and requirements-runtime.lock anew from pyproject.toml
	@UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --no-config --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-emit-find-links --all-extras --upgrade --quiet \
		pyproject.toml --output-file requirements.lock
	@UV_CUSTOM_COMPILE_COMMAND="make lock" $(BIN)/uv pip compile --no-config --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-emit-find-links --constraint requirements.lock --upgrade --quiet \
		pyproject.toml --output-file requirements-runtime.lock

clean: ## Remove what is made here, except the room's data in .run
	@rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
