# `make help` lists the targets. Node 20 and npm are enough to start with: npm brings the Node that the
# project runs on (see "optionalDependencies" in package.json).
#
# Values from outside (VERSION=…, a tag) are in the environment of the recipes. As text of a recipe, the shell would run what is in them.

SHELL := /bin/sh
.DEFAULT_GOAL := help

INSTALLED := node_modules/.package-lock.json
PAGES_INSTALLED := web/node_modules/.package-lock.json
SERVICE := dist/main.js
PAGES := web/dist/index.html
COMMAND := cli/dist/secretsctl.cjs

# A build that fails after it has written its files is no build.
.DELETE_ON_ERROR:

.PHONY: help
help: ## Show this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z][a-z0-9-]*:.*## / {printf "  %-18s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

$(INSTALLED): package.json package-lock.json
	npm ci
	@touch $(INSTALLED)

# npm alone is enough for it: it can be installed beside the rest.
$(PAGES_INSTALLED): web/package.json web/package-lock.json
	npm ci --prefix web
	@touch $(PAGES_INSTALLED)

.PHONY: setup
setup: $(INSTALLED) $(PAGES_INSTALLED) ## Install what the project needs

# Folders are listed, too: they are newer than the build when a file of theirs is removed.
$(SERVICE): $(INSTALLED) tsconfig.json tsconfig.build.json hack/bundle-packages.ts $(shell find src hack/bundle)
	npm run build:service

$(COMMAND): $(INSTALLED) cli/package.json $(shell find cli/src cli/scripts src/contract)
	npm run build:cli

$(PAGES): $(INSTALLED) $(PAGES_INSTALLED) web/index.html web/vite.config.ts $(shell find web/public web/scripts web/src src/contract)
	npm run build:pages

.PHONY: build
build: $(SERVICE) $(PAGES) $(COMMAND) ## Compile the service into dist/, the pages into web/dist/ and the command line into cli/dist/, where sources are newer

.PHONY: run
run: build ## Run the whole thing: service, development cluster, identity provider, demo data
	@npm run --silent dev

.PHONY: programs
programs: ## Get the programs that tests use where they are missing: Debian's browsers, identity provider, proxy, jq, Python and Go
	hack/install-chromium
	hack/install-firefox
	hack/install-glewlwyd
	hack/install-nginx
	hack/install-jq
	hack/install-python3
	hack/install-go

.PHONY: test
test: build programs test-alone ## Run all tests, with a real browser, identity provider and proxy
	npm run test:browser

.PHONY: test-alone
test-alone: build programs ## Run the tests without a browser, some of which measure turns and processor time: run nothing beside them
	npm test
	npm run test:pages

.PHONY: test-image
test-image: $(INSTALLED) ## Build the image with buildah, or replay the Dockerfile's steps, which installs everything again
	hack/test-image

.PHONY: test-simulation
test-simulation: $(INSTALLED) ## Run replicas in 20,000 simulated orders of calls, crashes and watch events (SIMULATION_SEEDS)
	npm run test:simulation

.PHONY: test-consistency
test-consistency: build ## Judge 20,000 operations under faults and kills (CONSISTENCY_SECONDS: for longer; TEST_KUBECONFIG: elsewhere)
	npm run test:consistency

.PHONY: coverage
coverage: $(INSTALLED) ## Run the unit tests and show what they cover of src/; the files are in reports/coverage/index.html
	npm run test:coverage

.PHONY: test-mutations
test-mutations: $(INSTALLED) ## Plant bugs in history, secrets and access, and see each caught (MUTANT: only those that contain it)
	@npm run --silent test:mutations

.PHONY: test-storm
test-storm: $(INSTALLED) ## Hold lists from memory to their promise for three minutes of a misbehaving cluster (CACHE_STORM_SECONDS)
	npm run test:storm

.PHONY: test-soak
test-soak: build ## Write 20,000 times with ever new names, keys, rules and people, and hold the heap to that of the beginning (SOAK_WRITES)
	npm run test:soak

.PHONY: test-fuzz
test-fuzz: build ## Send the service 50,000 generated requests (FUZZ_REQUESTS), 250 Secrets of expensive values (FUZZ_LIVES) and every hostile text in every place, and hold what they cost to its bounds
	npm run test:fuzz

.PHONY: test-browser
test-browser: build programs ## Run the pages in a real browser, and keep a picture of every screen (SHOTS=0 keeps none)
	SHOTS=$${SHOTS-1} npm run test:browser

