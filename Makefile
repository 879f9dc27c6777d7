# make run ARGS=...  starts the bot; `make` alone lists the rest.
PYTHON ?= python3
UV ?= uv
ARGS ?=
LOCK_ARGS ?=
SEED ?= 1
HANDS ?= 0
STEPS ?= 10000
EVENINGS ?= 1
EVENTS ?= 1000
GAME ?= pineapple

VENV := .venv
BIN := $(VENV)/bin
# A stamp is newer than the file that it installed from; each is written only when the work before it went well.
MADE := $(VENV)/made.stamp
RUN := $(VENV)/run.stamp
DEV := $(VENV)/dev.stamp

INSTALL_BENCH := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL := deploy/install.sh $(BIN)/python
COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-strip-extras \
	--custom-compile-command "make lock" $(LOCK_ARGS)
# One more than there are cores: many tests wait for a process or for the disk.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")
WITH_EXAMPLES = $(shell grep -rl "^from hypothesis import" tests --include="test_*.py")
# Neighbours stay together, since they share what is made for their file; who has done theirs takes from the others.
PYTEST := $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

# Each test loads the cogs anew, and many start a process: what Python has compiled is kept, even where an image says no.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run quick check most browsers languages test test-play test-discord test-postgres simulate simulate-events diagrams page sdk pictures lists site battery bench bench-rules bench-rating bench-dumping bench-scale bench-attacks bench-solver values deep lint cover-rules format lock dist clean journeys surface traffic

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

run: $(RUN) ## start the bot; ARGS="..." is its command line
	@exec $(BIN)/python -m bot $(ARGS)

quick: $(DEV) ## the rules, play, sentences and storage alone: a few minutes on two cores
	$(PYTEST) -m "not slow and not deep" tests/pure/ofc tests/play tests/text tests/store

check: lint ## everything but the slow tests and those in browsers; only warns about prose and translations
	$(PYTEST) -m "not slow and not deep and not browser"

most: lint cover-rules ## everything but the tests in browsers
	$(PYTEST) -m "not deep and not browser" --ignore=tests/pure/ofc

# The same in parts, each for a machine of its own: `make most` is lint, cover-rules, test-play and test-discord.
ON_DISCORD := chat discord ops processes run standin web

test-play: $(DEV) ## what plays without Discord: store, play, text, solver, promises and the program's commands
	$(PYTEST) -m "not deep and not browser" --ignore=tests/pure/ofc $(ON_DISCORD:%=--ignore=tests/%)

test-discord: $(DEV) ## what plays on a simulated Discord, with one process and with several
	$(PYTEST) -m "not deep and not browser" $(ON_DISCORD:%=tests/%)

browsers: $(DEV) ## the table's page in the browsers that this machine has, which each share
	$(BIN)/python -m pytest -q -n 2 --dist worksteal --maxfail=3 -m browser tests/web

test: most ## everything, as CI runs it
	@$(MAKE) browsers

test-postgres: $(DEV) ## what plays on any database, on PostgreSQL: the store, play, the promises and the battery of events
	$(PYTEST) -m "not deep" --database=postgres tests/store tests/play tests/promises tests/crash/test_postgres_*.py \
		--ignore=tests/store/sqlite

simulate: $(DEV) ## evenings full of accidents, from a seed: SEED=1 HANDS=500, or STEPS=10000; EVENINGS=1
	$(BIN)/python -m tests.simulation --seed $(SEED) --steps $(STEPS) --hands $(HANDS) --evenings $(EVENINGS)

simulate-events: $(DEV) ## whole community events from seeds, one after the other: SEED=1 EVENTS=1000
	$(BIN)/python -m tests.play.event --seed $(SEED) --events $(EVENTS)

page: $(DEV) ## build the table's page, its schema and its types from page/ and bot/web/messages.py
	$(BIN)/python -m tests.page

sdk: $(DEV) ## bundle Discord's SDK for Activities anew, as page/sdk pins it; it needs npm
	$(BIN)/python -m tests.sdk

pictures: $(DEV) ## take the pictures of the documents anew; it needs Chromium, and says when that is missing
	$(BIN)/python -m tests.pictures

site: $(DEV) ## build the documents as a site in site/, in every language and with search; it installs what that needs
	@$(INSTALL_BENCH) --editable ".[site]"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --clean
	@$(BIN)/python -m tests.site site

languages: $(DEV) ## list the sentences that aren't translated yet, and translations that aren't used
	@$(BIN)/python -m bot.text

lists: $(DEV) ## write docs/commands.md from the commands, the kinds of event and the house rules
	$(BIN)/python -m tests.listed

diagrams: $(DEV) ## write the rooms and the states of docs/architecture.md from the code
	$(BIN)/python -m tests.diagrams

