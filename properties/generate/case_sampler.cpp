#include "properties/generate/case_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "properties/case/layout.hpp"

namespace warpcheck::properties::generate {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using Sizes = std::vector<std::int64_t>;

constexpr double kLeastWork = 2e4;        // multiply-adds of a case, its sizes rounded up to whole
constexpr double kMostWork = 4e6;         // tiles: its budget is drawn between these
constexpr double kMostElements = 3e5;     // of A, B and C together
constexpr std::int64_t kLeastSlice = 16;  // multiply-adds that a thread's other work amounts to
constexpr int kAttempts = 16;

rc::Gen<std::int64_t> sizes(const Sizes& tiles, std::size_t weight_of_zero) {
  const auto around_multiples =
      rc::gen::map(rc::gen::tuple(rc::gen::elementOf(tiles), rc::gen::inRange<std::int64_t>(0, 6),
                                  rc::gen::element<std::int64_t>(-1, 0, 0, 1)),
                   [](const std::tuple<std::int64_t, std::int64_t, std::int64_t>& parts) {
                     const auto [tile, count, off] = parts;
                     return std::max<std::int64_t>(1, tile * count + off);
                   });
  const auto prime = rc::gen::element<std::int64_t>(2, 3, 5, 7, 11, 13, 17, 23, 31, 37, 53, 61, 67,
                                                    97, 127, 131, 193, 257, 263, 509, 521);
  return rc::gen::weightedOneOf<std::int64_t>({{weight_of_zero, rc::gen::just<std::int64_t>(0)},
                                               {32, around_multiples},
                                               {12, rc::gen::inRange<std::int64_t>(1, 10)},
                                               {8, prime},
                                               {6, rc::gen::inRange<std::int64_t>(10, 300)},
                                               {3, rc::gen::inRange<std::int64_t>(300, 3000)}});
}

/// A leading dimension or a stride: tight, or wider by an odd number, or up to a round one.
std::int64_t leading(Draws& draw, std::int64_t tight) {
  const auto round_up_to = draw(rc::gen::element<std::int64_t>(4, 8, 32));
  const std::int64_t rounded = (tight / round_up_to + 1) * round_up_to;
  return draw(rc::gen::weightedOneOf<std::int64_t>(
      {{6, rc::gen::just<std::int64_t>(0)},
       {3, rc::gen::just(tight + 1)},
       {3, rc::gen::just(rounded)},
       {4, rc::gen::map(rc::gen::inRange<std::int64_t>(2, 20),
                        [tight](std::int64_t extra) { return tight + extra; })}}));
}

Recipe recipe(Draws& draw, const Contract& contract) {
  using R = Recipe;
  if (unit_roundoff(contract.type_a) == 0.0) {
    return draw(rc::gen::element(R::lattice, R::lattice, R::cancellation, R::spikes, R::onehot));
  }
  return draw(rc::gen::weightedElement<Recipe>({{35, R::lattice},
                                                {20, R::normal},
                                                {8, R::wide},
                                                {10, R::cancellation},
                                                {10, R::spikes},
                                                {12, R::onehot},
                                                {5, R::special}}));
}

/// Few bits for the recipes whose sums are to be exact; any number for the others.
double factor(Draws& draw, Recipe data, double usual, bool whole) {
  const bool rounds = data == Recipe::normal || data == Recipe::wide;
  const double other = whole    ? draw(rc::gen::element(2.0, -3.0))
                       : rounds ? draw(rc::gen::element(0.7, -1.3, 3.0))
                                : draw(rc::gen::element(2.0, -3.0, 0.5, 1.5));
  return draw(
      rc::gen::weightedElement<double>({{5, usual}, {1, 0.0}, {2, 1.0}, {1, -1.0}, {3, other}}));
}

/// The largest tile: what a block computes whether or not the matrix fills it.
std::int64_t block_tile(const Sizes& tiles) { return std::min<std::int64_t>(128, tiles.back()); }

double whole_tiles(std::int64_t size, const Sizes& tiles) {
  const std::int64_t tile = block_tile(tiles);
  return static_cast<double>(std::max<std::int64_t>((size + tile - 1) / tile * tile, 1));
}

rc::Gen<std::int64_t> extents(const Sizes& tiles, std::size_t weight_of_zero,
                              std::int64_t max_size) {
  auto extents = sizes(tiles, weight_of_zero);
  if (max_size == 0) return extents;
  return rc::gen::map(std::move(extents), [max_size](std::int64_t size) {
    return size <= max_size ? size : 1 + size % max_size;
  });
}

}  // namespace

double tiled_work(const Tiles& tiles, const Case& problem) {
  // Blocks that share k cost what they do besides multiplying, each of them.
  const std::int64_t least = tiles.split_k > 1 ? kLeastSlice * tiles.split_k : 1;
  return static_cast<double>(problem.batch) * whole_tiles(problem.m, tiles.m) *
         whole_tiles(problem.n, tiles.n) *
         static_cast<double>(std::max<std::int64_t>(problem.k, least));
}

double elements(const Case& problem) {
  const auto m = static_cast<double>(problem.m);
  const auto n = static_cast<double>(problem.n);
  const auto k = static_cast<double>(problem.k);
  return static_cast<double>(problem.batch) * (m * n + m * k + k * n);
}

