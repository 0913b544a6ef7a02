# Quicksand needs Go and, for the cgo engine, gcc; the guest packs it ships need npm once, which
# packs installs where it can.

GO    ?= go
T     ?= 60s
BENCH ?= .

.PHONY: test packs short lint race flat pure cross aac fuzz bench microbench bench-peers counts

# What continuous integration runs, about half an hour on two cores:
#
#   packs  the guest packs, which the tests and the command line embed
#   lint   gofmt, vet, staticcheck
#   race   all tests of all packages, long ones too but for modules of the host, both engines,
#          with the race detector
#   flat   the root package on the cgo engine without it: how much memory the process takes
#          and how late a run ends, which the detector distorts; with valgrind, how many
#          instructions the hottest paths take
#   pure   all tests without cgo and without the detector: the same for the pure engine, and
#          in full the long loops of the engine suite that are shorter or left out in race,
#          where the pure engine is about ten times slower
#   cross  builds for the other platforms
#   aac    the module that reads AAC, which is not part of the main one
test: packs lint race flat pure cross aac

# The libraries come in the exact versions of the lock file, without running anything of theirs.
# node_modules tells with a lock file of its own that it is complete.
# Popular packages that are not shipped come with them, for a test.
packs: packs/node_modules/.package-lock.json testdata/packs/npm-popular/node_modules/.package-lock.json
	$(GO) run ./packs/build packs

packs/node_modules/.package-lock.json: packs/package.json packs/package-lock.json
	@command -v npm >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
		apt-get update -qq && apt-get install -y -qq --no-install-recommends npm; } || \
		{ echo "make packs needs npm: install Node.js"; exit 1; }
	cd packs && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

testdata/packs/npm-popular/node_modules/.package-lock.json: testdata/packs/npm-popular/package-lock.json | packs/node_modules/.package-lock.json
	cd testdata/packs/npm-popular && npm ci --ignore-scripts --no-audit --no-fund
	@touch $@

# A minute, for every save.
short:
	$(GO) test -short ./...

# gofmt prints what it would change; any output is a failure.
lint:
	@out="$$(gofmt -l .)"; if [ -n "$$out" ]; then echo "gofmt: $$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# The cgo engine's loops run in full here: there is no detector in C code. Modules of the host
# are tried with the largest and worst inputs in pure; ten times slower that would take an hour.
race:
	$(GO) test -race -timeout 60m $$($(GO) list ./... | grep -v /hostmods/)
	$(GO) test -race -short -timeout 20m ./hostmods/...

flat:
	$(GO) test -timeout 20m -run '/cgo' .
	$(GO) test ./bench/instructions

# As on platforms without cgo: the pure engine alone.
pure:
	CGO_ENABLED=0 $(GO) test -timeout 20m ./...

# The main module builds without cgo on every supported platform.
cross:
	for t in linux/amd64 linux/arm64 linux/riscv64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do \
		echo "$$t"; CGO_ENABLED=0 GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) build ./... || exit 1; done

aac:
	cd media/audio/aac && $(GO) vet ./... && $(GO) test ./...

# Each fuzz target for T. Minimizing is cut short, or it eats the minute.
fuzz:
	@set -e; for pkg in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "$$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(T) -fuzzminimizetime 1s $$pkg; done; done

# Both engines at all workloads, in two minutes; bench/out/own.html shows them.
bench: packs
	mkdir -p bench/out
	$(GO) run ./cmd/quicksand bench --json bench/out/own.json --html bench/out/own.html

# The figures in DESIGN.md: medians of five.
microbench:
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count 5 ./...

# Side by side with everything that one would take instead: RESULTS.md, and the pictures of
# bench/out/peers.html. Then libraries for media and archives, in more detail: IMAGE.md,
# CANVAS.md, AUDIO.md and ZIP.md. All of it is a quarter of an hour, after an installation that
# compiles isolated-vm. Peers that are not installed are named as skipped.
bench-peers: packs
	@mkdir -p bench/out
	cd bench/peers && { test node_modules/.package-lock.json -nt package-lock.json || npm ci --no-audit --no-fund || \
		echo "npm failed: the peers for Node may be skipped"; }
	$(GO) run ./cmd/quicksand bench --peers bench/peers --json bench/out/peers.json --html bench/out/peers.html --svg bench/out/charts --markdown RESULTS.md
	cd bench/peers && for p in image canvas audio zip; do $(GO) run -mod=mod ./$$p -rounds 3 || exit 1; done

# The counts of instructions that guard the hottest paths, after a change that is meant.
counts:
	$(GO) test ./bench/instructions -update
