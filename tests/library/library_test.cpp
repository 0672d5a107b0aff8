// The C interface, with the shared library that programs load.
#include <gmock/gmock.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "library/include/warpcheck/warpcheck.h"

namespace warpcheck::library {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// Each thread adds 1 to its element; the guard in the 13th line compares with the parameter.
constexpr const char* kIncrement = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry increment(.param .u64 data, .param .u32 count) {
  .reg .pred %p; .reg .b32 %r<6>; .reg .b64 %d<3>;
  ld.param.u64 %d1, [data];
  ld.param.u32 %r1, [count];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r2, %r2, %r3, %r4;
  mad.wide.s32 %d1, %r2, 4, %d1;
  setp.ge.s32 %p, %r2, %r1;
  @%p bra DONE;
  ld.global.u32 %r5, [%d1];
  add.u32 %r5, %r5, 1;
  st.global.u32 [%d1], %r5;
DONE: ret;
}
)";

class Library : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(load(kIncrement), WARPCHECK_OK) << error(); }

  int load(const char* ptx) {
    return warpcheck_load(session_.get(), ptx, "increment.ptx", &module_);
  }

  int launch(std::uint64_t data, std::uint32_t count, std::uint32_t blocks = 1) {
    const std::array<std::uint32_t, 3> grid = {blocks, 1, 1};
    const std::array<std::uint32_t, 3> block = {32, 1, 1};
    const std::array<const void*, 2> arguments = {&data, &count};
    return warpcheck_launch(session_.get(), module_, nullptr, grid.data(), block.data(), 0,
                            arguments.data(), arguments.size());
  }

  std::string error() const { return warpcheck_error(session_.get()); }
  std::string text() const { return warpcheck_text(session_.get()); }
  json report() const { return json::parse(warpcheck_json(session_.get())); }

  std::unique_ptr<warpcheck_session, void (*)(warpcheck_session*)> session_{
      warpcheck_create(nullptr), warpcheck_destroy};
  std::uint32_t module_ = 0;
};

TEST_F(Library, LaunchChangesMemory) {
  const std::vector<std::uint32_t> data(64, 7);
  const std::uint64_t device = warpcheck_allocate(session_.get(), 256, "data");
  EXPECT_EQ(device % 256, 0U);
  ASSERT_EQ(warpcheck_write(session_.get(), device, data.data(), 256), WARPCHECK_OK);
  EXPECT_EQ(launch(device, 64, 2), WARPCHECK_OK) << text();
  std::vector<std::uint32_t> after(64);
  std::size_t undefined = 1;
  ASSERT_EQ(warpcheck_read(session_.get(), after.data(), device, 256, &undefined), WARPCHECK_OK);
  EXPECT_THAT(after, Each(8U));
  EXPECT_EQ(undefined, 0U);
  EXPECT_EQ(text(), "");
  EXPECT_EQ(report()["completed"], true);
}

TEST_F(Library, FindingIsReportedByEachLaunch) {
  const std::uint64_t device = warpcheck_allocate(session_.get(), 120, "data");
  const std::vector<std::uint32_t> data(30);
  ASSERT_EQ(warpcheck_write(session_.get(), device, data.data(), 120), WARPCHECK_OK);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(launch(device, 32), WARPCHECK_FINDINGS);
    EXPECT_THAT(text(), AllOf(HasSubstr("error[out-of-bounds]: 4-byte load from byte 120 of data, "
                                        "which has 120 bytes\n  --> increment.ptx:15:3\n"),
                              HasSubstr("\n  >   15 |   ld.global.u32 %r5, [%d1];\n")));
    const json finding = report()["findings"][0];
    EXPECT_EQ(finding["class"], "out-of-bounds");
    EXPECT_EQ(finding["line"], 15);
    EXPECT_EQ(finding["kernel"], "increment");
  }
}

TEST_F(Library, UnwrittenBytesAreUndefined) {
  const std::uint64_t device = warpcheck_allocate(session_.get(), 128, "data");
  EXPECT_EQ(launch(device, 32), WARPCHECK_FINDINGS);
  EXPECT_EQ(report()["findings"][0]["class"], "uninitialized-read");
}

