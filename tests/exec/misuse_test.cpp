// Wrong calls of the CUDA runtime: each is a finding, and returns the error that CUDA documents.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "tests/exec/fixture.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;

struct Misuse {
  const char* name;  // the name in programs/misuse.cu
  const char* error;
  const char* finding;
};

constexpr std::array kMisuses = {
    Misuse{"no-blocks", "cudaErrorInvalidConfiguration",
           "launch-failure]: invalid configuration: the launch is empty: grid 0 x 1 x 1"},
    Misuse{"threads", "cudaErrorInvalidConfiguration",
           "launch-failure]: invalid configuration: the number of threads of a block is 1025"},
    Misuse{"block-z", "cudaErrorInvalidConfiguration",
           "launch-failure]: invalid configuration: blockDim.z is 65"},
    Misuse{"grid-y", "cudaErrorInvalidConfiguration",
           "launch-failure]: invalid configuration: gridDim.y is 65536"},
    Misuse{"shared", "cudaErrorInvalidValue",
           "api-misuse]: add_one(int*) is launched with 49153 bytes of dynamic shared memory"},
    Misuse{"null-kernel", "cudaErrorInvalidDeviceFunction",
           "api-misuse]: a kernel is launched that no fat binary"},
    Misuse{"attribute", "cudaErrorInvalidValue",
           "api-misuse]: cudaFuncSetAttribute: 1048576 bytes"},
    Misuse{
        "to-host", "cudaErrorInvalidValue",
        "api-misuse]: cudaMemcpy writes 64 bytes at a pointer that is not to memory of the device"},
    Misuse{
        "from-host", "cudaErrorInvalidValue",
        "api-misuse]: cudaMemcpy reads 64 bytes at a pointer that is not to memory of the device"},
    Misuse{"swapped", "cudaErrorInvalidValue",
           "api-misuse]: cudaMemcpy: the source is allocation 1, memory of the device"},
    Misuse{"host-device", "cudaErrorInvalidValue",
           "api-misuse]: cudaMemcpy: the destination is allocation 1, memory of the device"},
    Misuse{"kind", "cudaErrorInvalidMemcpyDirection",
           "api-misuse]: cudaMemcpy: 7 is not a cudaMemcpyKind"},
    Misuse{"null", "cudaErrorInvalidValue", "api-misuse]: cudaMemcpy: a pointer is null"},
    Misuse{
        "beyond", "cudaErrorInvalidValue",
        "out-of-bounds]: cudaMemcpy writes 260 bytes at offset 0 of allocation 1, which has 256"},
    Misuse{"beyond-source", "cudaErrorInvalidValue",
           "out-of-bounds]: cudaMemcpy reads 64 bytes at offset 240 of allocation 1"},
    Misuse{"beyond-both", "cudaErrorInvalidValue",
           "out-of-bounds]: cudaMemcpy writes 260 bytes at offset 0 of allocation 1"},
    Misuse{"freed", "cudaErrorInvalidValue",
           "use-after-free]: cudaMemcpy reads 64 bytes of allocation 1"},
    Misuse{"pitch", "cudaErrorInvalidPitchValue",
           "api-misuse]: cudaMemcpy2D: rows of 32 bytes exceed a pitch of 16 bytes"},
    Misuse{"rows", "cudaErrorInvalidValue",
           "out-of-bounds]: cudaMemcpy2D writes 64 bytes at offset 256 of allocation 1"},
    Misuse{"memset", "cudaErrorInvalidValue",
           "out-of-bounds]: cudaMemset sets 260 bytes at offset 0 of allocation 1"},
    Misuse{"memset-host", "cudaErrorInvalidValue",
           "api-misuse]: cudaMemset sets 64 bytes at a pointer that is not to memory"},
    Misuse{"memset-pitch", "cudaErrorInvalidValue",
           "api-misuse]: cudaMemset2D: rows of 32 bytes exceed a pitch of 16 bytes"},
    Misuse{"interior", "cudaErrorInvalidValue",
           "api-misuse]: cudaFree frees an address inside of allocation 1, not its first byte"},
    Misuse{"free-host", "cudaErrorInvalidValue",
           "api-misuse]: cudaFree frees memory that the CUDA runtime did not allocate"},
    Misuse{"free-pinned", "cudaErrorInvalidValue",
           "api-misuse]: cudaFree frees allocation 3, which is memory of the host"},
    Misuse{"free-host-device", "cudaErrorInvalidValue",
           "api-misuse]: cudaFreeHost frees allocation 1, which is memory of the device"},
    Misuse{"free-host-pageable", "cudaErrorInvalidValue",
           "api-misuse]: cudaFreeHost frees memory that the CUDA runtime did not"},
    Misuse{"free-symbol", "cudaErrorInvalidValue",
           "api-misuse]: cudaFree frees the variable table"},
    Misuse{"twice", "cudaErrorInvalidValue",
           "api-misuse]: cudaFree frees allocation 1 a second time"},
    Misuse{"twice-host", "cudaErrorInvalidValue",
           "api-misuse]: cudaFreeHost frees allocation 3 a second time"},
    Misuse{"symbol", "cudaErrorInvalidValue",
           "out-of-bounds]: cudaMemcpyToSymbol writes 68 bytes at offset 0 of table, which has 64"},
    Misuse{"symbol-offset", "cudaErrorInvalidValue",
           "out-of-bounds]: cudaMemcpyToSymbol writes 4 bytes at offset 64 of table"},
    Misuse{"symbol-kind", "cudaErrorInvalidMemcpyDirection",
           "api-misuse]: cudaMemcpyToSymbol: the cudaMemcpyKind does not fit"},
    Misuse{"from-symbol-kind", "cudaErrorInvalidMemcpyDirection",
           "api-misuse]: cudaMemcpyFromSymbol: the cudaMemcpyKind does not fit"},
    Misuse{"no-symbol", "cudaErrorInvalidSymbol",
           "api-misuse]: cudaMemcpyToSymbol: the symbol is no variable of the device"},
    Misuse{"stream", "cudaErrorInvalidResourceHandle",
           "api-misuse]: cudaStreamSynchronize: the stream does not exist or was destroyed"},
    Misuse{"launch-stream", "cudaErrorInvalidResourceHandle",
           "api-misuse]: cudaLaunchKernel: the stream does not exist"},
    Misuse{"copy-stream", "cudaErrorInvalidResourceHandle",
           "api-misuse]: cudaMemcpyAsync: the stream does not exist"},
    Misuse{"stream-twice", "cudaErrorInvalidResourceHandle",
           "api-misuse]: cudaStreamDestroy: the stream does not exist"},
    Misuse{"event", "cudaErrorInvalidResourceHandle",
           "api-misuse]: cudaEventRecord: the event does not exist or was destroyed"},
    Misuse{"event-null", "cudaErrorInvalidResourceHandle",
           "api-misuse]: cudaEventRecord: the event does not exist"},
    Misuse{"event-twice", "cudaErrorInvalidResourceHandle",
           "api-misuse]: cudaEventDestroy: the event does not exist"},
    Misuse{"unrecorded", "cudaErrorInvalidResourceHandle",
           "api-misuse]: cudaEventElapsedTime: an event was not recorded"},
    Misuse{"device", "cudaErrorInvalidDevice", "api-misuse]: cudaSetDevice: found device 99"},
    Misuse{"malloc-null", "cudaErrorInvalidValue",
           "api-misuse]: cudaMalloc: the pointer to the result is null"},
    Misuse{"host-pointer", "cudaErrorInvalidValue",
           "api-misuse]: cudaHostGetDevicePointer: the memory is neither allocated"},
};

class ExecMisuse : public Exec {};

TEST_F(ExecMisuse, EachIsAFindingAndReturnsTheErrorOfCuda) {
  compile("misuse");
  for (const Misuse& misuse : kMisuses) {
    SCOPED_TRACE(misuse.name);
    const Result result = scratch.run({"exec", "./program", misuse.name});
    EXPECT_EQ(result.status, 1);
    EXPECT_EQ(result.out, fmt::format("{}: {}\n", misuse.name, misuse.error));
    EXPECT_THAT(in_one_line(result.error), HasSubstr(std::string("error[") + misuse.finding));
    EXPECT_THAT(result.error, testing::ContainsRegex("--> .*misuse.cu:"));
    EXPECT_THAT(result.error,
                testing::ContainsRegex("(launched by|called by ) main at .*misuse.cu"));
  }
}

TEST_F(ExecMisuse, CorrectCallsAreNone) {
  compile("misuse");
  const Result result = scratch.run({"exec", "./program", "nothing"});
  EXPECT_EQ(result.status, 0) << result.error;
  EXPECT_EQ(result.out, "nothing: cudaSuccess\n");
}

}  // namespace
}  // namespace warpcheck::tool