deep: $(DEV) ## what takes many minutes or measures time, and new examples of what must hold for all
	$(PYTEST) -m deep
	$(PYTEST) -m "not deep" --hypothesis-profile=deep $(WITH_EXAMPLES)

journeys: $(DEV) ## through how many files and functions a press goes, and how often it asks; ARGS="--files --asked" names them
	@$(BIN)/python -m tests.journeys $(ARGS)

traffic: $(DEV) ## posts, pings, words and requests of an evening at a table, and of events of each format
	@$(BIN)/python -m tests.traffic

surface: $(DEV) ## the size of the command picker and of every screen, in both languages; ARGS="--rows" lists the commands
	@$(BIN)/python -m tests.surface $(ARGS)

battery: $(DEV) ## processes that share the servers are killed, frozen, cut off and replaced while people play
	$(BIN)/python -m pytest -q -s -m "deep or not deep" tests/processes

lint: $(DEV) ## format, lint, types and the direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

cover-rules: $(DEV) ## the rules' own tests run every line and branch of the rules
	$(PYTEST) -m "not deep" tests/pure/ofc --cov=bot.pure.ofc --cov-branch --cov-fail-under=100

bench: $(DEV) ## the whole bot under load, for minutes; ARGS="--help" lists what can be measured
	@$(BIN)/python -m benchmarks.bench_load $(ARGS)

bench-scale: $(DEV) ## one, two and three processes on PostgreSQL, and one on SQLite, for minutes; ARGS="--help" says more
	@$(BIN)/python -m benchmarks.bench_scale $(ARGS)

bench-attacks: $(DEV) ## how long a press waits while strangers attack the pages; ARGS="--only silent --seconds 10"
	@$(BIN)/python -m benchmarks.bench_attacks $(ARGS)

bench-rules: $(DEV) ## the rules beside eval7, phevaluator and treys, which it installs
	@$(INSTALL_BENCH) --editable ".[bench]"
	@$(BIN)/python -m pytest -q benchmarks/bench_rules.py --benchmark-timer=time.thread_time --benchmark-columns=min,median

bench-rating: $(DEV) ## ratings beside openskill, TrueSkill and Glicko-2; ARGS="--near 0.5" lets equals meet
	@$(INSTALL_BENCH) --editable ".[bench]"
	@$(BIN)/python -m benchmarks.bench_rating $(ARGS)

bench-dumping: $(DEV) ## what accomplices buy of a rating, and who truly leads a list of ratings
	@$(BIN)/python -m benchmarks.bench_dumping $(ARGS)

bench-solver: $(DEV) ## how strong and how fast the computer players are; ARGS="--help" lists what can be measured
	@$(BIN)/python -m benchmarks.bench_solver $(ARGS)

values: $(DEV) ## fit the values that masters play by, for hours: GAME=pineapple ARGS="--sizes 120000,250000 --seed 3"
	@$(BIN)/python -m study.values $(GAME) $(ARGS)

format: $(DEV) ## write the code the way `make lint` wants it
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: ## choose the requirements again; LOCK_ARGS=--upgrade takes newer ones
	@command -v $(UV) >/dev/null || { echo "make lock needs uv: install it, or say where it is with UV=..." >&2; exit 1; }
	$(COMPILE) --output-file requirements.txt pyproject.toml
	$(COMPILE) --extra postgres --constraint requirements.txt --output-file requirements-postgres.txt pyproject.toml
	$(COMPILE) --extra playground --constraint requirements.txt --output-file requirements-playground.txt pyproject.toml
	$(COMPILE) --extra playground --extra dev --constraint requirements-playground.txt \
		--output-file requirements-dev.txt pyproject.toml

dist: $(DEV) ## the wheel and the source archive, in dist/: the same files make the same bytes
	rm -rf dist
	$(BIN)/python -m hatchling build

clean: ## remove what was made; the database in data/var stays
	rm -rf $(VENV) dist site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage .coverage.* htmlcov
	find bot cogs tests -type d -name __pycache__ -prune -exec rm -rf {} +

$(MADE):
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) was not found: install Python 3.11 or newer," \
		"or say where it is with PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Chaipo needs Python 3.11 or newer, and" \
		"$(PYTHON) is `$(PYTHON) --version 2>&1`: name a newer one, for example PYTHON=python3.12" >&2; exit 1; }
	@echo "Creating a virtual environment in $(VENV) ..."
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(RUN): requirements-playground.txt $(MADE)
	@echo "Installing the packages that the bot needs. This happens only once, and takes a minute."
	@$(INSTALL) $<
	@touch $@

$(DEV): requirements-dev.txt $(MADE)
	@echo "Installing the packages that the tests need. This happens only once, and takes a minute."
	@$(INSTALL) $<
	@touch $@