/// Leading dimensions and strides that a change of sizes has made too small become tight.
void reset_invalid_strides(const Contract& contract, Case& wish) {
  const auto mend = [&](std::int64_t& field, ArgumentWord word) {
    if (field < tight_dimension(contract, wish, word)) field = 0;
  };
  mend(wish.lda, ArgumentWord::lda);
  mend(wish.ldb, ArgumentWord::ldb);
  mend(wish.ldc, ArgumentWord::ldc);
  const auto mend_stride = [&](std::int64_t& field, ArgumentWord word) {
    if (field < tight_stride(contract, wish, word)) field = 0;
  };
  mend_stride(wish.stride_a, ArgumentWord::stride_a);
  mend_stride(wish.stride_b, ArgumentWord::stride_b);
  mend_stride(wish.stride_c, contract.takes(ArgumentWord::stride_c) ? ArgumentWord::stride_c
                                                                    : ArgumentWord::stride_d);
}

CaseSampler::CaseSampler(const Contract& contract, const Tiles& tiles, std::uint64_t seed,
                         std::int64_t max_size)
    : contract_(contract),
      tiles_(tiles),
      draw_(seed),
      extents_{extents(tiles.m, 1, max_size), extents(tiles.n, 1, max_size),
               extents(tiles.k, 3, max_size)} {
  const double unit = draw_(rc::gen::inRange<int>(0, 1001)) / 1000.0;
  const double least = std::max(kLeastWork, 16.0 * static_cast<double>(block_tile(tiles.m)) *
                                                static_cast<double>(block_tile(tiles.n)));
  budget_ = least * std::pow(std::max(1.0, kMostWork / least), unit);
}

Case CaseSampler::drawn() {
  Case wish;
  wish.variant = contract_.name;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    wish.m = draw_(extents_[0]);
    wish.n = draw_(extents_[1]);
    wish.k = draw_(extents_[2]);
    if (affordable(wish)) break;
  }
  if (contract_.takes(ArgumentWord::ta)) wish.ta = draw_(rc::gen::element(false, true));
  if (contract_.takes(ArgumentWord::tb)) wish.tb = draw_(rc::gen::element(false, true));
  if (contract_.takes(ArgumentWord::batch)) {
    wish.batch = draw_(rc::gen::element<std::int64_t>(1, 1, 2, 3, 5));
  }
  shrink_to_budget(wish, {0, 0, 0});
  wish.lda = leading_of(wish, ArgumentWord::lda);
  wish.ldb = leading_of(wish, ArgumentWord::ldb);
  wish.ldc =
      leading_of(wish, contract_.takes(ArgumentWord::ldc) ? ArgumentWord::ldc : ArgumentWord::ldd);
  wish.stride_a = stride_of(wish, ArgumentWord::stride_a);
  wish.stride_b = stride_of(wish, ArgumentWord::stride_b);
  wish.stride_c = stride_of(wish, contract_.takes(ArgumentWord::stride_c) ? ArgumentWord::stride_c
                                                                          : ArgumentWord::stride_d);
  for (std::int64_t Case::*offset : {&Case::off_a, &Case::off_b, &Case::off_c}) {
    wish.*offset = draw_(rc::gen::element<std::int64_t>(0, 0, 0, 1, 2, 3));
  }
  if (contract_.takes(ArgumentWord::bias)) {
    wish.off_bias = draw_(rc::gen::element<std::int64_t>(0, 0, 0, 1, 2, 3));
  }
  wish.data = recipe(draw_, contract_);
  const bool whole = contract_.accumulate == ScalarType::s32;
  wish.alpha = factor(draw_, wish.data, 1.0, whole);
  wish.beta = factor(draw_, wish.data, 0.0, whole);
  wish.seed = draw_(rc::gen::inRange<std::uint64_t>(0, 1'000'000));
  return normalized(contract_, wish);
}

void CaseSampler::shrink_to_budget(Case& wish, const std::array<std::int64_t, 3>& least) const {
  while (!affordable(wish)) {
    std::int64_t* const extents[] = {&wish.m, &wish.n, &wish.k};
    std::size_t largest = 3;
    for (std::size_t i = 0; i < 3; ++i) {
      if (*extents[i] <= std::max<std::int64_t>(least[i], 1)) continue;
      if (largest == 3 || *extents[i] > *extents[largest]) largest = i;
    }
    if (largest == 3) return;
    *extents[largest] = std::max(least[largest], *extents[largest] / 2);
  }
}

bool CaseSampler::affordable(const Case& wish) const {
  return tiled_work(tiles_, wish) <= budget_ && elements(wish) <= kMostElements;
}

std::int64_t CaseSampler::leading_of(const Case& wish, ArgumentWord word) {
  const auto tight = std::max<std::int64_t>(1, tight_dimension(contract_, wish, word));
  return contract_.takes(word) ? leading(draw_, tight) : 0;
}

std::int64_t CaseSampler::stride_of(const Case& wish, ArgumentWord word) {
  return contract_.takes(word) ? leading(draw_, tight_stride(contract_, wish, word)) : 0;
}

}  // namespace warpcheck::properties::generate
