# Short commands for scripts/ and the CMake presets. Each works in a fresh clone on a bare Debian 12.
.PHONY: check test sanitize bench build wheel format tidy clean

JOBS ?= $(shell nproc)

check: setup
	@cmake --build --preset release --target warpcheck
	build/bin/warpcheck check --cases 25

test: test_programs build
	@ctest --preset release -j $(JOBS)

# Runs the tests of the readers of input, and those of wrong input of the whole command, under AddressSanitizer and
# UndefinedBehaviorSanitizer. It compiles the whole command for that, so that `make test` leaves it to CI.
sanitize: test_programs setup
	@cmake --preset asan --log-level=WARNING
	@cmake --build --preset asan --target input_tests command_tests
	@ctest --preset asan -L 'input|command' -j $(JOBS)

# Measures the speed of the virtual device, and of Oclgrind and PoCL on the same work.
bench:
	@scripts/install-dependencies oclgrind pocl-opencl-icd ocl-icd-opencl-dev
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

# The wheel of the Python package, with the command and the libraries that it needs.
wheel:
	@scripts/install-dependencies
	@scripts/make-wheel

format:
	@scripts/install-dependencies
	@scripts/check-format --fix

# Runs clang-tidy on every source of the build. It reads generated headers, so the build comes first.
tidy: build
	@scripts/install-dependencies clang-tidy-14
	@git ls-files '*.cpp' | xargs -n 1 -P $(JOBS) clang-tidy-14 -p build --quiet

clean:
	rm -rf .cache build build-dev build-asan build-tsan build-clang build-fuzz build-wheel
