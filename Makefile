# Linnet. Two commands are enough: `make run` shows it, `make test` proves it.
#
#   setup    install what is missing (says what it installs)
#   run      setup, build, and start Linnet inside a simulated Nostr on this machine
#   test     setup, build, and run every test: units, interop, browser
#   build    the program, optimised, in .build/release/linnet
#   check    lint, imports, docs: what .ci/run does after the tests
#   also: demo lint format docs bench fuzz soak vectors clean

SHELL := /bin/bash
.DEFAULT_GOAL := build
.PHONY: setup setup-test run demo build test lint format docs bench fuzz soak vectors check imports clean

# An import that Package.swift does not list does not compile.
SWIFT_BUILD_FLAGS := --explicit-target-dependency-import-check error
# Left alone, all tests begin at once, and on a busy machine each then waits for all others beyond any time limit.
A_FEW_AT_ONCE := --experimental-maximum-parallelization-width 8
# Accounts at work are many tasks each, which a hundred suites at once would starve; they run as a group of their own.
ACCOUNTS := ^NostrClientTests\.
# Tests over real sockets have real deadlines, so they run one after the other and apart from what keeps all cores busy.
SOCKETS := ^(WebSocketNIOTests|NostrWorldTests|LinnetTests|PushProxyTests|Interop)\.
# One file that needs no Swift on the machine it runs on, and starts faster and smaller; Apple's systems bring Swift along.
ONE_FILE := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
ENVIRONMENT := . scripts/environment.sh &&

setup:
	@scripts/setup.sh run

setup-test:
	@scripts/setup.sh test

build: setup
	@echo "Building the optimised program (the first time takes several minutes) ..."
	@$(ENVIRONMENT) swift build $(SWIFT_BUILD_FLAGS) $(ONE_FILE) -c release --product linnet
	@$(ENVIRONMENT) swift build $(SWIFT_BUILD_FLAGS) $(ONE_FILE) -c release --product linnet-wake

run: demo

demo: build
	@.build/release/linnet serve --demo

test: setup-test
	@echo "Building the program and its tests (the first time takes several minutes) ..."
	@$(ENVIRONMENT) swift build $(SWIFT_BUILD_FLAGS) --build-tests
	@$(ENVIRONMENT) scripts/run_tests.py -- swift test $(SWIFT_BUILD_FLAGS) $(A_FEW_AT_ONCE) --skip-build --skip "$(SOCKETS)" --skip "$(ACCOUNTS)"
	@$(ENVIRONMENT) scripts/run_tests.py -- swift test $(SWIFT_BUILD_FLAGS) $(A_FEW_AT_ONCE) --skip-build --filter "$(ACCOUNTS)"
	@$(ENVIRONMENT) scripts/run_tests.py -- swift test $(SWIFT_BUILD_FLAGS) --skip-build --filter "$(SOCKETS)" --no-parallel
	@$(ENVIRONMENT) scripts/browser.sh

lint:
	@$(ENVIRONMENT) swift format lint --strict --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

format:
	@$(ENVIRONMENT) swift format --in-place --parallel --recursive Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources

imports:
	@$(ENVIRONMENT) swift build $(SWIFT_BUILD_FLAGS)

docs:
	@$(ENVIRONMENT) scripts/build_docs.sh

check: lint imports docs

bench: setup
	@$(ENVIRONMENT) swift run --package-path Benchmarks $(ONE_FILE) -c release linnet-bench

fuzz: setup
	@$(ENVIRONMENT) LINNET_FUZZ_ROUNDS=$${LINNET_FUZZ_ROUNDS:-100} swift test $(SWIFT_BUILD_FLAGS) --filter "[Nn]oise|Property|RelayURLTests"

# Worlds of 2 to 32 members, for hours; LINNET_SOAK_SEED=n goes through world n alone. Hashes that
# are always the same make it go the same way again.
soak: setup
	@$(ENVIRONMENT) SWIFT_DETERMINISTIC_HASHING=1 LINNET_SOAK_WORLDS=$${LINNET_SOAK_WORLDS:-200} swift test $(SWIFT_BUILD_FLAGS) --filter "SessionSoakTests"

vectors:
	@scripts/vectors.sh

clean:
	@rm -rf .build .venv-peers .venv-browser
