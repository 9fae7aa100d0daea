# Every target sets up what it needs in .venv, once. On a new machine: Python 3.11 or newer, and make.

VENV := .venv
BIN := $(VENV)/bin
# the first of these that is Python 3.11 or newer
PYTHON ?= $(firstword $(foreach name,python3 python3.13 python3.12 python3.11,\
	$(shell $(name) -c 'import sys; sys.version_info < (3, 11) or print("$(name)")' 2>/dev/null)))
# the versions that CI tested; newer or older ones that pyproject.toml allows work without it
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PINS := -c .ci/constraints.txt

.DEFAULT_GOAL := help
.PHONY: help demo test check bench docs wheel wheel-test lowest lock audit clean

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(VENV)/.runtime ## Grade the example logs and print the verdict tables
	$(BIN)/turngrade grade examples/no-refund-promise.yaml examples/logs --fail-on error
	$(BIN)/turngrade grade examples/no-pii.yaml examples/logs --show failed --fail-on error
	$(BIN)/turngrade grade examples/order-id.yaml examples/logs --show failed --fail-on error
	$(BIN)/turngrade grade examples/no-refusal.yaml examples/logs --show failed --fail-on error

test: $(VENV)/.dev ## Run the tests (more options: make test ARGS="-k parity -x")
	$(BIN)/pytest -n 2 $(ARGS)

check: $(VENV)/.dev ## Lint, formatting and types
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright

bench: $(VENV)/.dev ## Measure speed and memory beside peers, in one table (in a minute or two: make bench ARGS=--small)
	@$(BIN)/python -m tests.benchmarks $(ARGS)

docs: $(VENV)/.dev ## Build the documentation site into site/
	$(BIN)/zensical build --clean --strict

wheel: $(VENV)/.dev ## Build the wheel and the sdist into dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist . >/dev/null
	@ls dist

wheel-test: wheel ## Run the tests of the public surface against the built wheel, in a new environment
	rm -rf $(VENV)-wheel
	$(PYTHON) -m venv $(VENV)-wheel
	$(VENV)-wheel/bin/python -m pip install --quiet --disable-pip-version-check $(PINS) "$$(echo dist/*.whl)[dev]"
	TURNGRADE_INSTALLED_FROM=wheel $(VENV)-wheel/bin/pytest -n 2 tests/packaging tests/parity tests/docs

lowest: $(VENV)/.dev ## Test with the lowest versions that pyproject.toml allows, each extra in a new environment
	$(BIN)/python -m tests.packaging.lower_bounds

lock: ## Make .ci/constraints.txt again from the newest releases
	rm -rf $(VENV)-lock
	$(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install --quiet --disable-pip-version-check --upgrade -e '.[dev]'
	$(VENV)-lock/bin/python -m pip freeze --exclude-editable > .ci/constraints.txt
	rm -rf $(VENV)-lock

audit: ## Look up known vulnerabilities of the locked versions; fails where the service cannot be asked
	rm -rf $(VENV)-audit
	$(PYTHON) -m venv $(VENV)-audit
	$(VENV)-audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit
	$(VENV)-audit/bin/pip-audit --strict --disable-pip --no-deps --requirement .ci/constraints.txt
	rm -rf $(VENV)-audit

clean: ## Remove the environment and everything built
	rm -rf $(VENV) $(VENV)-wheel $(VENV)-lock $(VENV)-audit dist site .pytest_cache .mypy_cache .ruff_cache
	find core adapters examples tests -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/.runtime: pyproject.toml .ci/constraints.txt
	$(if $(PYTHON),,$(error Python 3.11 or newer is needed and none was found; name one with PYTHON=/path/to/python))
	@echo "Setting up $(VENV) with $(PYTHON) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@$(PIP) $(PINS) -e .
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime
	@echo "Setting up the tools and frameworks for the tests (a minute or two) ..."
	@$(PIP) $(PINS) -e '.[dev]'
	@touch $@
