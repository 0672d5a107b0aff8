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

constexpr double kLeastWork = 2e4;  // the least budget of a case, in multiply-adds
constexpr int kAttempts = 16;
constexpr std::array<std::int64_t Case::*, 3> kExtents = {&Case::m, &Case::n, &Case::k};

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

rc::Gen<std::int64_t> extents(const ExtentTiles& tiles, std::size_t weight_of_zero,
                              std::int64_t max_size) {
  auto extents = sizes(tiles.sizes, tiles.tile, weight_of_zero);
  if (max_size == 0) return extents;
  return rc::gen::map(std::move(extents), [max_size](std::int64_t size) {
    return size <= max_size ? size : 1 + size % max_size;
  });
}

}  // namespace

CaseSampler::CaseSampler(const CostModel& costs, std::uint64_t seed, const Sampling& sampling)
    : contract_(costs.contract()),
      costs_(costs),
      rng_(seed),
      extents_{extents(costs.tiles().extents[0], 0, sampling.max_size),
               extents(costs.tiles().extents[1], 0, sampling.max_size),
               extents(costs.tiles().extents[2], 3, sampling.max_size)},
      budget_(sampling.most) {
  const double unit = rng_(rc::gen::inRange<int>(0, 1001)) / 1000.0;
  Case tile;
  tile.k = 16;
  const double least = std::max({kLeastWork, costs.cost(tile).work, sampling.least.work});
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
    std::size_t most = kExtents.size();
    std::int64_t most_tiles = 1;
    for (std::size_t i = 0; i < kExtents.size(); ++i) {
      const std::int64_t size = sampled.*kExtents[i];
      if (size > least[i] && tiles_of(i).count(size) > most_tiles) {
        most = i;
        most_tiles = tiles_of(i).count(size);
      }
    }
    if (most < kExtents.size()) {
      std::int64_t& size = sampled.*kExtents[most];
      size = std::max(least[most], size - (most_tiles + 1) / 2 * tiles_of(most).tile);
      continue;
    }
    if (tiles_of(2).period > 1 || sampled.k <= std::max<std::int64_t>(least[2], 1)) return;
    sampled.k = std::max(least[2], sampled.k / 2);
  }
}

bool CaseSampler::affordable(const Case& sampled) const {
  return costs_.cost(sampled).is_within(budget_);
}

}  // namespace warpcheck::campaign::generate