TEST_F(Library, HostAndDeviceShareMemory) {
  auto* const own =
      static_cast<std::uint32_t*>(warpcheck_allocate_host(session_.get(), 128, "shared"));
  ASSERT_NE(own, nullptr);
  own[31] = 5;
  EXPECT_EQ(launch(reinterpret_cast<std::uint64_t>(own), 32), WARPCHECK_OK) << text();
  EXPECT_EQ(own[31], 6U);
  EXPECT_EQ(warpcheck_free(session_.get(), reinterpret_cast<std::uint64_t>(own)), WARPCHECK_OK);
}

TEST_F(Library, AdoptedMemoryHasExactBounds) {
  std::vector<std::uint32_t> words(33, 1);
  const auto address = reinterpret_cast<std::uint64_t>(words.data());
  ASSERT_EQ(warpcheck_adopt(session_.get(), words.data(), 128, "words"), WARPCHECK_OK);
  EXPECT_EQ(warpcheck_adopt(session_.get(), words.data() + 1, 4, "again"), WARPCHECK_ERROR);
  EXPECT_EQ(error(), "the device has memory at this address");
  EXPECT_EQ(launch(address, 32), WARPCHECK_OK) << text();
  EXPECT_EQ(words[31], 2U);
  EXPECT_EQ(launch(address, 33, 2), WARPCHECK_FINDINGS);
  EXPECT_EQ(words[32], 1U);
  EXPECT_THAT(text(), HasSubstr(", where nothing is allocated\n  --> increment.ptx:15:3\n"));
  EXPECT_EQ(warpcheck_disown(session_.get(), words.data()), WARPCHECK_OK);
  EXPECT_EQ(warpcheck_disown(session_.get(), words.data()), WARPCHECK_ERROR);
  EXPECT_EQ(launch(address, 1), WARPCHECK_FINDINGS);
}

TEST_F(Library, WrongCallsAreErrors) {
  EXPECT_EQ(load(".version 7.0\n.target sm_80\nnonsense"), WARPCHECK_ERROR);
  EXPECT_THAT(error(), HasSubstr("increment.ptx:3:1: error: "));
  EXPECT_EQ(warpcheck_free(session_.get(), 4096), WARPCHECK_ERROR);
  EXPECT_EQ(error(), "no allocation has this address");
  const std::uint64_t device = warpcheck_allocate(session_.get(), 8, "a");
  std::array<char, 16> bytes{};
  EXPECT_EQ(warpcheck_read(session_.get(), bytes.data(), device, 16, nullptr), WARPCHECK_ERROR);
  EXPECT_EQ(error(), "bytes 0 to 16 of a, which has 8");
  EXPECT_EQ(warpcheck_launch(session_.get(), module_, "other", nullptr, nullptr, 0, nullptr, 0),
            WARPCHECK_ERROR);
  std::size_t sizes[2] = {};
  EXPECT_EQ(warpcheck_parameters(session_.get(), module_, "other", sizes, 2), -1);
  EXPECT_THAT(error(), HasSubstr("increment.ptx has no kernel 'other'; it has increment"));
  EXPECT_EQ(warpcheck_parameters(session_.get(), module_, nullptr, sizes, 2), 2);
  EXPECT_THAT(sizes, ElementsAre(8U, 4U));
}

TEST_F(Library, OptionsOfAnotherSizeAreRefused) {
  warpcheck_options options;
  warpcheck_default_options(&options);
  options.size = 1;
  EXPECT_EQ(warpcheck_create(&options), nullptr);
}

TEST(PtxRun, KernelAccessesTheMemoryOfTheProcess) {
  std::vector<std::uint32_t> words(1 << 20, 3);
  std::array<void*, 2> arguments = {words.data(), reinterpret_cast<void*>(50)};
  EXPECT_EQ(ptx_run(kIncrement, 2, arguments.data(), 32, 1, 1, 2, 1, 1, 0), WARPCHECK_OK);
  EXPECT_EQ(words[49], 4U);
  EXPECT_EQ(words[50], 3U);
}

TEST(PtxRun, FindingsArePrinted) {
  std::array<void*, 2> arguments = {nullptr, reinterpret_cast<void*>(1)};
  testing::internal::CaptureStderr();
  const int status = ptx_run(kIncrement, 2, arguments.data(), 1, 1, 1, 1, 1, 1, 0);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("error[out-of-bounds]"));
  EXPECT_EQ(status, WARPCHECK_FINDINGS);
}

}  // namespace
}  // namespace warpcheck::library
