// Buffers of the earlier one of two calls of an operation of the language.
#include <gmock/gmock.h>

#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "campaign/run/runner.hpp"
#include "properties/law.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::run {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kTwice = R"toml(
[[operation]]
name    = "twice"
extents = ["rows", "columns"]
inputs  = { x = { shape = ["rows", "columns"] } }
outputs = { y = { shape = ["rows", "columns"] } }
define  = "y[i,j] = 2 * x[i,j]"

[[variant]]
name      = "twice"
operation = "twice"
kernel    = "twice"
arguments = ["x", "y", "stride_y"]
block     = [32]
grid      = ["rows"]
)toml";

using Buffers = std::vector<std::vector<std::byte>>;

/// Doubles x, row by row, and changes buffers at the end of each job. Checks no access, as a GPU.
class DoublingDevice final : public device::Device {
 public:
  explicit DoublingDevice(std::function<void(const device::Job&, Buffers&)> change)
      : change_(std::move(change)) {}

  [[nodiscard]] std::string_view name() const override { return "cuda"; }
  [[nodiscard]] std::string description() const override { return "functions of a test"; }
  [[nodiscard]] std::shared_ptr<const device::Program> load(const std::string&,
                                                            const std::string&) override {
    return std::make_shared<device::Program>();
  }

  [[nodiscard]] device::Outcome run(const device::Program&, const device::Job& job) override {
    device::Outcome outcome;
    for (const device::Buffer& buffer : job.buffers) outcome.buffers.push_back(buffer.bytes);
    for (std::size_t i = 0; i + 1 < job.buffers.size(); i += 2) {
      const device::Extent& x = job.buffers[i].extent;
      const device::Extent& y = job.buffers[i + 1].extent;
      for (std::size_t row = 0; row < x.levels[0].count; ++row) {
        for (std::size_t at = 0; at < x.row_bytes; at += sizeof(float)) {
          float value = 0.0F;
          std::memcpy(&value, &outcome.buffers[i][row * x.levels[0].bytes + at], sizeof(float));
          value *= 2.0F;
          std::memcpy(&outcome.buffers[i + 1][row * y.levels[0].bytes + at], &value, sizeof(float));
        }
      }
    }
    change_(job, outcome.buffers);
    return outcome;
  }

 private:
  std::function<void(const device::Job&, Buffers&)> change_;
};

/// Checks a second call of a device that changes the given byte of a buffer.
campaign::checks::CheckResult second_call(const std::string& buffer, std::size_t byte) {
  const contract::Variant variant = testing::variant_of(kTwice);
  DoublingDevice device([&](const device::Job& job, Buffers& contents) {
    for (std::size_t i = 0; i < contents.size(); ++i) {
      if (job.buffers[i].name == buffer) contents[i][byte] ^= std::byte{1};
    }
  });
  const auto program = device.load("", "");
  const Context context{variant, device, *program};
  return check_law(properties::law("second-call-other-pointers"), context,
                   parse_case("twice operation=twice rows=2 columns=3 stride_y=4"), false);
}

TEST(SecondCall, UnchangedBuffersPass) {
  const campaign::checks::CheckResult result = second_call("none", 0);
  EXPECT_TRUE(result.launched);
  EXPECT_THAT(result.evidence, IsEmpty());
}

TEST(SecondCall, ChangedInputOfTheFirstCallIsAFinding) {
  const campaign::checks::CheckResult result = second_call("x of the first call", 4 * 4);
  ASSERT_EQ(result.evidence.size(), 1U);
  EXPECT_EQ(result.evidence[0].finding.kind, FindingClass::input_modified);
  EXPECT_EQ(result.evidence[0].element, "x[1, 1] of the first call");
}

TEST(SecondCall, ChangedPaddingOfTheFirstOutputIsAFinding) {
  const campaign::checks::CheckResult result = second_call("y of the first call", 3 * 4);
  ASSERT_EQ(result.evidence.size(), 1U);
  EXPECT_EQ(result.evidence[0].finding.kind, FindingClass::guard_overwritten);
  EXPECT_THAT(result.evidence[0].element, HasSubstr("y[0, 3]"));
  EXPECT_THAT(result.evidence[0].element, HasSubstr("of the first call"));
}

TEST(SecondCall, ElementsOfTheFirstOutputMayChange) {
  EXPECT_THAT(second_call("y of the first call", 0).evidence, IsEmpty());
}

}  // namespace
}  // namespace warpcheck::campaign::run
