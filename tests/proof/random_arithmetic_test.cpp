// Random integer arithmetic of PTX: the largest array that an index leaves is never proved to be
// large enough. WARPCHECK_RANDOM_ARITHMETIC=N tries the seeds to N.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "proof/proof.hpp"
#include "tests/proof/environment.hpp"

namespace warpcheck::proof {
namespace {

constexpr std::size_t kThreads = 64;
constexpr const char* kArithmeticContract = R"toml([[variant]]
name = "product"
kernel = "product"
operation = "gemm"
layout = "row"
types = { a = "f32", b = "f32", c = "f32", accumulate = "f32" }
arguments = ["a", "b", "c", "m", "n", "k"]
block = [64]
grid = ["ceil_div(n, 64)"]
)toml";

/// The bits of a register in each thread.
struct Register {
  std::string name;
  std::array<std::uint64_t, kThreads> bits = {};
};

/// Arithmetic on the number of the thread, with its results.
class Program {
 public:
  explicit Program(std::uint64_t seed) : state_(mixed(seed)) {
    Register thread{"%r0"};
    for (std::size_t i = 0; i < kThreads; ++i) thread.bits[i] = i;
    narrow_.push_back(thread);
    for (int i = 0; i < 6; ++i) step();
  }

  /// The last result as a signed number of each thread.
  [[nodiscard]] std::vector<std::int32_t> results() const {
    std::vector<std::int32_t> all;
    for (const std::uint64_t bits : narrow_.back().bits) {
      all.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(bits)));
    }
    return all;
  }

  /// A kernel that loads element `result - first` of an array.
  [[nodiscard]] contract::Variant kernel(std::int64_t first, std::int64_t elements) const {
    contract::Variant variant;
    variant.contract = contract::parse_contracts(kArithmeticContract, {"product.toml", 1, 1}).at(0);
    auto compiled = std::make_shared<contract::Compiled>();
    compiled->source_file = "product.cu";
    compiled->ptx_file = "product.ptx";
    compiled->ptx = fmt::format(R"(.version 8.5
.target sm_80
.address_size 64
.visible .entry product(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 m, .param .u32 n,
                        .param .u32 k)
{{
  .reg .pred %p<99>;
  .reg .b16 %h<2>;
  .reg .b32 %r<99>;
  .reg .b64 %d<99>;
  .shared .align 4 .b8 tile[{}];
  mov.u32 %r0, %tid.x;
{}  sub.s32 %r97, {}, {};
  shl.b32 %r97, %r97, 2;
  mov.u32 %r98, tile;
  add.s32 %r98, %r98, %r97;
  ld.shared.u32 %r97, [%r98];
  ret;
}}
)",
                                4 * elements, text_, narrow_.back().name, first);
    variant.compiled = compiled;
    variant.entries = {{"product", {{8}, {8}, {8}, {4}, {4}, {4}}}};
    return variant;
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::int64_t below(std::int64_t count) {
    state_ = mixed(state_);
    return static_cast<std::int64_t>(state_ % static_cast<std::uint64_t>(count));
  }
  const Register& source() {
    // The last results are used more often.
    const std::int64_t back = std::min(below(3), below(std::ssize(narrow_)));
    return narrow_[narrow_.size() - 1 - static_cast<std::size_t>(back)];
  }

  template <class Operation>
  void add(const std::string& instruction, const std::string& operands,
           const Operation& operation) {
    Register result{fmt::format("%r{}", narrow_.size())};
    for (std::size_t i = 0; i < kThreads; ++i) {
      result.bits[i] = static_cast<std::uint32_t>(operation(i));
    }
    text_ += fmt::format("  {} {}, {};\n", instruction, result.name, operands);
    narrow_.push_back(result);
  }

  void step() {
    switch (below(4)) {
      case 0:
        return with_number();
      case 1:
        return with_register();
      case 2:
        return convert();
      default:
        return below(2) == 0 ? with_number() : select();
    }
  }

  /// An operation on a register and a number.
  void with_number() {
    const Register x = source();
    const auto u = [&](std::size_t i) { return static_cast<std::uint32_t>(x.bits[i]); };
    const auto s = [&](std::size_t i) { return static_cast<std::int32_t>(u(i)); };
    const auto c = static_cast<std::int32_t>(1 + below(40));
    const std::string operands = fmt::format("{}, {}", x.name, c);
    const auto count = static_cast<unsigned>(below(4));
    const std::string shift = fmt::format("{}, {}", x.name, count);
    const auto both = [&](std::size_t i) { return static_cast<std::uint32_t>(c) & u(i); };
    switch (below(16)) {
      case 0:
        return add("add.s32", operands, [&](auto i) { return u(i) + c; });
      case 1:
      case 2:
        return add("sub.s32", operands, [&](auto i) { return u(i) - c; });
      case 3:
        return add("mul.lo.s32", operands, [&](auto i) { return u(i) * c; });
      case 4:
        return add("div.s32", operands, [&](auto i) { return s(i) / c; });
      case 5:
        return add("rem.s32", operands, [&](auto i) { return s(i) % c; });
      case 6:
        return add("div.u32", operands, [&](auto i) { return u(i) / c; });
      case 7:
        return add("rem.u32", operands, [&](auto i) { return u(i) % c; });
      case 8:
        return add("shr.s32", shift, [&](auto i) { return s(i) >> count; });
      case 9:
        return add("shr.u32", shift, [&](auto i) { return u(i) >> count; });
      case 10:
        return add("shl.b32", shift, [&](auto i) { return u(i) << count; });
      case 11:
        return add("and.b32", operands, both);
      case 12:
        return add("or.b32", operands,
                   [&](auto i) { return static_cast<std::uint32_t>(c) | u(i); });
      case 13:
        return add("xor.b32", operands,
                   [&](auto i) { return static_cast<std::uint32_t>(c) ^ u(i); });
      case 14:
        return add("and.b32", fmt::format("{}, {}", x.name, -c),
                   [&](auto i) { return static_cast<std::uint32_t>(-c) & u(i); });
      default: {
        // A quotient by a product, as compilers compute it.
        const std::int64_t factor = ((std::int64_t{1} << 32) + c) / c;
        return add("mul.hi.u32", fmt::format("{}, {}", x.name, factor), [&](auto i) {
          return u(i) * static_cast<std::uint64_t>(static_cast<std::uint32_t>(factor)) >> 32U;
        });
      }
    }
  }

  /// An operation on two registers.
  void with_register() {
    const Register x = source();
    const Register y = source();
    const auto u = [&](std::size_t i) { return static_cast<std::uint32_t>(x.bits[i]); };
    const auto s = [&](std::size_t i) { return static_cast<std::int32_t>(u(i)); };
    const auto v = [&](std::size_t i) { return static_cast<std::uint32_t>(y.bits[i]); };
    const auto t = [&](std::size_t i) { return static_cast<std::int32_t>(v(i)); };
    const std::string operands = fmt::format("{}, {}", x.name, y.name);
    switch (below(12)) {
      case 0:
        return add("add.s32", operands, [&](auto i) { return u(i) + v(i); });
      case 1:
        return add("sub.s32", operands, [&](auto i) { return u(i) - v(i); });
      case 2:
        return add("min.s32", operands, [&](auto i) { return std::min(s(i), t(i)); });
      case 3:
        return add("max.s32", operands, [&](auto i) { return std::max(s(i), t(i)); });
      case 4:
        return add("min.u32", operands, [&](auto i) { return std::min(u(i), v(i)); });
      case 5:
        return add("max.u32", operands, [&](auto i) { return std::max(u(i), v(i)); });
      case 6:
        return add("and.b32", operands, [&](auto i) { return u(i) & v(i); });
      case 7:
        return add("or.b32", operands, [&](auto i) { return u(i) | v(i); });
      case 8:
        return add("xor.b32", operands, [&](auto i) { return u(i) ^ v(i); });
      case 9:
        return add("mul.lo.s32", operands, [&](auto i) { return u(i) * v(i); });
      case 10:
        return add("neg.s32", x.name, [&](auto i) { return 0 - u(i); });
      default:
        return below(2) == 0
                   ? add("abs.s32", x.name, [&](auto i) { return s(i) < 0 ? 0 - u(i) : u(i); })
                   : add("not.b32", x.name, [&](auto i) { return ~u(i); });
    }
  }

  /// A narrow number, or an extended one.
  void convert() {
    const Register x = source();
    const auto u = [&](std::size_t i) { return static_cast<std::uint32_t>(x.bits[i]); };
    const auto s = [&](std::size_t i) { return static_cast<std::int32_t>(u(i)); };
    const auto c = static_cast<unsigned>(below(3) == 0 ? 32 : below(6));
    const std::string wide = fmt::format("%d{}", narrow_.size());
    const std::string shifted = fmt::format("shr.u64 {}, {}, {}", wide, wide, c);
    switch (below(7)) {
      case 0:
        return add("cvt.u32.u8", x.name, [&](auto i) { return u(i) & 255U; });
      case 1:
        return add("cvt.s32.s8", x.name, [&](auto i) { return static_cast<std::int8_t>(u(i)); });
      case 2:
        text_ += fmt::format("  cvt.u16.u32 %h1, {};\n", x.name);
        return add("cvt.u32.u16", "%h1", [&](auto i) { return u(i) & 65535U; });
      case 3:
        text_ += fmt::format("  cvt.u16.u32 %h1, {};\n", x.name);
        return add("cvt.s32.s16", "%h1", [&](auto i) { return static_cast<std::int16_t>(u(i)); });
      case 4:
        text_ += fmt::format("  cvt.u64.u32 {}, {};\n  {};\n", wide, x.name, shifted);
        return add("cvt.u32.u64", wide, [&](auto i) { return std::uint64_t{u(i)} >> c; });
      case 5:
        text_ += fmt::format("  cvt.s64.s32 {}, {};\n  shr.s64 {}, {}, {};\n", wide, x.name, wide,
                             wide, c);
        return add("cvt.u32.u64", wide, [&](auto i) { return std::int64_t{s(i)} >> c; });
      default: {
        const auto first = static_cast<unsigned>(below(3));
        const auto bits = static_cast<unsigned>(1 + below(5));
        return add("bfe.u32", fmt::format("{}, {}, {}", x.name, first, bits),
                   [&](auto i) { return u(i) >> first & ((1U << bits) - 1); });
      }
    }
  }

  /// One of two registers.
  void select() {
    const Register x = source();
    const Register y = source();
    const Register z = source();
    const auto c = static_cast<std::int32_t>(below(50) - 10);
    const bool is_signed = below(2) == 0;
    const std::string p = fmt::format("%p{}", narrow_.size());
    text_ += fmt::format("  setp.lt.{} {}, {}, {};\n", is_signed ? "s32" : "u32", p, z.name, c);
    const auto chosen = [&](std::size_t i) {
      const auto bits = static_cast<std::uint32_t>(z.bits[i]);
      const bool holds =
          is_signed ? static_cast<std::int32_t>(bits) < c : bits < static_cast<std::uint32_t>(c);
      return holds ? x.bits[i] : y.bits[i];
    };
    if (below(2) == 0) {
      return add("selp.b32", fmt::format("{}, {}, {}", x.name, y.name, p), chosen);
    }
    add("mov.u32", y.name, chosen);
    text_ += fmt::format("  @{} mov.u32 {}, {};\n", p, narrow_.back().name, x.name);
  }

  std::uint64_t state_;
  std::string text_;
  std::vector<Register> narrow_;
};

