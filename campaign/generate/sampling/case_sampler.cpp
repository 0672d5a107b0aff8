#include "campaign/generate/sampling/case_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "campaign/case/normalized.hpp"
#include "campaign/case/operand.hpp"

namespace warpcheck::campaign::generate {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using Sizes = std::vector<std::int64_t>;

// The budget of a case lies between these numbers of multiply-adds, with sizes rounded up to whole
// tiles.
constexpr double kLeastWork = 2e4;
constexpr double kMostWork = 4e6;
constexpr double kMostElements = 3e5;  // elements of A, B and C together
constexpr double kCoveringWork = 2e5;
constexpr double kDearCoveringWork = 7e5;
constexpr double kDearCoveringElements = 6e5;
constexpr double kTimesLeast = 12.0;      // 2 x 2 tiles with 3 steps along k
constexpr double kMostWorkOfTiles = 6e7;  // exceeded only if the least case costs more
constexpr double kCoveringTiles = 4.0;    // 2 x 2 tiles with one step along k
constexpr double kDearCoveringTiles = 15.0;
constexpr double kDearTimesLeast = 25.0;  // 5 x 5 tiles
// Multiply-adds that take as long as the other work of a thread.
constexpr std::int64_t kLeastSlice = 16;
constexpr int kAttempts = 16;

rc::Gen<std::int64_t> around_multiples(rc::Gen<std::int64_t> tiles, std::int64_t most) {
  return rc::gen::map(rc::gen::tuple(std::move(tiles), rc::gen::inRange<std::int64_t>(0, most + 1),
                                     rc::gen::element<std::int64_t>(-1, 0, 0, 1)),
                      [](const std::tuple<std::int64_t, std::int64_t, std::int64_t>& parts) {
                        const auto [tile, count, off] = parts;
                        return std::max<std::int64_t>(1, tile * count + off);
                      });
}

rc::Gen<std::int64_t> sizes(const Sizes& tiles, std::int64_t tile, std::size_t weight_of_zero) {
  const auto prime = rc::gen::element<std::int64_t>(2, 3, 5, 7, 11, 13, 17, 23, 31, 37, 53, 61, 67,
                                                    97, 127, 131, 193, 257, 263, 509, 521);
  return rc::gen::weightedOneOf<std::int64_t>({{weight_of_zero, rc::gen::just<std::int64_t>(0)},
                                               {24, around_multiples(rc::gen::elementOf(tiles), 5)},
                                               {12, around_multiples(rc::gen::just(tile), 7)},
                                               {12, rc::gen::inRange<std::int64_t>(1, 10)},
                                               {8, prime},
                                               {6, rc::gen::inRange<std::int64_t>(10, 300)},
                                               {3, rc::gen::inRange<std::int64_t>(300, 3000)}});
}

/// Returns a leading dimension or a stride: tight, wider by some elements, or rounded up to a
/// multiple of 4, 8 or 32.
std::int64_t stride_value(Rng& rng, std::int64_t tight) {
  const auto round_up_to = rng(rc::gen::element<std::int64_t>(4, 8, 32));
  const std::int64_t rounded = (tight / round_up_to + 1) * round_up_to;
  return rng(rc::gen::weightedOneOf<std::int64_t>(
      {{6, rc::gen::just<std::int64_t>(0)},
       {3, rc::gen::just(tight + 1)},
       {3, rc::gen::just(rounded)},
       {4, rc::gen::map(rc::gen::inRange<std::int64_t>(2, 20),
                        [tight](std::int64_t extra) { return tight + extra; })}}));
}

Recipe recipe(Rng& rng, const Contract& contract) {
  using R = Recipe;
  if (unit_roundoff(contract.type_a) == 0.0) {
    return rng(rc::gen::element(R::lattice, R::lattice, R::cancellation, R::spikes, R::onehot));
  }
  return rng(rc::gen::weightedElement<Recipe>({{35, R::lattice},
                                               {20, R::normal},
                                               {8, R::wide},
                                               {10, R::cancellation},
                                               {10, R::spikes},
                                               {12, R::onehot},
                                               {5, R::special}}));
}

/// Returns a factor of few bits if the sums of the recipe are to be exact, otherwise any number.
double factor(Rng& rng, Recipe data, double usual, bool whole) {
  const bool rounds = data == Recipe::normal || data == Recipe::wide;
  const double other = whole    ? rng(rc::gen::element(2.0, -3.0))
                       : rounds ? rng(rc::gen::element(0.7, -1.3, 3.0))
                                : rng(rc::gen::element(2.0, -3.0, 0.5, 1.5));
  return rng(
      rc::gen::weightedElement<double>({{5, usual}, {1, 0.0}, {2, 1.0}, {1, -1.0}, {3, other}}));
}

double whole_units(std::int64_t size, std::int64_t unit) {
  return static_cast<double>(std::max<std::int64_t>((size + unit - 1) / unit * unit, 1));
}

double whole_tiles(const Tiles& tiles, std::size_t extent, std::int64_t size) {
  return whole_units(size, std::max(tiles.tile[extent], tiles.period[extent]));
}

rc::Gen<std::int64_t> extents(const Sizes& tiles, std::int64_t tile, std::size_t weight_of_zero,
                              std::int64_t max_size) {
  auto extents = sizes(tiles, tile, weight_of_zero);
  if (max_size == 0) return extents;
  return rc::gen::map(std::move(extents), [max_size](std::int64_t size) {
    return size <= max_size ? size : 1 + size % max_size;
  });
}

}  // namespace

