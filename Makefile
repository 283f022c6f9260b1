# Everything this file writes stays in the checkout: .venv for the packages, .cache for the rest.
# It needs Python 3.11 or newer with venv, make, and a package index for the first install.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
DEMO   ?= examples/s2/fixture.jsonl
UV     := 0.13.9

CACHE := .cache
VENV  := .venv
BIN   := $(VENV)/bin
PIP   := $(BIN)/python -m pip --quiet --no-input install --no-deps --no-build-isolation

export PIP_CACHE_DIR := $(CURDIR)/$(CACHE)/pip
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export PIP_REQUIRE_VIRTUALENV := 1
# libraries of the development lock that would write to the home directory
export MPLCONFIGDIR := $(CURDIR)/$(CACHE)/matplotlib
export IR_DATASETS_HOME := $(CURDIR)/$(CACHE)/ir_datasets
# temporary files too: Python falls back to /tmp where the folder is missing
export TMPDIR := $(CURDIR)/$(CACHE)/tmp
$(shell mkdir -p $(CACHE)/tmp)

.PHONY: help demo test test-browser check golden docs bench all lock clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "%-12s %s\n", $$1, $$2 }' Makefile

demo: $(VENV)/.runtime ## score the shipped examples with the runtime lock alone; reports go to build/demo
	@mkdir -p build/demo
	$(BIN)/ragmeter score $(DEMO) --k 3 --format markdown --format markdown=build/demo/fixture.md --format json=build/demo/fixture.json
	$(BIN)/ragmeter score examples/trec/bm25.run --qrels examples/trec/qrels.txt -m ndcg@10,average_precision,recall@100 --format markdown=build/demo/trec.md --format terminal
	$(BIN)/ragmeter run examples/run/cases.jsonl --target command:"$(BIN)/python examples/run/ask.py" --judge similarity:lexical --state build/demo/.ragmeter -m recall@3,citation_validity,similarity_to_expected --by language --format markdown=build/demo/run.md --format terminal
	@echo "written: build/demo/fixture.md trec.md run.md"

test: $(VENV)/.dev ## all tests (ARGS='tests/unit -x' for some)
	$(BIN)/python -m pytest $(ARGS)

test-browser: $(VENV)/.dev ## drive the HTML report in Chromium; says what it needs and installs nothing
	@command -v "$${CHROMIUM:-chromium}" >/dev/null || { echo "needs Chromium (Debian: apt install chromium; or CHROMIUM=/path)" >&2; exit 1; }
	@$(BIN)/python -c 'import playwright' 2>/dev/null || { echo "needs Playwright: $(BIN)/python -m pip install playwright" >&2; exit 1; }
	@test -f "$${AXE_CORE:-$(CACHE)/node_modules/axe-core/axe.min.js}" || { echo "needs axe-core: npm install --prefix $(CACHE) axe-core (or AXE_CORE=/path/axe.min.js)" >&2; exit 1; }
	$(BIN)/python -m pytest tests/browser $(ARGS)

check: $(VENV)/.dev ## format, lint, types, import rules, and that the locks hold what pyproject asks
	$(BIN)/python -m pip check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/architecture

golden: $(VENV)/.dev ## rewrite the golden reports; read the diff
	$(BIN)/python -m pytest -q tests/golden --write-golden

docs: $(VENV)/.dev ## rewrite the pages made from docstrings and from the command line's help
	$(BIN)/python tools/docs.py

bench: $(VENV)/.dev ## the benchmarks (ARGS for theirs)
	$(BIN)/python benchmarks/run.py $(ARGS)

all: check test demo ## what a change must pass

# The locks serve every Python from 3.11 on: markers stand beside what differs. UPGRADE=1 moves the pins.
lock: $(CACHE)/lock/.made ## pin every package again (UPGRADE=1 for the newest)
	$(call compile,lock,,--group build)
	$(call compile,lock-dev,--constraints requirements/lock.txt,--group build --group dev)

compile = UV_CACHE_DIR=$(CACHE)/uv UV_NO_CONFIG=1 $(CACHE)/lock/bin/uv pip compile --quiet \
	--universal --python-version 3.11 --fork-strategy fewest --no-emit-index-url --no-annotate \
	--custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade) $(2) $(3) \
	--output-file requirements/$(1).txt pyproject.toml

clean: ## remove .venv, .cache and other made files
	rm -rf $(VENV) $(CACHE) build dist
	find src tests tools benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true

# $(call new_venv,FOLDER): made where it is missing, repaired where it was interrupted
define new_venv
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	{ echo "ragmeter needs Python 3.11 or newer, and '$(PYTHON)' is not: make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	{ echo "'$(PYTHON)' cannot make virtual environments: install its venv package (Debian: apt install python3-venv)" >&2; exit 1; }
	$(PYTHON) -m venv $(1)
endef

$(VENV)/.made:
	$(call new_venv,$(VENV))
	@touch $@

# The package is installed without its dependencies: the lock is all there is.
$(VENV)/.runtime: $(VENV)/.made requirements/lock.txt pyproject.toml
	$(PIP) -r requirements/lock.txt
	$(PIP) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime requirements/lock-dev.txt
	$(PIP) -r requirements/lock-dev.txt
	@touch $@

$(CACHE)/lock/.made: Makefile
	$(call new_venv,$(CACHE)/lock)
	$(CACHE)/lock/bin/python -m pip --quiet --no-input install uv==$(UV)
	@touch $@
