// Random kernels that write the elements of a vector: whether all are written is counted for small
// sizes, and compared with the proof.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "environment.hpp"
#include "proof/proof.hpp"

namespace warpcheck::proof {
namespace {

/// Thread x of n / `per_block` blocks, rounded up or down, writes elements scale x + offset +
/// stride i for i < repeats, if they are below n - margin; in a step of `vector` elements.
struct Stores {
  std::int64_t threads = 32;
  std::int64_t per_block = 32;
  bool rounds_up = true;
  std::int64_t scale = 1;
  std::int64_t offset = 0;
  std::int64_t stride = 1;
  std::int64_t repeats = 1;
  std::int64_t margin = 0;
  std::int64_t divisor = 1;  // requires n % divisor == 0

  [[nodiscard]] std::int64_t blocks(std::int64_t n) const {
    return rounds_up ? (n + per_block - 1) / per_block : n / per_block;
  }

  [[nodiscard]] bool writes_all(std::int64_t n) const {
    std::vector<bool> written(static_cast<std::size_t>(n), false);
    for (std::int64_t x = 0; x < blocks(n) * threads; ++x) {
      for (std::int64_t i = 0; i < repeats; ++i) {
        const std::int64_t element = scale * x + offset + stride * i;
        if (element < n - margin) written[static_cast<std::size_t>(element)] = true;
      }
    }
    return std::find(written.begin(), written.end(), false) == written.end();
  }

  [[nodiscard]] std::string text() const {
    return fmt::format(
        "threads {} per_block {} up {} scale {} offset {} stride {} repeats {} margin {} divisor "
        "{}",
        threads, per_block, rounds_up, scale, offset, stride, repeats, margin, divisor);
  }
};

contract::Variant kernel(const Stores& stores) {
  contract::Variant variant;
  const std::string contract =
      fmt::format(R"toml([[operation]]
name = "fill"
extents = ["n"]
inputs.x = {{ shape = ["n"] }}
outputs.y = {{ shape = ["n"] }}
define = "y[i] = x[i]"
[[variant]]
name = "fill"
kernel = "fill"
operation = "fill"
arguments = ["x", "y", "n"]
block = [{}]
grid = ["{}"]
requires = ["n % {} == 0"]
)toml",
                  stores.threads,
                  stores.rounds_up ? fmt::format("ceil_div(n, {})", stores.per_block)
                                   : fmt::format("n / {}", stores.per_block),
                  stores.divisor);
  variant.contract = contract::parse_contracts(contract, {"fill.toml", 1, 1}).at(0);
  auto compiled = std::make_shared<contract::Compiled>();
  compiled->source_file = "fill.cu";
  compiled->ptx_file = "fill.ptx";
  compiled->ptx = fmt::format(R"(.version 9.0
.target sm_80
.address_size 64
.visible .entry fill(.param .u64 x, .param .u64 y, .param .u32 n)
{{
  .reg .pred %p<3>;
  .reg .b32 %r<16>;
  .reg .b64 %d<8>;
  .reg .f32 %f<2>;
  ld.param.u64 %d1, [y];
  ld.param.u32 %r1, [n];
  sub.s32 %r2, %r1, {};
  mov.f32 %f1, 0f00000000;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r5, %r3, {}, %r4;
  mad.lo.s32 %r6, %r5, {}, {};
  mov.u32 %r7, 0;
LOOP:
  setp.lt.s32 %p1, %r6, %r2;
  mul.wide.s32 %d2, %r6, 4;
  add.s64 %d3, %d1, %d2;
  @%p1 st.global.f32 [%d3], %f1;
  add.s32 %r6, %r6, {};
  add.s32 %r7, %r7, 1;
  setp.lt.s32 %p2, %r7, {};
  @%p2 bra LOOP;
  ret;
}}
)",
                              stores.margin, stores.threads, stores.scale, stores.offset,
                              stores.stride, stores.repeats);
  variant.compiled = compiled;
  variant.entries = {{"fill", {{8}, {8}, {4}}}};
  return variant;
}

Stores random_stores(std::mt19937_64& random) {
  const auto one_of = [&](std::initializer_list<std::int64_t> values) {
    return *(values.begin() + static_cast<std::ptrdiff_t>(random() % values.size()));
  };
  Stores stores;
  stores.threads = one_of({4, 8, 32});
  stores.repeats = one_of({1, 1, 2, 3, 4});
  const bool is_strided = random() % 2 == 0;
  stores.scale = is_strided ? 1 : stores.repeats;
  stores.stride = is_strided ? stores.threads : 1;
  stores.per_block = stores.threads * (is_strided ? 1 : stores.repeats);
  if (random() % 3 == 0) stores.per_block += one_of({-1, 1, 2});
  stores.rounds_up = random() % 4 != 0;
  if (random() % 4 == 0) stores.scale += 1;
  stores.offset = one_of({0, 0, 0, 1});
  if (random() % 4 == 0) stores.stride += 1;
  stores.margin = one_of({0, 0, 0, 1});
  stores.divisor = one_of({1, 1, 4, stores.per_block});
  return stores;
}

TEST(RandomStores, CoveredMeansThatEachElementIsWritten) {
  if (!has_solver()) GTEST_SKIP() << "the build has no solver";
  const std::uint64_t first = test::number_from_environment("WARPCHECK_SEED", 1);
  const std::uint64_t count = test::number_from_environment("WARPCHECK_RANDOM_KERNELS", 300);
  constexpr std::int64_t kMostElements = 160;
  std::size_t proved = 0;
  std::size_t incomplete = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::mt19937_64 random(seed);
    const Stores stores = random_stores(random);
    std::optional<std::int64_t> missing;
    for (std::int64_t n = 1; n <= kMostElements && !missing; ++n) {
      if (n % stores.divisor == 0 && stores.blocks(n) > 0 && !stores.writes_all(n)) missing = n;
    }
    const Proof proof =
        prove(kernel(stores), {.search_witnesses = false, .only = {Property::covered}});
    ASSERT_EQ(proof.properties.size(), 1U);
    const bool is_proved = proof.properties.front().is_proved;
    proved += is_proved ? 1 : 0;
    incomplete += missing ? 1 : 0;
    EXPECT_FALSE(is_proved && missing)
        << "seed " << seed << ": " << stores.text() << " leaves out elements of n=" << *missing;
  }
  std::cout << fmt::format("seeds from {}: {} proved of {}, {} incomplete\n", first, proved, count,
                           incomplete);
  if (count >= 100) {
    EXPECT_GT(5 * proved, count);
    EXPECT_GT(5 * incomplete, count);
  }
}

}  // namespace
}  // namespace warpcheck::proof
