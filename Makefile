# The one task runner; `make` lists what it can do. Needs Python 3.11 or newer, a Rust
# toolchain and nothing else: all other tools come into .venv, in locked versions.

PYTHON ?= python3
DATA ?= data
SECONDS ?= 30
VENV := .venv
STAMPS := $(VENV)/stamps
CARGO_MUTANTS := 27.1.0
CORE_SOURCES := $(shell find core-rs -name '*.rs' -o -name Cargo.toml) Cargo.toml $(wildcard Cargo.lock) pyproject.toml
ifdef WHOLE
WHOLE_FLAG := --whole
endif

HOST_PATH := $(PATH)

export VIRTUAL_ENV := $(CURDIR)/$(VENV)
export PATH := $(VIRTUAL_ENV)/bin:$(PATH)
export PYO3_PYTHON := $(VIRTUAL_ENV)/bin/python

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
.PHONY: help run test check demo docs gen lock bench sbom peers faults simulate oracles fuzz mutants pack release format clean

help: ## list the targets
	@sed -nE 's/^([a-z]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 16

run: $(STAMPS)/core-plain ## build and start the service on 127.0.0.1:50051, for browsers on port 8080
	@echo "Stop with Ctrl-C."
	@export TABLESTATE_GATEWAY="$${TABLESTATE_GATEWAY-127.0.0.1:8080}"; exec tablestate serve --data-dir $(DATA)

demo: $(STAMPS)/core-plain ## play a whole match of every game between bots, and show it
	@exec tablestate demo

test: $(STAMPS)/core-faults $(STAMPS)/npm ## run every suite; WHOLE=1: fail if one had to be left out
	@python -m tools.test $(WHOLE_FLAG)

check: $(STAMPS)/core-faults $(STAMPS)/npm ## look at format, lint, types, imports, licences, sizes, generated code
	@python -m tools.check $(WHOLE_FLAG)

docs: $(STAMPS)/client $(STAMPS)/dev ## build the docs site into target/site
	NO_MKDOCS_2_WARNING=1 python -m mkdocs build --strict --quiet
	@echo "To read it: .venv/bin/python -m http.server --directory target/site"

format: $(STAMPS)/npm ## format all code
	ruff format
	ruff check --fix
	buf format --write
	cargo fmt --all
	cargo fmt --manifest-path clients/rust/Cargo.toml
	python -m tools.node biome check --write .
	python -m tools.golang format
	@if command -v mvn >/dev/null; then python -m tools.java format; fi

gen: $(STAMPS)/npm ## generate code from proto/, the page, and the synchronous client from the asynchronous
	buf format --write
	python -m tools.generate
	python -m tools.access_table
	python clients/python/tools/make_sync.py

lock: $(STAMPS)/dev ## write the lock files; UPGRADE=1: with the newest versions allowed
	python -m tools.lock $(if $(UPGRADE),--upgrade)

bench: $(STAMPS)/core-plain $(STAMPS)/bench ## measure against an echo service and OpenSpiel
	@python -m bench

sbom: $(STAMPS)/dev ## write a bill of materials (CycloneDX) into dist/
	@python -m tools.sbom

peers: $(STAMPS)/peers ## install the peers of `make bench` that take much room (1.5 GB)

faults: $(STAMPS)/core-faults $(STAMPS)/dev ## the long fault tests: kills, power cuts, slow watchers, mixed load
	@LONG=1 python -m pytest --timeout=900 -o faulthandler_timeout=1000 tests/faults

simulate: $(STAMPS)/core-faults $(STAMPS)/dev ## the long simulation: a hundred thousand seeds of nodes, faults and clients
	@LONG=1 python -m pytest --timeout=0 -o faulthandler_timeout=0 tests/simulation

oracles: $(STAMPS)/core-faults $(STAMPS)/dev ## the long comparison of every game with its oracle
	@LONG=1 python -m pytest --timeout=900 -o faulthandler_timeout=1000 tests/oracle

fuzz: $(STAMPS)/core-faults $(STAMPS)/dev ## fuzz all that reads from outside; SECONDS=30: for each target
	python -m tools.fuzz --seconds $(SECONDS)
	@LONG=1 python -m pytest tests/fuzz

mutants: $(STAMPS)/core-faults $(STAMPS)/mutants ## change code that must not be wrong, and see that tests notice
	@command -v cargo-mutants >/dev/null || cargo install cargo-mutants --locked --version $(CARGO_MUTANTS) --root $(VENV)
	@python -m tools.mutants

pack: $(STAMPS)/client $(STAMPS)/dev ## pack vectors and harness for clients of others into dist/
	@python -m tools.parity.pack

release: $(STAMPS)/client $(STAMPS)/dev $(STAMPS)/release ## build wheels, sdists, bills of materials and checksums in dist/
	rustup target add aarch64-unknown-linux-gnu
	@python -m tools.release

clean: ## remove all that was built, but no data
	rm -rf $(VENV) target clients/node_modules service/tablestate_service/_core*.so

$(STAMPS)/venv: export PATH := $(HOST_PATH)
$(STAMPS)/venv:
	@command -v $(PYTHON) >/dev/null || { echo "No $(PYTHON) here. Name a Python 3.11 or newer: make PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "$(PYTHON) is $$($(PYTHON) -V); Python 3.11 or newer is needed: make PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' || { \
		echo "$(PYTHON) cannot make virtual environments; on Debian: apt-get install python3-venv"; exit 1; }
	@command -v cargo >/dev/null || { echo "No cargo here: a Rust toolchain is needed (https://rustup.rs)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@mkdir -p $(STAMPS) && touch $@

# The locked sets: build is what run needs, dev adds tests and checks, bench and peers add peers.
$(STAMPS)/build $(STAMPS)/dev $(STAMPS)/bench $(STAMPS)/peers $(STAMPS)/mutants $(STAMPS)/release: $(STAMPS)/%: requirements/%.txt $(STAMPS)/venv
	python -m pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

# Node is a wheel of the set dev. What npm installs stays in clients/node_modules.
$(STAMPS)/npm: clients/package.json clients/package-lock.json clients/typescript/package.json clients/web/package.json $(STAMPS)/dev
	python -m tools.node npm ci --loglevel=error
	@touch $@

$(STAMPS)/client: clients/python/pyproject.toml $(STAMPS)/build
	python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e clients/python
	@touch $@

# The core is built for use, or for tests with the faults that they provoke. Both builds
# stay in target/, so changing from one to the other compiles the binding only.
FEATURES_plain := pyo3/extension-module
FEATURES_faults := pyo3/extension-module,faults

$(STAMPS)/core-plain $(STAMPS)/core-faults: $(STAMPS)/core-%: $(CORE_SOURCES) $(STAMPS)/client
	@rm -f $(STAMPS)/core-*
	PIP_QUIET=1 maturin develop --release --locked --features $(FEATURES_$*)
	@touch $@
