// The device starts this program again as its worker.
#include "device/cuda/worker.hpp"
#include "tests/sharded/run_tests.hpp"

int main(int argc, char** argv) {
  warpcheck::device::cuda::maybe_run_worker(argc, argv);
  return warpcheck::sharded::run_tests(argc, argv);
}
