# Every target sets up what it needs. `make help` lists them.
SHELL := /bin/bash
PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
ARGS ?= skills list --dir examples/skills

.DEFAULT_GOAL := help
.PHONY: help setup run test lint format docs bench lock clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/ready ## Make .venv and install Metier with everything it needs

.venv/ready: pyproject.toml constraints.txt
	@rm -f $@
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv --quiet --allow-existing --python $(PYTHON) .venv && \
	  uv pip install --quiet --python $(BIN)/python --compile-bytecode -c constraints.txt -e '.[all,dev]'; \
	else \
	  $(PYTHON) -m venv .venv && \
	  $(BIN)/pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[all,dev]'; \
	fi
	@touch $@

run: setup ## Run metier (ARGS="..." for another command)
	@$(BIN)/metier $(ARGS)

test: lint ## Lint, then every test, in parallel
	$(BIN)/pytest -n auto --dist worksteal

lint: setup ## Format, lint, types, import directions, shape
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache
	$(BIN)/pytest tests/shape

format: setup ## Rewrite the code in the house format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

docs: setup ## Regenerate the reference pages and .env.example
	$(BIN)/python scripts/make_docs.py

bench: setup ## Measure the figures; print them and save bench-results/*.json
	$(BIN)/metier bench

lock: ## Pin every dependency again (needs uv)
	uv pip compile --quiet --universal --python-version 3.11 --all-extras --upgrade \
	  --no-emit-index-url --no-emit-find-links --no-annotate --no-header pyproject.toml -o constraints.txt

clean: ## Remove what the other targets made
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache bench-results dist build
