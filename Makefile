# paipu: everything that is done more than once. `make help` lists it.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
JOBS ?= 2
KERNEL_TESTS := tests/rulebook tests/shuangkou/test_facts.py tests/shuangkou/test_melds.py \
	tests/shuangkou/test_notation.py tests/shuangkou/test_signature.py \
	tests/logs/test_tokens.py tests/logs/test_left_alone.py tests/logs/test_tables.py \
	tests/logs/test_content.py tests/logs/test_hashing.py tests/logs/test_counting.py tests/logs/test_keying.py \
	tests/logs/test_moments.py analytics/cards.py tests/simulate/test_chance.py \
	tests/simulate/test_dealing.py tests/simulate/test_play.py \
	tests/tuning/test_economy.py

.DEFAULT_GOAL := help
.PHONY: help demo test test-all coverage check format lint types imports docs notebooks notebooks-large samples fuzz bench honesty mutation wheel clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(STAMP): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@

demo: $(STAMP)  ## set up, verify the valid samples, then one faulty file
	$(BIN)/paipu verify sample_logs/valid
	@echo
	@echo 'Now a faulty log. It has errors, so that paipu verify ends with status 1:'
	$(BIN)/paipu verify sample_logs/faulty/wrong-kou.jsonl || test $$? -eq 1

test: $(STAMP)  ## the tests that CI runs
	$(BIN)/python -m pytest -q -n $(JOBS) -m 'not slow'

test-all: $(STAMP)  ## all tests, the slow ones too
	$(BIN)/python -m pytest -q -n $(JOBS)

# The kernels run uncompiled, so that their branches are seen; what needs a compiler is left out.
coverage: $(STAMP)  ## branches of the kernels that tests run: must be all
	PAIPU_COMPILE=never $(BIN)/python -m pytest -q -n $(JOBS) -m 'not slow' -k 'not always' \
	--cov --cov-report=term $(KERNEL_TESTS)

check: format lint types imports test  ## the whole gate

format: $(STAMP)
	$(BIN)/ruff format --check .

lint: $(STAMP)
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy

imports: $(STAMP)
	$(BIN)/lint-imports

docs: $(STAMP)  ## write the generated pages anew
	$(BIN)/python -m cli.reference docs/commands
	$(BIN)/python -m analytics.rules.reference docs/ruleset.md
	$(BIN)/python -m analytics.warehouse.reference docs/tables.md
	$(BIN)/python -m analytics.studies.reference docs/studies.md

notebooks: $(STAMP)  ## run all notebooks on the sample logs
	$(BIN)/python -m pytest -q -n $(JOBS) tests/notebooks

# The week is simulated once and stays in build/notebooks, beside what each notebook put out.
notebooks-large: $(STAMP)  ## run all notebooks on a simulated week of 100,000 games
	$(BIN)/python -m tests.notebooks.running build/notebooks

samples: $(STAMP)  ## make sample_logs/ anew
	$(BIN)/python -m analytics.simulate.samples sample_logs

fuzz: $(STAMP)  ## engine against oracle: 200,000 card sets and 20,000 games
	PAIPU_ORACLE_CARDS=200000 PAIPU_ORACLE_GAMES=20000 PAIPU_ORACLE_SEED=$${SEED:-2} \
	$(BIN)/python -m pytest -q -n $(JOBS) tests/properties/test_oracle_agrees.py

bench: $(STAMP)  ## how fast, beside what: about ten minutes on a quiet machine
	$(BIN)/python -m tests.benchmarks

honesty: $(STAMP)  ## power and false alarms of the studies of honesty: a quarter of an hour of one core
	$(BIN)/python -m tests.studies.power

mutation: $(STAMP)  ## change the engine in small ways; the tests must notice
	$(BIN)/python -m tests.mutation

wheel: $(STAMP)  ## build the wheel and the source distribution
	$(BIN)/python -m build

clean:  ## remove the environment and what was built
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .hypothesis
