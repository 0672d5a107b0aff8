// wgmma.mma_async of every type (PTX ISA 9.7.15): small integers, whose sums are exact, in core
// matrices without a swizzle.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "tests/device/virtual/isa/kernel.hpp"

namespace warpcheck::isa::test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr unsigned kRows = 64;
constexpr unsigned kBytesOfRow = 32;
const Conditions kWarpgroup{.block = {128, 1, 1}};

/// The bits of an integer of -2 to 2 in a type.
std::uint32_t encoded(const std::string& type, int value) {
  constexpr std::uint32_t kHalf[] = {0xc000, 0xbc00, 0, 0x3c00, 0x4000};
  constexpr std::uint32_t kE4m3[] = {0xc0, 0xb8, 0, 0x38, 0x40};
  constexpr std::uint32_t kE5m2[] = {0xc0, 0xbc, 0, 0x3c, 0x40};
  if (type == "f16") return kHalf[value + 2];
  if (type == "e4m3") return kE4m3[value + 2];
  if (type == "e5m2") return kE5m2[value + 2];
  const auto single = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == "bf16") return single >> 16;
  if (type == "tf32") return single;
  return static_cast<std::uint8_t>(value);  // s8, u8
}

unsigned bytes_of_type(const std::string& type) {
  if (type == "tf32") return 4;
  return type == "f16" || type == "bf16" ? 2 : 1;
}

/// A matrix of `lines` lines along k, as bytes in core matrices: those along m or n follow one
/// another.
struct Operand {
  std::string type;
  unsigned lines;
  std::vector<int> value;  // line after line

  Operand(std::string given_type, unsigned given_lines, std::mt19937& random)
      : type(std::move(given_type)), lines(given_lines), value(lines * depth()) {
    const int least = type == "u8" ? 0 : -2;
    for (int& one : value) one = least + static_cast<int>(random() % (type == "u8" ? 3U : 5U));
  }

  [[nodiscard]] unsigned depth() const { return kBytesOfRow / bytes_of_type(type); }
  void append(std::vector<std::byte>& bytes) const {
    const std::size_t begin = bytes.size();
    bytes.resize(begin + std::size_t{lines} * kBytesOfRow);
    for (unsigned line = 0; line < lines; ++line) {
      for (unsigned k = 0; k < depth(); ++k) {
        const unsigned at = k * bytes_of_type(type);
        const std::uint32_t bits = encoded(type, value[line * depth() + k]);
        std::memcpy(&bytes[begin + at / 16 * lines * 16 + line * 16 + at % 16], &bits,
                    bytes_of_type(type));
      }
    }
  }
};

/// Copies `bytes` of the input to shared memory and makes two descriptors: %d8 for A, %d9 for B.
std::string prologue(unsigned bytes, unsigned n, unsigned threads = 128) {
  return fmt::format(
      "mov.u32 %r0, %me; copy: setp.ge.u32 %p0, %r0, {0}; @%p0 bra copied;"
      "mul.wide.u32 %d0, %r0, 4; add.u64 %d1, %in, %d0; ld.global.u32 %r1, [%d1];"
      "mov.u64 %d2, tiles; add.u64 %d2, %d2, %d0; st.shared.u32 [%d2], %r1;"
      "add.u32 %r0, %r0, {3}; bra copy; copied:"
      "fence.proxy.async.shared::cta; bar.sync 0;"
      "mov.u64 %d8, tiles; shr.u64 %d8, %d8, 4; add.u64 %d9, %d8, 128;"
      "or.b64 %d8, %d8, {1}; or.b64 %d9, %d9, {2}; wgmma.fence.sync.aligned;",
      bytes / 4, std::uint64_t{8} << 32 | kRows << 16,
      std::uint64_t{8} << 32 | std::uint64_t{n} << 16, threads);
}

struct Form {
  std::string d, a, b;
  unsigned n;
  std::string extra;  // the text behind scale-d
};

std::string name_of(const testing::TestParamInfo<Form>& form) {
  return fmt::format("{}_{}_{}_n{}", form.param.d, form.param.a, form.param.b, form.param.n);
}

class WarpgroupForms : public testing::TestWithParam<Form> {};

