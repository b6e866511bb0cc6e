# Linnet. Two commands are enough: `make run` shows it, `make test` proves it.
#
#   setup    install what is missing (says what it installs)
#   run      setup, build, and start Linnet inside a simulated Nostr on this machine
#   test     setup, build, and run every test: units, interop, browser
#            make test T=NostrRelay runs those of one target, make test T=Browser those in the browser, T=Load the
#            attacks in small, counted
#   build    the program, optimised, in .build/release/linnet
#   check    lint, imports, docs: what .ci/run does after the tests
#   load     attack the optimised program while honest clients measure it, and say which bounds hold (Linux);
#            LOAD="--program relay pings" or LOAD="kills disk" picks some of it; LOAD=--short counts and measures no times
#   slow-line  how soon home is there on a slow phone over a line like 3G, against what is promised
#   ten-tabs   how soon home is there with nine other pages open, against home alone; and how soon pages come while notes do
#   also: demo lint format docs bench fuzz soak vectors clean
#
# LINNET_BUILD=folder builds there in place of .build.

SHELL := /bin/bash
.DEFAULT_GOAL := build
.PHONY: setup setup-test run demo build build-tests test lint format docs bench fuzz soak vectors check imports clean load slow-line ten-tabs

# An import that Package.swift does not list does not compile.
export LINNET_BUILD_FLAGS := --explicit-target-dependency-import-check error $(if $(LINNET_BUILD),--scratch-path $(LINNET_BUILD))
BUILD := $(or $(LINNET_BUILD),.build)
# One file that needs no Swift on the machine it runs on, and starts faster and smaller; Apple's systems bring Swift along.
# Nothing is loaded into it that would look for its symbols, and 50 000 names take two to four megabytes of memory.
ONE_FILE := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib -Xlinker --no-export-dynamic)
ENVIRONMENT := . scripts/environment.sh &&
TIMED := scripts/timing.py run
# The tests of one target.
T ?=

setup:
	@scripts/setup.sh run

# What keeps the times is written in Python, which a bare system gets by the first setup only.
setup-test:
	@command -v python3 >/dev/null || scripts/setup.sh run
	@$(TIMED) "setup" scripts/setup.sh test

build: setup
	@echo "Building the optimised program (the first time takes several minutes) ..."
	@$(ENVIRONMENT) swift build $(LINNET_BUILD_FLAGS) $(ONE_FILE) -c release --product linnet
	@$(ENVIRONMENT) swift build $(LINNET_BUILD_FLAGS) $(ONE_FILE) -c release --product linnet-wake
	@$(ENVIRONMENT) swift build $(LINNET_BUILD_FLAGS) $(ONE_FILE) -c release --product linnet-media

run: demo

demo: build
	@$(BUILD)/release/linnet serve --demo

build-tests: setup-test
	@echo "Building the program and its tests (the first time takes several minutes) ..."
	@$(ENVIRONMENT) $(TIMED) "build" swift build $(LINNET_BUILD_FLAGS) --build-tests

test: build-tests
ifeq ($(T),)
	@$(ENVIRONMENT) scripts/run_tests.py
	@$(TIMED) "tests: load" scripts/load.sh --short
	@$(ENVIRONMENT) $(TIMED) "tests: browser" scripts/browser.sh
else ifeq ($(T),Load)
	@scripts/load.sh --short
else ifeq ($(T),Browser)
	@$(ENVIRONMENT) scripts/browser.sh
else
	@$(ENVIRONMENT) scripts/run_tests.py $(T)
endif

lint:
	@$(ENVIRONMENT) $(TIMED) "lint" swift format lint --strict --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources
	@$(TIMED) "lint: waits" scripts/check_awaits.py

format:
	@$(ENVIRONMENT) swift format --in-place --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

imports:
	@$(ENVIRONMENT) $(TIMED) "imports" swift build $(LINNET_BUILD_FLAGS)

docs:
	@$(ENVIRONMENT) $(TIMED) "docs" scripts/build_docs.sh

check: lint imports docs

bench: setup
	@scripts/nginx.sh
	@$(ENVIRONMENT) swift run --package-path Benchmarks $(ONE_FILE) -c release linnet-bench

load: setup-test build
	@scripts/load.sh $(LOAD)

slow-line: setup-test build
	@LINNET_BIN=$${LINNET_BIN:-$${LINNET_BUILD:-$$PWD/.build}/release/linnet} .venv-browser/bin/python Tests/Browser/slow_line.py

ten-tabs: setup-test build
	@LINNET_BIN=$${LINNET_BIN:-$${LINNET_BUILD:-$$PWD/.build}/release/linnet} .venv-browser/bin/python Tests/Browser/ten_tabs.py

fuzz: setup
	@$(ENVIRONMENT) LINNET_FUZZ_ROUNDS=$${LINNET_FUZZ_ROUNDS:-100} swift test $(LINNET_BUILD_FLAGS) --filter "[Nn]oise|Property|RelayURLTests"

# Worlds of 2 to 32 members, for hours; LINNET_SOAK_SEED=n goes through world n alone. Hashes that
# are always the same make it go the same way again.
soak: setup-test
	@$(ENVIRONMENT) SWIFT_DETERMINISTIC_HASHING=1 LINNET_SOAK_WORLDS=$${LINNET_SOAK_WORLDS:-200} LINNET_MLS_STEPS=$${LINNET_MLS_STEPS:-1500} swift test $(LINNET_BUILD_FLAGS) --filter "SessionSoakTests|GroupsAgainstMLS"

vectors:
	@scripts/vectors.sh

clean:
	@rm -rf .build .venv-peers .venv-browser .peer-nginx
