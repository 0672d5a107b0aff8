#include "device/cuda/image.hpp"

#include <gmock/gmock.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

namespace warpcheck::device::cuda {
namespace {

Buffer image_buffer(const std::string& name, Extent extent, std::size_t shift = 0) {
  Buffer result;
  result.name = name;
  result.extent = extent;
  result.shift_bytes = shift;
  result.bytes.assign(extent.bytes(), std::byte{0x11});
  return result;
}

struct Filled {
  explicit Filled(std::vector<Buffer> list) : buffers(std::move(list)), layout(place(buffers)) {
    image.resize(layout.bytes);
    fill(image, layout, buffers);
  }
  [[nodiscard]] std::vector<Finding> findings() const { return verify(image, layout, buffers); }

  std::vector<Buffer> buffers;
  Layout layout;
  std::vector<std::byte> image;
};

TEST(Image, UnchangedImageHasNoFindingAndTheContents) {
  const Filled filled({image_buffer("A", {3, 10, 17}, 12), image_buffer("B", {0, 0, 0}),
                       image_buffer("C", {1, 9, 9}, 3)});
  EXPECT_TRUE(filled.findings().empty());
  const auto back = contents(filled.image, filled.layout);
  ASSERT_EQ(back.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(back[i], filled.buffers[i].bytes);
}

TEST(Image, BuffersKeepTheirShiftBetweenGuards) {
  const Filled filled({image_buffer("A", {1, 5, 5}, 12), image_buffer("B", {2, 8, 1 << 16}),
                       image_buffer("C", {1, 1, 1}, 255)});
  std::size_t last = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const Placement& at = filled.layout.buffers[i];
    EXPECT_EQ(at.begin % 256, filled.buffers[i].shift_bytes);
    EXPECT_EQ(at.guard_begin, last);
    EXPECT_GE(at.begin - at.guard_begin, 4096U);
    EXPECT_GE(at.guard_end - at.end, 4096U);
    last = at.guard_end;
  }
  EXPECT_EQ(filled.layout.bytes, last);
  EXPECT_GE(filled.layout.buffers[1].guard_end - filled.layout.buffers[1].end, 2U << 16);
}

TEST(Image, EveryAlignedGuardValueIsNan) {
  const Filled filled({image_buffer("A", {1, 4, 4})});
  const Placement& at = filled.layout.buffers[0];
  for (std::size_t i = at.guard_begin; i + 8 <= at.begin; i += 4) {
    float single = 0.0F;
    std::memcpy(&single, &filled.image[i], 4);
    EXPECT_TRUE(std::isnan(single));
    double wide = 0.0;
    std::memcpy(&wide, &filled.image[i / 8 * 8], 8);
    EXPECT_TRUE(std::isnan(wide));
    std::uint16_t half = 0;
    std::memcpy(&half, &filled.image[i], 2);
    EXPECT_GT(half & 0x7FFF, 0x7C00);  // f16: all exponent bits and a fraction
    EXPECT_GT(half & 0x7FFF, 0x7F80);  // bf16
  }
}

RC_GTEST_PROP(Image, AnyChangedGuardByteIsFoundWithItsOffset, ()) {
  const auto rows = *rc::gen::inRange<std::size_t>(0, 5);
  const auto pitch = *rc::gen::inRange<std::size_t>(1, 40);
  const auto shift = *rc::gen::inRange<std::size_t>(0, 256);
  Filled filled({image_buffer("A", {2, 3, 7}), image_buffer("B", {rows, pitch, pitch}, shift),
                 image_buffer("C", {1, 1, 1})});
  const Placement& at = filled.layout.buffers[1];
  const auto before = at.begin - at.guard_begin;
  const auto place = *rc::gen::inRange<std::size_t>(0, before + (at.guard_end - at.end));
  const std::size_t hit = place < before ? at.guard_begin + place : at.end + (place - before);
  filled.image[hit] ^= static_cast<std::byte>(*rc::gen::inRange(1, 256));
  const auto findings = filled.findings();
  RC_ASSERT(findings.size() == 1U);
  RC_ASSERT(findings[0].kind == FindingClass::guard_overwritten);
  RC_ASSERT(findings[0].memory->name == "B");
  RC_ASSERT(findings[0].memory->offset ==
            static_cast<std::ptrdiff_t>(hit) - static_cast<std::ptrdiff_t>(at.begin));
  RC_ASSERT(findings[0].memory->bytes == 1U);
}

TEST(Image, CopyingOnePartOfAGuardToAnotherIsFound) {
  Filled filled({image_buffer("A", {1, 64, 64})});
  const std::size_t end = filled.layout.buffers[0].end;
  std::memcpy(&filled.image[end], &filled.image[end + 64], 64);
  EXPECT_EQ(filled.findings().size(), 1U);
}

TEST(Image, OnlyReadOnlyContentsMustNotChange) {
  Filled filled({image_buffer("A", {1, 64, 64}), image_buffer("C", {1, 64, 64})});
  filled.buffers[0].access = Access::read_only;
  filled.image[filled.layout.buffers[1].begin + 5] = std::byte{0};
  EXPECT_TRUE(filled.findings().empty());
  filled.image[filled.layout.buffers[0].begin + 63] = std::byte{0};
  const auto findings = filled.findings();
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].kind, FindingClass::input_modified);
  EXPECT_EQ(findings[0].memory->offset, 63);
}

TEST(Image, BytesThatDisagreeWithTheExtentAreRefused) {
  Buffer wrong = image_buffer("A", {2, 4, 4});
  wrong.bytes.pop_back();
  EXPECT_THROW((void)place(std::vector{wrong}), std::invalid_argument);
}

}  // namespace
}  // namespace warpcheck::device::cuda
