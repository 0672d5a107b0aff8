// Functions of the CUDA runtime under `warpcheck exec`.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "contract/compile/nvcc.hpp"
#include "tests/exec/fixture.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;

class ExecRuntime : public Exec {};

// The errors are those of an H200.
TEST_F(ExecRuntime, CaptureErrorsAreThoseOfCuda) {
  compile("capture_errors");
  const Result result = scratch.run({"exec", "./program"});
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, R"(allowed: cudaSuccess, cudaSuccess
synchronize: cudaErrorStreamCaptureUnsupported, cudaErrorStreamCaptureInvalidated
device: cudaErrorStreamCaptureUnsupported, cudaErrorStreamCaptureInvalidated
malloc: cudaErrorStreamCaptureUnsupported, cudaErrorStreamCaptureInvalidated
legacy: cudaErrorStreamCaptureImplicit, cudaErrorStreamCaptureInvalidated
no bytes: cudaSuccess, cudaSuccess
begin: cudaErrorIllegalState, cudaSuccess
end: cudaErrorStreamCaptureUnmatched, cudaErrorStreamCaptureInvalidated
query: cudaErrorCapturedEvent, cudaErrorStreamCaptureInvalidated
unjoined: cudaSuccess, cudaErrorStreamCaptureUnjoined
isolation: cudaErrorStreamCaptureIsolation, cudaErrorStreamCaptureInvalidated
relaxed: cudaSuccess, cudaSuccess
null: cudaErrorStreamCaptureUnsupported
not begun: cudaErrorIllegalState
)");
  EXPECT_THAT(result.error,
              HasSubstr("error[api-misuse]: cudaStreamSynchronize: the stream is being captured"));
  EXPECT_THAT(result.error, HasSubstr("0 runs of kernels"));
}

TEST_F(ExecRuntime, RelocatableDeviceCodeIsLinked) {
  const std::string options = "-cudart shared -rdc=true " + source_of("linked/part");
  compile("linked/main", options);
  const Result right = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(right.out, "correct\n");
  EXPECT_EQ(right.status, 0) << right.error;
  compile("linked/main", options + " -DDEFECT");
  const Result wrong = scratch.run({"exec", "./program"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.error, HasSubstr("part.cu:" + std::to_string(line_of_finding("linked/part"))));
  EXPECT_THAT(wrong.error, testing::ContainsRegex("launched by main at .*main.cu:22"));
}

/// Options of nvcc that link the stub of the driver, which `exec` replaces.
const std::string kDriver = "-x c++ -cudart none -L'" +
                            std::filesystem::path(WARPCHECK_CUDA_STUB).parent_path().string() +
                            "' -lcuda ";

TEST_F(ExecRuntime, DriverLinksLoadsAndLaunchesPtx) {
  compile("driver", kDriver);
  const Result right = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(right.out, "correct\n");
  EXPECT_EQ(right.status, 0) << right.error;
  compile("driver", kDriver + "-DDEFECT");
  const Result wrong = scratch.run({"exec", "./program"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.error, HasSubstr("kernel     scale, launch 2"));
  EXPECT_THAT(wrong.error, testing::ContainsRegex("launched by run.* at .*driver.cu:"));
  EXPECT_THAT(wrong.error, testing::ContainsRegex("allocated by run.* at .*driver.cu:"));
}

TEST_F(ExecRuntime, RuntimeMakesTheContextOfTheDriverCurrent) {
  compile("contexts/context",
          "-x c++ -cudart shared -L'" +
              std::filesystem::path(WARPCHECK_CUDA_STUB).parent_path().string() + "' -lcuda ");
  const Result right = scratch.run({"exec", "./program"});
  EXPECT_EQ(right.out, "a context, 0\n");
  EXPECT_THAT(right.error, HasSubstr(": 0 findings\n"));
  const Result wrong = scratch.run({"exec", "./program", "driver"});
  EXPECT_EQ(wrong.out, "no context, 201\n");
  EXPECT_THAT(wrong.error, HasSubstr("cuMemAlloc: no context is current in this thread"));
}

TEST_F(ExecRuntime, PropertiesAreThoseThatTheProgramSet) {
  compile("contexts/properties");
  const Result result = scratch.run({"exec", "./program"});
  EXPECT_EQ(result.out, "correct\ncudaErrorInvalidValue\n");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.error,
              HasSubstr("cudaHostGetFlags: cudaHostAlloc did not allocate the memory"));
}

/// Beside machine code for the device, PTX for a newer one is executed, and code of the host, such
/// as CUB's, chooses the launch by its version.
TEST_F(ExecRuntime, PtxVersionIsThatOfTheExecutedPtx) {
  const std::string command = fmt::format(
      "'{}' -gencode arch=compute_90,code=sm_90 -gencode arch=compute_100,code=compute_100 "
      "-o program '{}'",
      contract::find_nvcc().string(), source_of("contexts/ptx_version"));
  ASSERT_EQ(scratch.shell(command).status, 0);
  const Result result = scratch.run({"exec", "./program"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(result.out, "compiled for 100, attribute 100\n");
}

TEST_F(ExecRuntime, KernelOfNvrtcIsChecked) {
  if (!can_compile("nvrtc", kDriver + "-lnvrtc"))
    GTEST_SKIP() << "there is no libnvrtc beside nvcc";
  const Result right = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(right.out, "correct\n");
  EXPECT_EQ(right.status, 0) << right.error;
  const Result wrong = scratch.run({"exec", "./program", "defect"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.error, HasSubstr("error[out-of-bounds]: 4-byte load from byte 400 of"));
  EXPECT_THAT(wrong.error, HasSubstr("shift.cu:4"));
}

// tests/golden/wgmma/descriptors.cu ran on an H200: swizzles, transposed matrices, start addresses
// within the pattern of a swizzle.
TEST_F(ExecRuntime, WgmmaReadsMatricesAsAnH200) {
  compile("../../golden/wgmma/descriptors", "-cudart shared", "sm_90a");
  const Result result = scratch.run({"exec", "--", "./program", "1", "1500"});
  EXPECT_EQ(result.status, 0) << result.error;
  std::ifstream file(WARPCHECK_SOURCE_DIR "/tests/golden/sm_90/wgmma_descriptors.txt");
  std::string recorded;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) recorded += line + '\n';
  }
  EXPECT_GT(recorded.size(), 50'000U);
  EXPECT_EQ(result.out, recorded);
}

}  // namespace
}  // namespace warpcheck::tool
