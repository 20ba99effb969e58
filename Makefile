PYTHON ?= python3
BIN := .venv/bin
WITH ?= numpy torch matplotlib
OLD ?= site/ledger.json
export NO_MKDOCS_2_WARNING := 1

.PHONY: help site pdf offline anchors serve test lint-workflows bench drift translations citation requirements clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' Makefile

site: .venv/ready ## build both languages into site/, running every listing
	@$(BIN)/mkdocs build
	@$(BIN)/python -m livedoc verify site
	@echo
	@echo "The site is in $(CURDIR)/site: Italian at its root, English under site/en."
	@echo "To look at it: $(BIN)/python -m http.server -d site -b 127.0.0.1 8000, then http://127.0.0.1:8000/"

pdf: .venv/ready-test ## build the site with a PDF of each article, printed by Chromium [CHROMIUM=its path]
	@PDF=1 $(BIN)/mkdocs build
	@$(BIN)/python -m livedoc verify site

offline: .venv/ready ## make site-offline.zip, which is read without a server; site/ stays as it is
	@trial=$$(mktemp -d) && trap 'rm -rf "$$trial"' EXIT INT TERM && \
	OFFLINE=true $(BIN)/mkdocs build -d "$$trial/site" && \
	$(BIN)/python -m livedoc offline "$$trial/site" site-offline.zip
	@echo "Unzip site-offline.zip and open index.html in a browser: search works too."

anchors: .venv/ready ## note the section ids of the built site in docs/anchors.txt; none is ever removed
	@$(BIN)/python -m livedoc anchors site

serve: .venv/ready ## preview both languages at http://127.0.0.1:8000/, rebuilt as you write
	@$(BIN)/mkdocs serve

test: .venv/ready-test .venv/ready-node lint-workflows ## check style, types and workflows, then run all tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python -m pytest

lint-workflows: .venv/ready-test ## check the workflows: their schema, and zizmor's audits
	$(BIN)/check-jsonschema -q --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema -q --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/zizmor -q --offline --persona auditor .

bench: .venv/ready-test ## measure builds and previews, as ratios
	@$(BIN)/python tests/bench.py

# Standard output is the report. A build that other versions stop, say because a claim fell, is a result too.
drift: .venv/ready $(OLD) ## say what the newest releases change, or others: make drift WITH="numpy==2.4.5" [OLD=ledger.json]
	@trial=$$(mktemp -d) && trap 'rm -rf "$$trial"' EXIT INT TERM && \
	pip="$$trial/venv/bin/python -m pip install -q --disable-pip-version-check" && \
	$(PYTHON) -m venv "$$trial/venv" && $$pip -r requirements.txt && $$pip --upgrade $(WITH) && \
	$$pip --no-deps --no-build-isolation -e . && \
	if "$$trial/venv/bin/mkdocs" build -q -d "$$trial/site" >"$$trial/log" 2>&1; \
	then $(BIN)/python -m livedoc diff "$(OLD)" "$$trial/site/ledger.json"; \
	else printf '# The build stops\n\nWith %s:\n\n```text\n%s\n```\n' "$(WITH)" "$$(grep -v '^listing [0-9]' "$$trial/log")"; exit 1; fi

site/ledger.json:
	@$(MAKE) --no-print-directory site >&2

translations: .venv/ready ## bring snippets/it.po up to date with the words of the listings
	@$(BIN)/pybabel -q extract -F pyproject.toml --add-location=file --sort-by-file -o .venv/snippets.pot snippets
	@$(BIN)/pybabel -q update -i .venv/snippets.pot -o snippets/it.po -l it --no-fuzzy-matching --ignore-obsolete \
		--ignore-pot-creation-date
	@$(BIN)/python -m livedoc.words snippets/it.po

citation: .venv/ready ## write CITATION.cff anew from the front matter of the English home page
	@$(BIN)/python -m livedoc cff

requirements: .venv/ready ## pin every package anew from the ranges in pyproject.toml
	$(BIN)/python -m pip install -q uv
	$(BIN)/uv pip compile -q -U --universal --fork-strategy fewest --python-version 3.11.5 --no-annotate \
		--custom-compile-command "make requirements" pyproject.toml -o requirements.txt
	$(BIN)/uv pip compile -q -U --universal --fork-strategy fewest --python-version 3.11.5 --no-annotate \
		--custom-compile-command "make requirements" -c requirements.txt --group pyproject.toml:test -o tests/requirements.txt

clean: ## remove what the other targets made
	rm -rf .venv tests/node/node_modules site site.staging site.previous site-offline.zip livedoc.egg-info

# Nothing is installed again until a list of packages changes.
.venv/ready: requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11, 5) and "Python 3.11.5 or newer is needed: make PYTHON=…")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install -q --disable-pip-version-check -r requirements.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

.venv/ready-test: .venv/ready tests/requirements.txt
	$(BIN)/python -m pip install -q --disable-pip-version-check -r tests/requirements.txt
	@touch $@

# What judges the pages and runs on Node; where there is no npm, its tests are skipped and say so.
.venv/ready-node: .venv/ready tests/node/package-lock.json
	@if command -v npm >/dev/null; then npm ci --prefix tests/node --ignore-scripts --no-audit --no-fund --silent; fi
	@touch $@
