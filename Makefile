# make run ARGS=...  starts the bot. `make` without a target lists the rest.
PYTHON ?= python3
UV ?= uv
ARGS ?=
LOCK_ARGS ?=
SEED ?= 1
HANDS ?= 0
STEPS ?= 10000
EVENINGS ?= 1
GAME ?= pineapple

VENV := .venv
BIN := $(VENV)/bin
# A stamp is newer than the file that it installed from; each is written only if the work before it succeeded.
MADE := $(VENV)/made.stamp
RUN := $(VENV)/run.stamp
DEV := $(VENV)/dev.stamp

INSTALL_BENCH := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL := deploy/install.sh $(BIN)/python
COMPILE := $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-strip-extras \
	--custom-compile-command "make lock" $(LOCK_ARGS)
# One more than the cores, because many tests wait for a process or for the disk.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")
WITH_EXAMPLES = $(shell grep -rl "^from hypothesis import" tests --include="test_*.py")
# Tests of a file stay together, because they share its fixtures. A worker that is done takes tests from the others.
PYTEST := $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal

# Each test reloads the cogs, and many start a process, so compiled files are kept, even if the image disables that.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run quick check most browsers languages test test-play test-discord test-postgres simulate simulate-events diagrams page sdk pictures lists site battery bench bench-rules bench-rating bench-dumping bench-scale bench-attacks bench-solver values puzzles deep lint cover-rules format lock dist clean journeys surface traffic

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' Makefile

run: $(RUN) ## start the bot; ARGS="..." is its command line
	@exec $(BIN)/python -m bot $(ARGS)

quick: $(DEV) ## only the rules, play, sentences and storage: a few minutes on two cores
	$(PYTEST) -m "not slow and not deep" tests/pure/ofc tests/play tests/text tests/store

check: lint ## everything but the slow tests and those in browsers; only warns about prose and translations
	$(PYTEST) -m "not slow and not deep and not browser"

most: lint cover-rules ## everything but the tests in browsers
	$(PYTEST) -m "not deep and not browser" --ignore=tests/pure/ofc

# The same in parts, each for a machine of its own: `make most` is lint, cover-rules, test-play and test-discord.
ON_DISCORD := chat discord ops processes run standin web

test-play: $(DEV) ## tests without Discord: store, play, text, solver, promises and the command line
	$(PYTEST) -m "not deep and not browser" --ignore=tests/pure/ofc $(ON_DISCORD:%=--ignore=tests/%)

test-discord: $(DEV) ## tests on a simulated Discord, with one process and with several
	$(PYTEST) -m "not deep and not browser" $(ON_DISCORD:%=tests/%)

browsers: $(DEV) ## test the table's page in the browsers on this machine
	$(BIN)/python -m pytest -q -n 2 --dist worksteal --maxfail=3 -m browser tests/web

test: most ## everything, as CI runs it
	@$(MAKE) browsers

test-postgres: $(DEV) ## tests of the database on PostgreSQL: the store, play, the promises and the battery of events
	$(PYTEST) -m "not deep" --database=postgres tests/store tests/play tests/promises tests/crash/test_postgres_*.py \
		--ignore=tests/store/sqlite

simulate: $(DEV) ## evenings full of accidents, from a seed: SEED=1 HANDS=500, or STEPS=10000; EVENINGS=1
	$(BIN)/python -m tests.simulation --seed $(SEED) --steps $(STEPS) --hands $(HANDS) --evenings $(EVENINGS)

simulate-events: $(DEV) ## 2,000 community events with everything at once, next to models: ARGS="--seeds 0-499 --keep counts.json"
	$(BIN)/python -m tests.play.event $(ARGS)

page: $(DEV) ## build the table's page from page/, its schema and types from bot/web/messages.py, and boards to compare its rules with; needs npm
	$(BIN)/python -m tests.page

sdk: $(DEV) ## bundle Discord's SDK for Activities again, as page/sdk pins it; needs npm
	$(BIN)/python -m tests.sdk

pictures: $(DEV) ## retake the screenshots in the documents; needs Chromium
	$(BIN)/python -m tests.pictures

site: $(DEV) ## build the documents as a site in site/, in every language and with search; installs what it needs
	@$(INSTALL_BENCH) --editable ".[site]"
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --clean
	@$(BIN)/python -m tests.site site

languages: $(DEV) ## list missing and unused translations
	@$(BIN)/python -m bot.text

lists: $(DEV) ## write docs/commands.md from the commands, the kinds of event and the house rules
	$(BIN)/python -m tests.listed

diagrams: $(DEV) ## write the packages and the states of docs/architecture.md from the code
	$(BIN)/python -m tests.diagrams

