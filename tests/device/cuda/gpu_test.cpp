// The device on a GPU. The tests are skipped on machines without one.
#include <gmock/gmock.h>

#include <chrono>
#include <cstring>

#include "base/diagnostic.hpp"
#include "device/cuda/cuda_device.hpp"

namespace warpcheck::device::cuda {
namespace {

using testing::HasSubstr;

// Entries with one address and one 32-bit parameter each.
constexpr const char* kPtx = R"(
.version 7.8
.target sm_80
.address_size 64
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 arguments);
.extern .shared .align 16 .b8 dynamic[];

.visible .entry store(.param .u64 at, .param .u32 offset)
{
  .reg .b64 %a<3>; .reg .b32 %v;
  ld.param.u64 %a0, [at];
  ld.param.s32 %a1, [offset];
  add.s64 %a2, %a0, %a1;
  mov.u32 %v, 305419896;
  st.global.u32 [%a2], %v;
  ret;
}
.visible .entry far_store(.param .u64 at, .param .u32 unused)
{
  .reg .b64 %a; .reg .b32 %v;
  mov.u64 %a, 1152921504606846976;
  mov.u32 %v, 1;
  st.global.u32 [%a], %v;
  ret;
}
.visible .entry trapping(.param .u64 at, .param .u32 unused)
{
  trap;
  ret;
}
.visible .entry endless(.param .u64 at, .param .u32 unused)
{
  .reg .b64 %a; .reg .b32 %v; .reg .pred %p;
  ld.param.u64 %a, [at];
again:
  ld.volatile.global.u32 %v, [%a];
  setp.ne.u32 %p, %v, 77;
  @%p bra again;
  ret;
}
.visible .entry through_shared(.param .u64 at, .param .u32 offset)
{
  .reg .b64 %a; .reg .b32 %v<4>;
  ld.param.u64 %a, [at];
  ld.param.u32 %v0, [offset];
  mov.u32 %v1, dynamic;
  add.u32 %v1, %v1, %v0;
  st.shared.u32 [%v1], %v0;
  ld.shared.u32 %v2, [%v1];
  st.global.u32 [%a], %v2;
  ret;
}
)";

constexpr const char* kCountingPtx = R"(
.version 7.8
.target sm_80
.address_size 64
.global .align 4 .u32 counter = 40;
.global .align 1 .b8 greeting[4] = {104, 105, 10, 0};
.extern .func (.param .b32 result) vprintf (.param .b64 format, .param .b64 arguments);

.visible .entry count(.param .u64 at, .param .u32 unused)
{
  .reg .b64 %a<3>; .reg .b32 %v<3>;
  ld.param.u64 %a0, [at];
  ld.global.u32 %v0, [counter];
  add.u32 %v0, %v0, 1;
  st.global.u32 [counter], %v0;
  st.global.u32 [%a0], %v0;
  mov.u64 %a1, greeting;
  cvta.global.u64 %a1, %a1;
  mov.u64 %a2, 0;
  {
    .param .b64 format; .param .b64 arguments; .param .b32 result;
    st.param.b64 [format], %a1;
    st.param.b64 [arguments], %a2;
    call.uni (result), vprintf, (format, arguments);
    ld.param.b32 %v1, [result];
  }
  ret;
}
)";

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!available()) GTEST_SKIP() << "no NVIDIA GPU on this machine";
    Options options;
    options.timeout = std::chrono::seconds(3);
    device_ = open(options);
    program_ = device_->load(kPtx, "gpu_test.ptx");
  }

  static Job job(const std::string& entry, std::int32_t value, std::size_t shared_bytes = 0) {
    Job result;
    for (const char* name : {"A", "C"}) {
      Buffer buffer;
      buffer.name = name;
      buffer.extent = {1, 100, 100};
      buffer.bytes.assign(100, std::byte{5});
      result.buffers.push_back(std::move(buffer));
    }
    Scalar scalar;
    std::memcpy(scalar.bytes.data(), &value, sizeof value);
    result.launches.push_back(
        {entry, {1, 1, 1}, {1, 1, 1}, shared_bytes, {BufferAddress{1, 0}, scalar}});
    return result;
  }

  void expect_one(const Outcome& outcome, FindingClass kind) {
    ASSERT_EQ(outcome.findings.size(), 1U);
    EXPECT_EQ(name(outcome.findings[0].kind), name(kind)) << outcome.findings[0].message;
    expect_healthy();
  }

  void expect_healthy() {
    const Outcome outcome = device_->run(*program_, job("store", 4));
    ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
    EXPECT_EQ(word(outcome, 4), 305419896U);
    EXPECT_EQ(word(outcome, 8), 0x05050505U);
  }

  static std::uint32_t word(const Outcome& outcome, std::size_t offset) {
    std::uint32_t value = 0;
    std::memcpy(&value, outcome.buffers[1].data() + offset, sizeof value);
    return value;
  }

  std::unique_ptr<Device> device_;
  std::shared_ptr<const Program> program_;
};

