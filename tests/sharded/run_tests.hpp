// The status of a program that ctest runs in shards (warpcheck_test in cmake/rooms.cmake).
#pragma once

#include <gmock/gmock.h>

namespace warpcheck::sharded {

/// Runs the tests. Returns 77, which ctest shows as skipped, if a test was skipped and none failed.
inline int run_tests(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  const int status = RUN_ALL_TESTS();
  const int skipped = testing::UnitTest::GetInstance()->skipped_test_count();
  return status == 0 && skipped > 0 ? 77 : status;
}

}  // namespace warpcheck::sharded
