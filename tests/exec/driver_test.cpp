// Programs that use the driver API beside the runtime.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/exec/fixture.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;

const std::string kDriverAndRuntime =
    "-cudart shared -L'" + std::filesystem::path(WARPCHECK_CUDA_STUB).parent_path().string() +
    "' -lcuda ";

TEST_F(Exec, DriverHasArraysTexturesAndSurfaces) {
  compile("driver/arrays", kDriverAndRuntime);
  const Result right = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(right.out, "correct\n");
  EXPECT_EQ(right.status, 0) << right.error;
  EXPECT_THAT(right.error, HasSubstr(": 0 findings\n"));
  compile("driver/arrays", kDriverAndRuntime + "-DDEFECT");
  const Result wrong = scratch.run({"exec", "./program"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(in_one_line(wrong.error),
              HasSubstr("error[out-of-bounds]: 4-byte surface store to byte 32 of row 0 of surface "
                        "object 1, which has 4 rows of 32 bytes"));
  EXPECT_THAT(wrong.error,
              HasSubstr(fmt::format("driver/arrays.cu:{}:", line_of_finding("driver/arrays"))));
  EXPECT_THAT(wrong.error, HasSubstr("launched by surface_and_texture() at "));
}

}  // namespace
}  // namespace warpcheck::tool
