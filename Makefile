# Thin fronts for scripts/ and the CMake presets. Each works in a fresh clone of a bare Debian 12.
.PHONY: check test bench build format tidy clean

JOBS ?= $(shell nproc)

check: setup
	@cmake --build --preset release --target warpcheck
	build/bin/warpcheck check

# The whole suite, and under AddressSanitizer and UndefinedBehaviorSanitizer the tests of bad input.
# Both run, whichever fails; the whole suite's summary comes last.
test: test_programs build
	@cmake --preset asan --log-level=WARNING
	@cmake --build --preset asan --target input_tests
	@ctest --preset asan -L input -j $(JOBS); inputs=$$?; \
	 ctest --preset release -j $(JOBS) && exit $$inputs

# Speeds, beside Oclgrind's on the same work where there is a Debian package of it.
bench:
	@scripts/install-dependencies oclgrind
	@cmake --preset release --log-level=WARNING
	@cmake --build --preset release --target bench

build: setup
	@cmake --build --preset release

.PHONY: setup test_programs
test_programs:
	@scripts/install-dependencies --tests

setup:
	@scripts/install-dependencies
	@cmake --preset release --log-level=WARNING

format:
	@scripts/install-dependencies
	@scripts/check-format --fix

# clang-tidy over every source of the build; it reads the generated headers, so the build comes first.
tidy: build
	@scripts/install-dependencies clang-tidy-14
	@git ls-files '*.cpp' | xargs -n 1 -P $(JOBS) clang-tidy-14 -p build --quiet

clean:
	rm -rf build build-dev build-asan build-tsan build-clang build-fuzz
