// Programs that use the driver API beside the runtime.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "base/files.hpp"
#include "tests/exec/fixture.hpp"

namespace warpcheck::tool {
namespace {

using testing::HasSubstr;

const std::string kDriverAndRuntime =
    "-cudart shared -L'" + std::filesystem::path(WARPCHECK_CUDA_STUB).parent_path().string() +
    "' -lcuda ";

TEST_F(Exec, AddressOfADriverFunctionIsThatOfTheVersion) {
  compile("driver/entry_points", kDriverAndRuntime);
  const Result result = scratch.run({"exec", "./program"});
  std::string expected;  // cudaTypedefs.h has the versions that changed the functions
  for (const auto& [function, first, other] :
       {std::tuple{"cuCtxGetDevice", 13000, "_v2"}, std::tuple{"cuMemAlloc", 3020, "_v2"}}) {
    for (const int version : {2000, 3020, 12050, 13000}) {
      expected += fmt::format("{} {}{}\n", version, function, version < first ? "" : other);
    }
  }
  expected += "2000 cuCtxCreate\n3020 cuCtxCreate_v2\n12050 cuCtxCreate_v4\n13000 cuCtxCreate_v4\n";
  for (const int version : {2000, 3020, 12050, 13000}) {
    expected += fmt::format("{} cuLaunchKernel\n", version);
  }
  EXPECT_EQ(result.out, expected) << result.error;
}

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

struct WrongMapping {
  const char* defect;
  const char* finding;  // one line
  const char* line;     // source line with the defect
};

const WrongMapping kWrongMappings[] = {
    {"undefined",
     "error[uninitialized-read]: an undefined value is stored to byte 0 of allocation 1",
     "sum<<<1, 32>>>(vector.data(), last, total);"},
    {"unmapped",
     "error[out-of-bounds]: 4-byte store to byte 4194304 of allocation 2, where no memory is "
     "mapped",
     "if (is(\"unmapped\"))"},
    {"no-access",
     "error[out-of-bounds]: 4-byte store to byte 4194176 of allocation 2, to which cuMemSetAccess "
     "gives no access",
     "fill<<<1, 32>>>(vector.data(), last, 1);"},
    {"read-only",
     "error[out-of-bounds]: store to byte 2097024 of allocation 2, which the device may only read",
     "fill<<<1, 32>>>(vector.data(), last, 1);"},
    {"freed",
     "error[use-after-free]: 4-byte store to byte 4194176 of allocation 2, whose memory was "
     "unmapped "
     "before",
     "fill<<<1, 32>>>(vector.data(), last, 1);"},
    {"copy",
     "error[out-of-bounds]: cuMemcpyDtoH reads 4 bytes at offset 4194304 of allocation 2, where no "
     "memory is mapped",
     "cuMemcpyDtoH(&value, beyond"},
    {"still-mapped", "error[api-misuse]: cuMemAddressFree: memory is still mapped there",
     "cuMemAddressFree(vector.address()"},
    {"granularity",
     "error[api-misuse]: cuMemCreate: 4096 bytes: expected multiples of the granularity, 2097152 "
     "bytes",
     "cuMemCreate(&handle, 4096"},
};

/// True if a call of main() in the output is at a line of the program that contains `text`.
bool names_line(const std::string& output, const std::string& text) {
  std::istringstream lines(read_input(source_of("driver/virtual_memory")));
  std::string line;
  for (unsigned number = 1; std::getline(lines, line); ++number) {
    const std::string place =
        fmt::format("main at {}:{}\n", source_of("driver/virtual_memory"), number);
    if (line.find(text) != std::string::npos && output.find(place) != std::string::npos)
      return true;
  }
  return false;
}

TEST_F(Exec, DriverMapsMemoryAndFindsWrongMappings) {
  compile("driver/virtual_memory", kDriverAndRuntime);
  const Result right = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(right.out, "correct\n");
  EXPECT_EQ(right.status, 0) << right.error;
  EXPECT_THAT(right.error, HasSubstr(": 0 findings\n"));
  for (const WrongMapping& wrong : kWrongMappings) {
    const Result result = scratch.run({"exec", "./program", wrong.defect});
    EXPECT_EQ(result.status, 1) << wrong.defect;
    EXPECT_THAT(in_one_line(result.error), HasSubstr(wrong.finding)) << wrong.defect;
    EXPECT_TRUE(names_line(result.error, wrong.line)) << wrong.defect << result.error;
  }
}

TEST_F(Exec, DriverBuildsGraphsNodeByNode) {
  compile("driver/graphs", kDriverAndRuntime);
  const Result right = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(right.out, "correct\n");
  EXPECT_EQ(right.status, 0) << right.error;
  EXPECT_THAT(right.error, HasSubstr(": 0 findings\n"));
  compile("driver/graphs", kDriverAndRuntime + "-DDEFECT");
  const Result wrong = scratch.run({"exec", "./program"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(in_one_line(wrong.error),
              HasSubstr("error[race]: launch 1 of add in a node of a graph reads byte 0 of "
                        "allocation 1, which cuGraphLaunch in a node of a graph writes"));
  EXPECT_THAT(wrong.error,
              HasSubstr(fmt::format("driver/graphs.cu:{}", line_of_finding("driver/graphs"))));
}

/// The error codes that are the same whatever the kernel does.
const std::string kDriverCodes =
    R"(destroyed: CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_INVALID_VALUE
texture: CUDA_ERROR_INVALID_VALUE
pc: CUDA_ERROR_INVALID_PC
runtime: cudaSuccess
)";

TEST_F(Exec, KernelsOfALibraryAreEnumerated) {
  compile("driver/libraries", kDriverAndRuntime);
  const Result right = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(right.out, "correct\n");
  EXPECT_EQ(right.status, 0) << right.error;
  compile("driver/libraries", kDriverAndRuntime + "-DDEFECT");
  const Result wrong = scratch.run({"exec", "./program"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.error, HasSubstr("error[out-of-bounds]: 4-byte load from byte 160 of"));
}

TEST_F(Exec, FunctionsOfTheDriverReturnTheDriversCodes) {
  compile("driver/error_codes", kDriverAndRuntime);
  const Result plain = scratch.run({"exec", "./program"});
  EXPECT_EQ(plain.status, 1);
  EXPECT_EQ(plain.out, kDriverCodes +
                           "driver: CUDA_SUCCESS\nruntime: cudaSuccess\ncalled\n"
                           "CUDA_SUCCESS, cudaSuccess, CUDA_SUCCESS\n");
}

// CUDA calls the functions of cuStreamAddCallback after an error of the device, with that error,
// but not those of cuLaunchHostFunc.
TEST_F(Exec, CallbacksReceiveTheErrorOfTheDevice) {
  compile("driver/error_codes", kDriverAndRuntime);
  const Result sticky = scratch.run({"exec", "--sticky-errors", "./program"});
  EXPECT_EQ(sticky.out, kDriverCodes +
                            "driver: CUDA_ERROR_ILLEGAL_ADDRESS\nruntime: cudaErrorIllegalAddress\n"
                            "CUDA_SUCCESS, cudaSuccess, CUDA_SUCCESS\n");
  const Result trap = scratch.run({"exec", "./program", "trap"});
  EXPECT_EQ(trap.out, kDriverCodes +
                          "driver: CUDA_ERROR_LAUNCH_FAILED\nruntime: cudaErrorLaunchFailure\n"
                          "CUDA_SUCCESS, cudaSuccess, CUDA_SUCCESS\n");
}

TEST_F(Exec, MemoryMayBeMappedAtTwoAddresses) {
  compile("driver/ring_buffer", kDriverAndRuntime);
  const Result right = scratch.run({"exec", "--leak-check", "./program"});
  EXPECT_EQ(right.out, "correct\n");
  EXPECT_EQ(right.status, 0) << right.error;
  EXPECT_THAT(right.error, HasSubstr(": 0 findings\n"));
  compile("driver/ring_buffer", kDriverAndRuntime + "-DDEFECT");
  const Result wrong = scratch.run({"exec", "./program"});
  EXPECT_EQ(wrong.status, 1);
  EXPECT_THAT(wrong.error, HasSubstr("error[out-of-bounds]: 4-byte load from byte 4194304 of"));
  EXPECT_THAT(wrong.error, HasSubstr(fmt::format("driver/ring_buffer.cu:{}:",
                                                 line_of_finding("driver/ring_buffer"))));
}

struct TwoAddresses {
  const char* accesses;
  const char* finding;  // one line, without what orders the accesses
};

const TwoAddresses kTwoAddresses[] = {
    {"block",
     "error[race]: thread (32, 0, 0) writes 4-byte element 32 of allocation 2, which thread "
     "(31, 0, 0) read at line 13: no barrier between line 11 and line 13"},
    {"read-only",
     "error[race]: thread (32, 0, 0) writes 4-byte element 32 of allocation 2, which thread "
     "(31, 0, 0) read at line 13: no barrier between line 11 and line 13"},
    {"warp",
     "error[race]: thread (0, 0, 0) reads 4-byte element 524319 of allocation 2, which thread "
     "(31, 0, 0) wrote at line 11: no barrier between line 11 and line 13"},
    {"blocks",
     "error[race]: thread (0, 0, 0) of block (1, 0, 0) reads 4-byte element 524288 of allocation "
     "2, which thread (0, 0, 0) of block (0, 0, 0) wrote at line 20: no release and acquire "
     "between the blocks orders line 20 and line 27"},
    {"streams",
     "error[race]: launch 2 of add(int const*, int*) in stream 2 reads byte 0 of allocation 1, "
     "which launch 1 of fill(int*, int) in stream 1 writes"},
    {"copy",
     "error[race]: cudaMemcpyAsync in stream 2 reads byte 0 of allocation 1, which launch 1 of "
     "fill(int*, int) in stream 1 writes"},
};

TEST_F(Exec, AccessesAtTwoAddressesOfOneMemoryRace) {
  compile("driver/two_addresses", kDriverAndRuntime);
  for (const TwoAddresses& two : kTwoAddresses) {
    SCOPED_TRACE(two.accesses);
    const Result right = scratch.run({"exec", "--leak-check", "./program", two.accesses});
    EXPECT_EQ(right.out, "correct\n");
    EXPECT_EQ(right.status, 0) << right.error;
    EXPECT_THAT(right.error, HasSubstr(": 0 findings\n"));
    const Result wrong = scratch.run({"exec", "./program", two.accesses, "unordered"});
    EXPECT_EQ(wrong.status, 1);
    EXPECT_THAT(in_one_line(wrong.error), HasSubstr(two.finding));
  }
}

}  // namespace
}  // namespace warpcheck::tool
