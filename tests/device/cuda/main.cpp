// The device starts this program again as its worker.
#include <gmock/gmock.h>

#include "device/cuda/worker.hpp"

int main(int argc, char** argv) {
  warpcheck::device::cuda::maybe_run_worker(argc, argv);
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