deep: $(DEV) ## slow tests, tests that measure time, and property tests with new examples
	$(PYTEST) -m deep
	$(PYTEST) -m "not deep" --hypothesis-profile=deep $(WITH_EXAMPLES)

journeys: $(DEV) ## count the files, functions and queries of a press; ARGS="--files --asked" names them
	@$(BIN)/python -m tests.journeys $(ARGS)

traffic: $(DEV) ## count the posts, pings, words and requests of an evening at a table, and of events of each format
	@$(BIN)/python -m tests.traffic

surface: $(DEV) ## measure the command picker and every screen, in both languages; ARGS="--rows" lists the commands
	@$(BIN)/python -m tests.surface $(ARGS)

battery: $(DEV) ## kill, freeze, disconnect and replace processes that share the servers, while people play
	$(BIN)/python -m pytest -q -s -m "deep or not deep" tests/processes

lint: $(DEV) ## check the format, lint, types and the direction of imports
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

cover-rules: $(DEV) ## check that the rules' own tests run every line and branch of the rules
	$(PYTEST) -m "not deep" tests/pure/ofc --cov=bot.pure.ofc --cov-branch --cov-fail-under=100

bench: $(DEV) ## measure the whole bot under load, for minutes; ARGS="--help" lists what can be measured
	@$(BIN)/python -m benchmarks.bench_load $(ARGS)

bench-scale: $(DEV) ## measure one, two and three processes on PostgreSQL, and one on SQLite, for minutes; ARGS="--help" says more
	@$(BIN)/python -m benchmarks.bench_scale $(ARGS)

bench-attacks: $(DEV) ## measure how long a press waits while the pages are attacked; ARGS="--only silent --seconds 10"
	@$(BIN)/python -m benchmarks.bench_attacks $(ARGS)

bench-rules: $(DEV) ## compare the rules with eval7, phevaluator and treys, which it installs
	@$(INSTALL_BENCH) --editable ".[bench]"
	@$(BIN)/python -m pytest -q benchmarks/bench_rules.py --benchmark-timer=time.thread_time --benchmark-columns=min,median

bench-rating: $(DEV) ## compare the ratings with openskill, TrueSkill and Glicko-2; ARGS="--near 0.5" pairs equal players
	@$(INSTALL_BENCH) --editable ".[bench]"
	@$(BIN)/python -m benchmarks.bench_rating $(ARGS)

bench-dumping: $(DEV) ## measure how far accomplices can raise a rating, and who really leads a list of ratings
	@$(BIN)/python -m benchmarks.bench_dumping $(ARGS)

bench-solver: $(DEV) ## measure the strength and speed of the computer players; ARGS="--help" lists what can be measured
	@$(BIN)/python -m benchmarks.bench_solver $(ARGS)

values: $(DEV) ## fit the values that masters play by, which takes hours: GAME=pineapple ARGS="--sizes 120000,250000 --seed 3"
	@$(BIN)/python -m study.values $(GAME) $(ARGS)

puzzles: $(DEV) ## find puzzles in hands of computer players, for data/puzzles: ARGS="pineapple --count 140 --seed 1"
	@$(BIN)/python -m study.puzzles $(ARGS)

format: $(DEV) ## format the code as `make lint` requires
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: ## resolve the requirements again; LOCK_ARGS=--upgrade upgrades them
	@command -v $(UV) >/dev/null || { echo "make lock needs uv. Install it, or set its path with UV=..." >&2; exit 1; }
	$(COMPILE) --output-file requirements.txt pyproject.toml
	$(COMPILE) --extra postgres --constraint requirements.txt --output-file requirements-postgres.txt pyproject.toml
	$(COMPILE) --extra playground --constraint requirements.txt --output-file requirements-playground.txt pyproject.toml
	$(COMPILE) --extra playground --extra dev --constraint requirements-playground.txt \
		--output-file requirements-dev.txt pyproject.toml

dist: $(DEV) ## build the wheel and the source archive in dist/, reproducibly
	rm -rf dist
	$(BIN)/python -m hatchling build

clean: ## remove everything built; the database in data/var stays
	rm -rf $(VENV) dist site .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage .coverage.* htmlcov
	find bot cogs tests -type d -name __pycache__ -prune -exec rm -rf {} +

$(MADE):
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) was not found. Install Python 3.11 or newer," \
		"or set its path with PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Chaipo needs Python 3.11 or newer, but" \
		"$(PYTHON) is `$(PYTHON) --version 2>&1`. Name a newer one, for example PYTHON=python3.12" >&2; exit 1; }
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
