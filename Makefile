# A thin front: the build itself is Meson's. `make run` and `make test` work on a fresh Debian.

BUILD = build
TEST_BUILD = build-test
TRAPS = -fsanitize-undefined-trap-on-error
RUN_DIR = campaign
RUN_TIME = 60s

.PHONY: all run test slow bench install uninstall clean deps

all: $(BUILD)/build.ninja
	@ninja -C $(BUILD) --quiet

# A one-minute campaign of smith against every C compiler that is installed. Exit status 1 of
# `assay run` means that it found something, which is no failure of make.
run: deps all
	@$(BUILD)/assay run --dir $(RUN_DIR) --time $(RUN_TIME) || [ $$? = 1 ]

# The quick suites, built with ASan and UBSan: -Og -g1 is built in less than half the time of -O2 -g,
# and runs a tenth slower. What UBSan finds is a trap (SIGILL: a debugger shows the line), and no message: the tables for
# the messages are most of what each start of a program with sanitizers costs.
test: deps $(TEST_BUILD)/build.ninja
	@scripts/test $(TEST_BUILD) unit golden replay e2e

# What takes hours, and the quick suites at length (tap_amount in tests/tap.h).
slow: deps $(TEST_BUILD)/build.ninja
	@AT_LENGTH=1 scripts/test $(TEST_BUILD) slow unit e2e

# Side by side with what others use; about an hour and a half on two cores.
bench: all
	@bench/harness
	@bench/generate
	@bench/constructs
	@bench/interp
	@bench/lala
	@bench/lala --ablation
	@bench/optimiser
	@bench/optimiser --generator yarp
	@bench/optimiser --together
	@bench/policies
	@bench/spe
	@bench/lm
	@bench/samples
	@bench/reduce
	@bench/bugs

deps:
	@scripts/deps

$(BUILD)/build.ninja:
	@meson setup $(BUILD) --buildtype=release >/dev/null

$(TEST_BUILD)/build.ninja:
	@meson setup $(TEST_BUILD) -Doptimization=g -Ddebug=true "-Dc_args=-g1 $(TRAPS)" -Dc_link_args=$(TRAPS) \
		-Db_sanitize=address,undefined -Db_lundef=false >/dev/null

install: all
	meson install -C $(BUILD) --no-rebuild

uninstall:
	scripts/uninstall $(BUILD)

clean:
	rm -rf $(BUILD) $(TEST_BUILD)