double tiled_work(const Tiles& tiles, const Case& problem) {
  // Each of the blocks that share k has other work besides the multiplications.
  const std::int64_t least = tiles.split_k > 1 ? kLeastSlice * tiles.split_k : 1;
  return static_cast<double>(problem.batch) * whole_tiles(tiles, 0, problem.m) *
         whole_tiles(tiles, 1, problem.n) *
         std::max(whole_units(problem.k, tiles.period[2]), static_cast<double>(least));
}

double elements(const Case& problem) {
  const auto m = static_cast<double>(problem.m);
  const auto n = static_cast<double>(problem.n);
  const auto k = static_cast<double>(problem.k);
  return static_cast<double>(problem.batch) * (m * n + m * k + k * n);
}

Cost cost(const Tiles& tiles, const Case& problem) {
  return {tiled_work(tiles, problem), elements(problem)};
}

Budgets budgets(const Tiles& tiles, const Cost& least) {
  const double step = static_cast<double>(tiles.tile[0] * tiles.tile[1] * tiles.tile[2]);
  const auto times_least = [&](double times) {
    return std::min(times * least.work, std::max(least.work, kMostWorkOfTiles));
  };
  const double sampled = times_least(kTimesLeast);
  const double dear = times_least(kDearTimesLeast);
  const double elements = kTimesLeast * least.elements;
  return {{std::max(kMostWork, sampled), std::max(kMostElements, elements)},
          {std::max({kCoveringWork, kCoveringTiles * step, sampled}),
           std::max(kMostElements, elements)},
          {std::max({kDearCoveringWork, kDearCoveringTiles * step, dear}),
           std::max(kDearCoveringElements, 2.0 * elements)}};
}

void reset_invalid_strides(const Contract& contract, Case& problem) {
  for (const StrideField& stride : stride_fields(contract)) {
    std::int64_t& value = problem.*stride.field;
    if (value < stride.tight(contract, problem)) value = 0;
  }
}

CaseSampler::CaseSampler(const Contract& contract, const Tiles& tiles, std::uint64_t seed,
                         const Sampling& sampling)
    : contract_(contract),
      tiles_(tiles),
      rng_(seed),
      extents_{extents(tiles.m, tiles.tile[0], 0, sampling.max_size),
               extents(tiles.n, tiles.tile[1], 0, sampling.max_size),
               extents(tiles.k, tiles.tile[2], 3, sampling.max_size)},
      budget_(sampling.most) {
  const double unit = rng_(rc::gen::inRange<int>(0, 1001)) / 1000.0;
  const double tile = 16.0 * whole_tiles(tiles, 0, 1) * whole_tiles(tiles, 1, 1);
  const double least = std::max({kLeastWork, tile, sampling.least.work});
  if (!sampling.spends) budget_.work = least * std::pow(std::max(1.0, budget_.work / least), unit);
}

Case CaseSampler::sample() {
  Case sampled;
  sampled.variant = contract_.name;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    sampled.m = rng_(extents_[0]);
    sampled.n = rng_(extents_[1]);
    sampled.k = rng_(extents_[2]);
    if (affordable(sampled)) break;
  }
  if (contract_.takes(ArgumentWord::ta)) sampled.ta = rng_(rc::gen::element(false, true));
  if (contract_.takes(ArgumentWord::tb)) sampled.tb = rng_(rc::gen::element(false, true));
  if (contract_.takes(ArgumentWord::batch)) {
    sampled.batch = rng_(rc::gen::element<std::int64_t>(1, 1, 2, 3, 5));
  }
  shrink_to_budget(sampled, {0, 0, 0});
  sample_layout(sampled);
  sampled.data = recipe(rng_, contract_);
  const bool whole = contract_.accumulate == ScalarType::s32;
  sampled.alpha = factor(rng_, sampled.data, 1.0, whole);
  sampled.beta = factor(rng_, sampled.data, 0.0, whole);
  sampled.seed = rng_(rc::gen::inRange<std::uint64_t>(0, 1'000'000));
  return normalized(contract_, sampled);
}

/// Samples leading dimensions, batch strides and offsets. The sizes decide the tight strides.
void CaseSampler::sample_layout(Case& sampled) {
  for (const StrideField& stride : stride_fields(contract_)) {
    if (!stride.taken_by(contract_)) continue;
    sampled.*stride.field = stride_value(rng_, stride.tight(contract_, sampled));
  }
  const auto offset = rc::gen::element<std::int64_t>(0, 0, 0, 1, 2, 3);
  for (const Operand operand : {Operand::a, Operand::b, Operand::c}) {
    sampled.*fields(operand).offset = rng_(offset);
  }
  if (contract_.takes(ArgumentWord::bias)) sampled.off_bias = rng_(offset);
}

void CaseSampler::shrink_to_budget(Case& sampled, const std::array<std::int64_t, 3>& least) const {
  while (!affordable(sampled)) {
    std::size_t most = kExtentFields.size();
    std::int64_t most_tiles = 1;
    for (std::size_t i = 0; i < kExtentFields.size(); ++i) {
      const std::int64_t size = sampled.*kExtentFields[i];
      if (size > least[i] && tiles_.count(i, size) > most_tiles) {
        most = i;
        most_tiles = tiles_.count(i, size);
      }
    }
    if (most < kExtentFields.size()) {
      std::int64_t& size = sampled.*kExtentFields[most];
      size = std::max(least[most], size - (most_tiles + 1) / 2 * tiles_.tile[most]);
      continue;
    }
    if (tiles_.period[2] > 1 || sampled.k <= std::max<std::int64_t>(least[2], 1)) return;
    sampled.k = std::max(least[2], sampled.k / 2);
  }
}

bool CaseSampler::affordable(const Case& sampled) const {
  return tiled_work(tiles_, sampled) <= budget_.work && elements(sampled) <= budget_.elements;
}

}  // namespace warpcheck::campaign::generate