bool is_in_bounds(const Program& program, std::int64_t first, std::int64_t elements) {
  const Proof proof = prove(program.kernel(first, elements),
                            {.search_witnesses = false, .only = {Property::bounds}});
  return proof.properties.front().is_proved;
}

TEST(RandomArithmetic, IndexThatLeavesItsArrayIsNotProved) {
  if (!has_solver()) GTEST_SKIP() << "the build has no solver";
  const std::uint64_t last = test::number_from_environment("WARPCHECK_RANDOM_ARITHMETIC", 400);
  std::size_t proved = 0;
  std::size_t tried = 0;
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    const Program program(seed);
    const auto results = program.results();
    const auto [least, most] = std::minmax_element(results.begin(), results.end());
    if (*least == *most || *least < -10'000 || *most > 10'000) continue;
    ++tried;
    const std::int64_t first = *least;
    const std::int64_t elements = std::int64_t{*most} - *least + 1;
    proved += is_in_bounds(program, first, elements) ? 1 : 0;
    EXPECT_FALSE(is_in_bounds(program, first, elements - 1))
        << "seed " << seed << ": the index is up to " << *most - first << '\n'
        << program.text();
    EXPECT_FALSE(is_in_bounds(program, first + 1, elements))
        << "seed " << seed << ": the index is at least -1\n"
        << program.text();
    if (testing::Test::HasFailure()) return;
  }
  std::cout << tried << " programs, " << proved << " proved\n";
  EXPECT_GT(3 * proved, tried);
}

}  // namespace
}  // namespace warpcheck::proof