TEST_F(Gpu, RunsAJobAndMeasuresIt) {
  EXPECT_THAT(device_->description(), HasSubstr("sm_"));
  expect_healthy();
  Job timed = job("store", 0);
  timed.timed = true;
  const Outcome outcome = device_->run(*program_, timed);
  EXPECT_GT(outcome.seconds, 0.0);
  EXPECT_LT(outcome.seconds, 0.1);
}

TEST_F(Gpu, StoreNextToABufferOverwritesTheGuard) {
  for (const std::int32_t offset : {100, -4, 4000}) {
    const Outcome outcome = device_->run(*program_, job("store", offset));
    expect_one(outcome, FindingClass::guard_overwritten);
    EXPECT_EQ(outcome.findings[0].memory->name, "C");
    EXPECT_EQ(outcome.findings[0].memory->offset, offset);
  }
}

TEST_F(Gpu, MisalignedStore) {
  expect_one(device_->run(*program_, job("store", 2)), FindingClass::misaligned);
}

TEST_F(Gpu, StoreToUnmappedMemoryIsOutOfBounds) {
  expect_one(device_->run(*program_, job("far_store", 0)), FindingClass::out_of_bounds);
}

TEST_F(Gpu, TrapIsALaunchFailure) {
  expect_one(device_->run(*program_, job("trapping", 0)), FindingClass::launch_failure);
}

TEST_F(Gpu, EndlessLoopIsATimeout) {
  expect_one(device_->run(*program_, job("endless", 0)), FindingClass::timeout);
}

TEST_F(Gpu, DynamicSharedMemoryBeyond48KibibytesWorks) {
  const Outcome outcome = device_->run(*program_, job("through_shared", 90'000, 96 << 10));
  ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
  EXPECT_EQ(word(outcome, 0), 90'000U);
  expect_one(device_->run(*program_, job("through_shared", 0, 1 << 20)),
             FindingClass::launch_failure);
}

TEST_F(Gpu, WrongLaunchesAreLaunchFailures) {
  Job wide = job("store", 0);
  wide.launches[0].block = {2048, 1, 1};
  expect_one(device_->run(*program_, wide), FindingClass::launch_failure);
  Job high = job("store", 0);
  high.launches[0].grid = {1, 65536, 1};
  expect_one(device_->run(*program_, high), FindingClass::launch_failure);
  Job short_of_arguments = job("store", 0);
  short_of_arguments.launches[0].arguments.pop_back();
  expect_one(device_->run(*program_, short_of_arguments), FindingClass::launch_failure);
  expect_one(device_->run(*program_, job("no_such_entry", 0)), FindingClass::launch_failure);
}

TEST_F(Gpu, VariablesStartAnewAndPrintedTextReturns) {
  const auto counting = device_->load(kCountingPtx, "counting.ptx");
  for (int i = 0; i < 3; ++i) {
    const Outcome outcome = device_->run(*counting, job("count", 0));
    ASSERT_TRUE(outcome.findings.empty()) << outcome.findings[0].message;
    EXPECT_EQ(word(outcome, 0), 41U);
    EXPECT_EQ(outcome.printed, "hi\n");
  }
}

TEST_F(Gpu, RejectedPtxIsALocatedError) {
  try {
    (void)device_->load(
        ".version 7.8\n.target sm_80\n.address_size 64\n"
        ".visible .entry f()\n{\n  nonsense.u32 %r1;\n  ret;\n}\n",
        "bad.ptx");
    FAIL() << "loaded a text that is no PTX";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("bad.ptx:6: error: ptxas: "));
    EXPECT_THAT(error.what(), HasSubstr("  nonsense.u32 %r1;"));
  }
  expect_healthy();
}

TEST_F(Gpu, Runs300JobsPerSecond) {
  const auto begin = std::chrono::steady_clock::now();
  constexpr int kJobs = 500;
  for (int i = 0; i < kJobs; ++i) {
    ASSERT_TRUE(device_->run(*program_, job("store", 0)).findings.empty());
  }
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  RecordProperty("jobs_per_second", static_cast<int>(kJobs / elapsed.count()));
  std::printf("%.0f jobs per second\n", kJobs / elapsed.count());
  EXPECT_GT(kJobs / elapsed.count(), 300.0);
}

}  // namespace
}  // namespace warpcheck::device::cuda
