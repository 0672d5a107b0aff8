// The device starts this program again as its worker. Returns 77 if a test was skipped and none
// failed.
#include <gmock/gmock.h>

#include "device/cuda/worker.hpp"

int main(int argc, char** argv) {
  warpcheck::device::cuda::maybe_run_worker(argc, argv);
  testing::InitGoogleMock(&argc, argv);
  const int status = RUN_ALL_TESTS();
  const int skipped = testing::UnitTest::GetInstance()->skipped_test_count();
  return status == 0 && skipped > 0 ? 77 : status;
}
