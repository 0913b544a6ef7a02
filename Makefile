# Quicksand needs Go and, for the cgo engine, gcc. Nothing else is installed.

GO    ?= go
T     ?= 60s
BENCH ?= .

.PHONY: test short lint race pure long cross fuzz bench

# What continuous integration runs, cheapest first.
test: lint long race pure cross

# A minute, for every save.
short:
	$(GO) test -short ./...

# gofmt prints what it would change; any output is a failure.
lint:
	@out="$$(gofmt -l .)"; if [ -n "$$out" ]; then echo "gofmt: $$out"; exit 1; fi
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

# Everything on both engines, with the long variants.
long:
	$(GO) test -timeout 20m ./...

# The race detector makes the pure engine about ten times slower, so the short variants.
race:
	$(GO) test -race -short -timeout 20m ./...

# As on platforms without cgo: the pure engine alone.
pure:
	CGO_ENABLED=0 $(GO) test -timeout 20m ./...

# The main module builds without cgo on every supported platform.
cross:
	for t in linux/amd64 linux/arm64 linux/riscv64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64; do \
		echo "$$t"; CGO_ENABLED=0 GOOS=$${t%/*} GOARCH=$${t#*/} $(GO) build ./... || exit 1; done

# Each fuzz target for T. Minimizing is cut short, or it eats the minute.
fuzz:
	@set -e; for pkg in $$($(GO) list ./...); do \
		for f in $$($(GO) test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
			echo "$$pkg $$f"; $(GO) test -run '^$$' -fuzz "^$$f$$" -fuzztime $(T) -fuzzminimizetime 1s $$pkg; done; done

# The figures in DESIGN.md: medians of five.
bench:
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -count 5 ./...
