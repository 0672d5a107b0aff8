// Textures: expected values follow from the CUDA C++ Programming Guide, "Texture Fetching".
#include "device/virtual/semantics/texture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

namespace warpcheck::semantics {
namespace {

using device::AddressMode;
using device::Image;
using device::Sampler;
using device::TexelFormat;
using ::testing::ElementsAre;
using ::testing::FloatEq;

Image line(std::uint32_t width) {
  Image image;
  image.levels.push_back({0, width, 1, 1, 0, 0});
  return image;
}

Image plane(std::uint32_t width, std::uint32_t height) {
  Image image;
  image.dimensions = 2;
  image.levels.push_back({0, width, height, 1, 0, 0});
  return image;
}

Sampler sampler(AddressMode mode, bool linear, bool normalized) {
  Sampler result;
  result.address.fill(mode);
  result.linear = linear;
  result.normalized = normalized;
  return result;
}

/// "2*128 3*128": the texels with their weights in 1/256; "b" is the border.
std::string text_of(const Taps& taps) {
  std::string text;
  for (unsigned i = 0; i < taps.count; ++i) {
    const Tap& tap = taps.tap[i];
    text += (i == 0 ? "" : " ") + (tap.border ? "b" : std::to_string(tap.x));
    text += "*" + std::to_string(tap.weight);
  }
  return text;
}

std::string taps_of(const Image& image, const Sampler& how, float x) {
  return text_of(taps_at(image, how, Coordinates{{x, 0, 0}, 0}));
}

TEST(Texture, PointSamplingTakesTheTexelThatContainsTheCoordinate) {
  const Image image = line(8);
  const Sampler how = sampler(AddressMode::clamp, false, false);
  EXPECT_EQ(taps_of(image, how, 0.0F), "0*256");
  EXPECT_EQ(taps_of(image, how, 2.75F), "2*256");
  EXPECT_EQ(taps_of(image, how, 3.0F), "3*256");
  EXPECT_EQ(taps_of(image, how, -3.0F), "0*256");
  EXPECT_EQ(taps_of(image, how, 1e20F), "7*256");
  EXPECT_EQ(taps_of(image, how, -std::numeric_limits<float>::infinity()), "0*256");
}

TEST(Texture, LinearFilterWeighsTheTwoNearestTexels) {
  const Image image = plane(8, 1);
  const Sampler how = sampler(AddressMode::clamp, true, false);
  EXPECT_EQ(taps_of(image, how, 2.5F), "2*256");
  EXPECT_EQ(taps_of(image, how, 3.0F), "2*128 3*128");
  EXPECT_EQ(taps_of(image, how, 2.75F), "2*192 3*64");
  EXPECT_EQ(taps_of(image, how, 2.25F), "1*64 2*192");
  EXPECT_EQ(taps_of(image, how, 0.25F), "0*256");
}

TEST(Texture, WeightsHaveEightFractionalBits) {
  const Image image = line(8);
  const Sampler how = sampler(AddressMode::clamp, true, false);
  EXPECT_EQ(taps_of(image, how, 2.5F + 0x1p-8F), "2*255 3*1");
  EXPECT_EQ(taps_of(image, how, 2.5F + 0x1p-9F), "2*255 3*1");
  EXPECT_EQ(taps_of(image, how, 2.5F + 0x1p-10F), "2*256");
}

TEST(Texture, AddressModesMapTexelsOutside) {
  const Image image = line(4);
  const auto at = [&](AddressMode mode, float x) {
    return taps_of(image, sampler(mode, false, true), x);
  };
  EXPECT_EQ(at(AddressMode::clamp, -0.1875F), "0*256");
  EXPECT_EQ(at(AddressMode::clamp, 1.4375F), "3*256");
  EXPECT_EQ(at(AddressMode::border, -0.1875F), "b*256");
  EXPECT_EQ(at(AddressMode::border, 0.5F), "2*256");
  EXPECT_EQ(at(AddressMode::wrap, -0.1875F), "3*256");
  EXPECT_EQ(at(AddressMode::wrap, 1.4375F), "1*256");
  EXPECT_EQ(at(AddressMode::mirror, -0.1875F), "0*256");
  EXPECT_EQ(at(AddressMode::mirror, 1.4375F), "2*256");
}

TEST(Texture, FilterAtAnEdgeFollowsTheAddressMode) {
  const Image image = plane(4, 1);
  const auto at = [&](AddressMode mode) {
    const Coordinates edge{{0, 0.5F, 0}, 0};
    return text_of(taps_at(image, sampler(mode, true, true), edge));
  };
  EXPECT_EQ(at(AddressMode::clamp), "0*256");
  EXPECT_EQ(at(AddressMode::border), "b*128 0*128");
  EXPECT_EQ(at(AddressMode::wrap), "3*128 0*128");
  EXPECT_EQ(at(AddressMode::mirror), "0*128 0*128");
}

TEST(Texture, WrapAndMirrorNeedNormalizedCoordinates) {
  const Image image = line(4);
  EXPECT_EQ(taps_of(image, sampler(AddressMode::wrap, false, false), 5.5F), "3*256");
  EXPECT_EQ(taps_of(image, sampler(AddressMode::mirror, false, false), -1.5F), "0*256");
}

TEST(Texture, TwoAxesMultiplyTheirWeights) {
  const Image image = plane(4, 4);
  const Taps taps =
      taps_at(image, sampler(AddressMode::clamp, true, false), Coordinates{{1.75F, 3.0F, 0}, 0});
  EXPECT_EQ(text_of(taps), "1*96 2*32 1*96 2*32");
  EXPECT_EQ(taps.tap[0].y, 2U);
  EXPECT_EQ(taps.tap[2].y, 3U);
}

TEST(Texture, LineWithABorderMixesHalfOfIt) {
  const Image image = line(4);
  Sampler how = sampler(AddressMode::border, true, false);
  EXPECT_EQ(taps_of(image, how, 2.5F), "b*128 2*128");
  how.address[1] = AddressMode::clamp;
  EXPECT_EQ(taps_of(image, how, 2.5F), "2*256");
}

TEST(Texture, LayersAreClamped) {
  Image image = plane(2, 2);
  image.layered = true;
  image.layers = 3;
  const Sampler how = sampler(AddressMode::clamp, false, false);
  const auto slice = [&](std::uint32_t layer) {
    return taps_at(image, how, Coordinates{{0, 0, 0}, layer}).tap[0].slice;
  };
  EXPECT_EQ(slice(1), 1U);
  EXPECT_EQ(slice(7), 2U);
}

TEST(Texture, CubeDirectionsSelectAFace) {
  Image image = plane(4, 4);
  image.cube = true;
  const auto face = [&](float x, float y, float z) {
    return taps_at(image, sampler(AddressMode::clamp, false, true), Coordinates{{x, y, z}, 0})
        .tap[0]
        .slice;
  };
  EXPECT_EQ(face(1, 0.5F, 0), 0U);
  EXPECT_EQ(face(-1, 0.5F, 0), 1U);
  EXPECT_EQ(face(0.5F, 1, 0), 2U);
  EXPECT_EQ(face(0, -2, 1), 3U);
  EXPECT_EQ(face(0, 0, 3), 4U);
  EXPECT_EQ(face(0, 1, -3), 5U);
}

TEST(Texture, GatherReadsFourTexelsCounterclockwise) {
  const Image image = plane(8, 8);
  const Taps taps = gathered_taps_at(image, sampler(AddressMode::clamp, false, false),
                                     Coordinates{{3.0F, 5.0F, 0}, 0});
  ASSERT_EQ(taps.count, 4U);
  const auto place = [&](unsigned i) { return std::pair(taps.tap[i].x, taps.tap[i].y); };
  EXPECT_EQ(place(0), std::pair(2U, 5U));
  EXPECT_EQ(place(1), std::pair(3U, 5U));
  EXPECT_EQ(place(2), std::pair(3U, 4U));
  EXPECT_EQ(place(3), std::pair(2U, 4U));
}

/// The channels of a texel with these bytes.
Channels channels(const TexelFormat& format, const Sampler& how, std::vector<unsigned char> bytes) {
  return texel_channels(format, how, reinterpret_cast<const std::byte*>(bytes.data()));
}

float number(std::uint32_t bits) { return std::bit_cast<float>(bits); }

TEST(Texture, IntegersBecomeNumbersFromZeroToOne) {
  Sampler how;
  how.to_float = true;
  const TexelFormat bytes{TexelFormat::Kind::unsigned_integer, 8, 4};
  const Channels four = channels(bytes, how, {0, 255, 51, 1});
  EXPECT_EQ(number(four[0]), 0.0F);
  EXPECT_EQ(number(four[1]), 1.0F);
  EXPECT_EQ(number(four[2]), 0.2F);
  EXPECT_EQ(number(four[3]), static_cast<float>(1.0 / 255));
  const TexelFormat words{TexelFormat::Kind::signed_integer, 16, 1};
  EXPECT_EQ(number(channels(words, how, {0x00, 0x80})[0]), -1.0F);
  EXPECT_EQ(number(channels(words, how, {0x01, 0x80})[0]), -1.0F);
  EXPECT_EQ(number(channels(words, how, {0xff, 0x7f})[0]), 1.0F);
}

TEST(Texture, MissingChannelsAreZero) {
  const TexelFormat number_format;
  EXPECT_THAT(channels(number_format, {}, {0, 0, 0, 0x40}), ElementsAre(0x40000000, 0, 0, 0));
  const TexelFormat pair{TexelFormat::Kind::signed_integer, 8, 2};
  EXPECT_THAT(channels(pair, {}, {0xff, 5}), ElementsAre(0xffffffff, 5, 0, 0));
}

TEST(Texture, SrgbDecodesThreeChannels) {
  Sampler how;
  how.to_float = how.srgb = true;
  const TexelFormat bytes{TexelFormat::Kind::unsigned_integer, 8, 4};
  const Channels four = channels(bytes, how, {188, 0, 10, 188});
  EXPECT_NEAR(number(four[0]), std::pow((188 / 255.0 + 0.055) / 1.055, 2.4), 0x1p-8);
  EXPECT_EQ(number(four[1]), 0.0F);
  EXPECT_NEAR(number(four[2]), 10 / 255.0 / 12.92, 1e-3);
  EXPECT_EQ(number(four[3]), static_cast<float>(188.0 / 255));
}

TEST(Texture, HalvesAreExact) {
  const TexelFormat half{TexelFormat::Kind::floating, 16, 1};
  EXPECT_EQ(number(channels(half, {}, {0x00, 0x3e})[0]), 1.5F);
  EXPECT_EQ(number(channels(half, {}, {0x01, 0x00})[0]), 0x1p-24F);
}

TEST(Texture, FilterSumsWeightedTexels) {
  Taps taps;
  taps.add({false, 0, 0, 0, 0, 64});
  taps.add({false, 1, 0, 0, 0, 192});
  std::array<Channels, kMostTaps> texels{};
  texels[0][0] = std::bit_cast<std::uint32_t>(8.0F);
  texels[1][0] = std::bit_cast<std::uint32_t>(4.0F);
  EXPECT_EQ(number(filter({}, sampler(AddressMode::clamp, true, false), taps, texels)[0]), 5.0F);
}

TEST(Texture, LevelOfDetailSelectsTheNearestLevelOrTwo) {
  Image image = plane(16, 16);
  for (int i = 1; i < 4; ++i) image.levels.push_back({0, 16U >> i, 16U >> i, 1, 0, 0});
  Sampler how = sampler(AddressMode::clamp, true, true);
  how.most_level = 10;
  const auto levels = [&](float level) {
    const Levels found = levels_at(image, how, level);
    return std::array{found.first, found.second, found.weight};
  };
  EXPECT_THAT(levels(0.0F), ElementsAre(0, 0, 0));
  EXPECT_THAT(levels(1.25F), ElementsAre(1, 1, 0));
  EXPECT_THAT(levels(1.75F), ElementsAre(2, 2, 0));
  EXPECT_THAT(levels(9.0F), ElementsAre(3, 3, 0));
  how.linear_levels = true;
  EXPECT_THAT(levels(1.25F), ElementsAre(1, 2, 64));
  how.least_level = 2;
  EXPECT_EQ(levels(-4.0F)[0], 2U);
  how.least_level = 0;
  how.level_bias = 1;
  EXPECT_THAT(levels(1.25F), ElementsAre(2, 3, 64));
}

TEST(Texture, GradientsGiveTheLogarithmOfTheirLength) {
  const Image image = plane(64, 32);
  const Sampler how = sampler(AddressMode::clamp, true, true);
  EXPECT_EQ(level_of_gradients(image, how, {0x1p-4F, 0, 0}, {0, 0x1p-4F, 0}), 2.0F);
  EXPECT_EQ(level_of_gradients(image, how, {0x1p-7F, 0, 0}, {0, 0, 0}), -1.0F);
}

TEST(Texture, FormattedStoresSaturate) {
  const TexelFormat bytes{TexelFormat::Kind::unsigned_integer, 8, 4};
  const auto stored = formatted_texel(bytes, {300, 7, 0xffffffff, 0});
  EXPECT_EQ(std::to_integer<int>(stored[0]), 255);
  EXPECT_EQ(std::to_integer<int>(stored[1]), 7);
  EXPECT_EQ(std::to_integer<int>(stored[2]), 255);
}

}  // namespace
}  // namespace warpcheck::semantics