TEST_P(WarpgroupForms, MultipliesIntegersExactly) {
  const auto& [d, a_type, b_type, n, extra] = GetParam();
  std::mt19937 random(n);
  const Operand a(a_type, kRows, random);
  const Operand b(b_type, n, random);
  std::vector<std::byte> in;
  a.append(in);
  b.append(in);
  const bool halves = d == "f16";
  const unsigned registers = halves ? n / 4 : n / 2;
  std::string sums;
  std::string zeros;
  std::string stores;
  for (unsigned i = 0; i < registers; ++i) {
    sums += fmt::format("{}%s{}", i == 0 ? "" : ", ", i);
    zeros += fmt::format("mov.b32 %s{}, 0;", i);
    stores += fmt::format("st.global.b32 [%d1+{}], %s{};", 4 * i, i);
  }
  const std::string body =
      fmt::format(".reg .b32 %s<{}>;", registers) + zeros + prologue(kBytesOfRow * (kRows + n), n) +
      fmt::format("wgmma.mma_async.sync.aligned.m64n{}k{}.{}.{}.{} {{{}}}, %d8, %d9, 1{};", n,
                  a.depth(), d, a_type, b_type, sums, extra) +
      "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" +
      fmt::format("mul.wide.u32 %d0, %me, {}; add.u64 %d1, %out, %d0;", 4 * registers) + stores;
  const Result result =
      run_module(entry(body, fmt::format(".shared .align 128 .b8 tiles[{}];", in.size())), in,
                 std::size_t{512} * registers, kWarpgroup);
  ASSERT_EQ(result.finding(), "");
  for (unsigned thread = 0; thread < 128; ++thread) {
    for (unsigned i = 0; i < n / 2; ++i) {
      const unsigned row = thread / 32 * 16 + thread % 32 / 4 + i / 2 % 2 * 8;
      const unsigned column = i / 4 * 8 + thread % 4 * 2 + i % 2;
      int sum = 0;
      for (unsigned k = 0; k < a.depth(); ++k) {
        sum += a.value[row * a.depth() + k] * b.value[column * b.depth() + k];
      }
      const std::size_t place = std::size_t{thread} * (n / 2) + i;
      if (halves) {
        const int sign = sum < 0 ? 0x8000 : 0;
        const unsigned magnitude = static_cast<unsigned>(std::abs(sum));
        unsigned bits = 0;
        if (magnitude != 0) {
          const auto exponent = static_cast<unsigned>(std::bit_width(magnitude)) - 1;
          bits = (exponent + 15) << 10 | (magnitude << (10 - exponent) & 0x3ffU);
        }
        ASSERT_EQ(result.at<std::uint16_t>(place), bits | static_cast<unsigned>(sign)) << place;
      } else if (d == "s32") {
        ASSERT_EQ(result.at<std::int32_t>(place), sum) << place;
      } else {
        ASSERT_EQ(result.at<float>(place), static_cast<float>(sum)) << place;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Types, WarpgroupForms,
                         testing::Values(Form{"f32", "bf16", "bf16", 8, ", 1, 1, 0, 0"},
                                         Form{"f32", "f16", "f16", 256, ", 1, 1, 0, 0"},
                                         Form{"f16", "f16", "f16", 128, ", 1, 1, 0, 0"},
                                         Form{"f32", "tf32", "tf32", 16, ", 1, 1"},
                                         Form{"f32", "e4m3", "e5m2", 40, ", 1, 1"},
                                         Form{"f16", "e5m2", "e5m2", 24, ", 1, 1"},
                                         Form{"s32", "s8", "u8", 48, ""},
                                         Form{"s32", "u8", "s8", 240, ""}),
                         name_of);

const std::string kZeros =
    "mov.f32 %f0, 0f00000000; mov.f32 %f1, %f0; mov.f32 %f2, %f0; mov.f32 %f3, %f0;";
const std::string kTiles = ".shared .align 128 .b8 tiles[2304];";

std::string multiply(const std::string& form, const std::string& operands) {
  return "wgmma.mma_async.sync.aligned." + form + " {%f0, %f1, %f2, %f3}, " + operands + ";" +
         "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;";
}

/// Multiplies a first and a second time; A is -1 and B is 2, or what `operands` make of them.
Result run_bf16(const std::string& before, const std::string& operands) {
  std::vector<std::uint16_t> halves(1152, 0xbf80);
  std::fill(halves.begin() + 1024, halves.end(), 0x4000);
  return run_module(
      entry(kZeros + prologue(2304, 8) + before + multiply("m64n8k16.f32.bf16.bf16", operands) +
                "st.global.f32 [%own], %f3;",
            kTiles),
      bytes_of(halves), 1024, kWarpgroup);
}

TEST(Warpgroup, ScalesAreSignsAndScaleDSelectsTheAccumulator) {
  const std::string ones = "mov.f32 %f3, 0f3f800000; wgmma.fence.sync.aligned;";
  const std::string no = "setp.ne.u32 %p1, 0, 0;";
  EXPECT_EQ(run_bf16(ones, "%d8, %d9, 1, 1, 1, 0, 0").at<float>(0), 1.0F - 32.0F);
  EXPECT_EQ(run_bf16(ones, "%d8, %d9, 1, -1, 1, 0, 0").at<float>(0), 1.0F + 32.0F);
  EXPECT_EQ(run_bf16(ones, "%d8, %d9, 1, -1, -1, 0, 0").at<float>(0), 1.0F - 32.0F);
  EXPECT_EQ(run_bf16(ones + no, "%d8, %d9, %p1, 1, 1, 0, 0").at<float>(0), -32.0F);
}

TEST(Warpgroup, AMayBeInRegisters) {
  const std::string twos =
      "mov.b32 %r4, 0x40004000; mov.b32 %r5, %r4; mov.b32 %r6, %r4; mov.b32 %r7, %r4;";
  const Result result = run_bf16(twos, "{%r4, %r5, %r6, %r7}, %d9, 1, 1, 1, 0");
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<float>(0), 64.0F);
}

TEST(Warpgroup, BitsAreCounted) {
  std::vector<std::uint32_t> words(576, 0x00ff00f1);
  const Result result =
      run_module(entry(".reg .b32 %s<4>; mov.b32 %s0, 0; mov.b32 %s1, 0; mov.b32 %s2, 0; mov.b32 "
                       "%s3, 5;" +
                           prologue(2304, 8) +
                           "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc "
                           "{%s0, %s1, %s2, %s3}, %d8, %d9, 1; wgmma.commit_group.sync.aligned;"
                           "wgmma.wait_group.sync.aligned 0; st.global.b32 [%own], %s3;",
                       kTiles),
                 bytes_of(words), 1024, kWarpgroup);
  EXPECT_EQ(result.finding(), "");
  EXPECT_EQ(result.at<std::int32_t>(0), 5 + 8 * 13);
}

TEST(Warpgroup, AllWarpsMultiplyTheSame) {
  const Result result = run_bf16(
      "setp.lt.u32 %p2, %me, 96; @%p2 add.u64 %d8, %d8, 0;"
      "@!%p2 xor.b64 %d8, %d8, 8;",
      "%d8, %d9, 1, 1, 1, 0, 0");
  EXPECT_THAT(result.finding(), StartsWith("barrier-divergence: the warps of a warpgroup execute "
                                           "different wgmma.mma_async"));
}

TEST(Warpgroup, BlocksHaveWholeWarpgroups) {
  const Result result =
      run("wgmma.wait_group.sync.aligned 0;", {}, Conditions{.block = {96, 1, 1}});
  EXPECT_THAT(result.finding(), HasSubstr("the block has 96 threads"));
}

/// Two warpgroups multiply the same tiles, the first one before the second one. Threads of the
/// second one then overwrite a tile, after its own wait or after that of both.
Result run_two_groups(bool after_both) {
  const std::string product =
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %d8, %d9, 1, 1, "
      "1, 0, 0; wgmma.commit_group.sync.aligned;";
  const std::string wait = "wgmma.wait_group.sync.aligned 0;";
  const std::string both = "bar.sync 2, 256;";
  const std::string body =
      kZeros + prologue(2304, 8, 256) +
      "setp.lt.u32 %p2, %me, 128; @%p2 bra first; bar.sync 1, 256;" + product + wait +
      (after_both ? both : "bar.sync 2, 128;") +
      "setp.ne.u32 %p3, %me, 128; mov.u64 %d2, tiles; @!%p3 st.shared.u32 [%d2], 0;"
      "bra done; first:" +
      product + "bar.sync 1, 256;" + wait + (after_both ? both : "") + "done:";
  return run_module(entry(body, kTiles), bytes_of(std::vector<std::uint32_t>(576)), 1024,
                    Conditions{.block = {256, 1, 1}});
}

TEST(Warpgroup, EveryWarpgroupThatReadsATileDelaysItsRefill) {
  EXPECT_EQ(run_two_groups(true).finding(), "");
  EXPECT_THAT(run_two_groups(false).finding(),
              AllOf(StartsWith("race: "), HasSubstr("nothing orders the access after the wait")));
}

TEST(Warpgroup, BaseOffsetsAreUnsupported) {
  const Result result = run_bf16("or.b64 %d8, %d8, 0x4002000000000000;", "%d8, %d9, 1, 1, 1, 0, 0");
  EXPECT_THAT(result.finding(), StartsWith("unsupported wgmma.mma_async: the virtual device does "
                                           "not implement descriptors with a base offset"));
}

}  // namespace
}  // namespace warpcheck::isa::test