.PHONY: test-alerts
test-alerts: $(INSTALLED) ## Run the alert rules with promtool (installs Debian's prometheus when it is missing)
	hack/install-promtool
	npm run test:alerts

.PHONY: test-contract
test-contract: build ## Run the contract suite on the cluster that KUBECONFIG names
	@test -n "$$KUBECONFIG" || { echo "test-contract: set KUBECONFIG to the cluster to test on"; exit 2; }
	TEST_KUBECONFIG="$$KUBECONFIG" npm run test:contract

.PHONY: test-guides
test-guides: build ## Follow docs/install.md and docs/operations.md on the cluster that KUBECONFIG names
	@test -n "$$KUBECONFIG" || { echo "test-guides: set KUBECONFIG to the cluster to test on"; exit 2; }
	hack/install-jq
	TEST_KUBECONFIG="$$KUBECONFIG" REPORT_FILE=reports/guides.json npm test -- --project integration --no-file-parallelism test/integration/docs/install-guide test/integration/docs/operations-guide

.PHONY: e2e
e2e: build ## Prove an installation end to end: on the cluster of E2E_KUBECONFIG (.dev/kubeconfig will do), or on kind; E2E_OVERLAY: yours
	@hack/install-jq
	@npm run --silent test:e2e

.PHONY: image
image: ## Build the container image with docker, podman or buildah (ENGINE, IMAGE, VERSION, TARGET)
	@hack/image

.PHONY: reproducible
reproducible: setup ## Build twice, in other folders, time zones and locales, and compare every byte
	@npm run --silent reproducible

.PHONY: release
release: $(INSTALLED) ## Write what a release changes here: VERSION=1.2.3 (DRY_RUN=1 only lists it). Then commit and tag it
	@npm run --silent release -- prepare "--version=$$VERSION" $${DRY_RUN:+--dry-run}
	@test -n "$$DRY_RUN" || $(MAKE) --silent manifests

.PHONY: release-tag
release-tag: ## Fail unless TAG names the version of package.json
	@test "$$TAG" = "v$$(sed -n 's/^  "version": "\(.*\)",$$/\1/p' package.json)" || { echo "release-tag: the tag is not v and the version of package.json"; exit 1; }

.PHONY: release-files
release-files: $(SERVICE) ## Write install.yaml with the image of IMAGE=…@sha256:…, and the SBOM, into release/
	@npm run --silent release -- files "--image=$$IMAGE"

.PHONY: release-cli
release-cli: $(COMMAND) ## Write the package of secretsctl, and its krew manifest for URL=https://…, into release/
	@npm run --silent release:cli

.PHONY: release-image
release-image: ## Join the pushed images of both platforms to IMAGE:VERSION, write release/, and sign it (docker with buildx, cosign)
	@hack/release-image

.PHONY: image-check
image-check: $(INSTALLED) ## Go through the Dockerfile's steps without a container engine, and start what comes out
	npm run --silent image:check

.PHONY: manifests
manifests: $(INSTALLED) ## Render manifests/ from kustomize/, and the templates of the Helm chart from them
	npm run --silent manifests
	npm run --silent chart

.PHONY: bench
bench: build ## Measure lists, memory, relists, freshness, the command line and hostile clients (on BENCH_KUBECONFIG's cluster when it is set)
	@npm run --silent bench

.PHONY: lint
lint: setup ## Check the types, and lint: the service, the command line, the tools, the tests and the pages
	npm run lint

.PHONY: imports
imports: setup ## Check the directions of imports
	npm run imports

.PHONY: check-files
check-files: setup ## Check format, vocabulary, rendered manifests by schemas, pinned images, OpenAPI document
	npm run format:check
	npm run --silent vocabulary
	npm run manifests:check
	npm run --silent chart:check
	npm run --silent images:check
	npm run --silent openapi:check
	npm --prefix web run client-types:check

.PHONY: check
check: lint imports check-files licences ## All of lint, imports, check-files and licences

.PHONY: verify
verify: check ## check, and the work tree is clean
	@test -z "$$(git status --porcelain)" || { git status --short; echo "verify: the work tree is not clean"; exit 1; }

.PHONY: licences
licences: setup ## Hold the licences of what is shipped to the list of allowed ones (offline)
	@npm run --silent licences

.PHONY: audit-dependencies
audit-dependencies: setup ## Look for advisories about what is shipped, where the registry answers
	@npm run --silent audit:dependencies

.PHONY: format
format: $(INSTALLED) ## Format all files
	npm run format

.PHONY: clean
clean: ## Remove what is built, not what is installed or kept in .dev
	rm -rf dist web/dist cli/dist coverage reports
