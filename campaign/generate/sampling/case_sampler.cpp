#include "campaign/generate/sampling/case_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "campaign/case/normalized.hpp"
#include "campaign/generate/sampling/landmarks.hpp"
#include "campaign/generate/sampling/size_reduction.hpp"
#include "campaign/generate/sampling/tiles.hpp"

namespace warpcheck::campaign::generate {
namespace {

using Kind = CaseField::Kind;

constexpr double kLeastWork = 0x1p12;
constexpr int kDraws = 16;  // most draws of all extents until the case is affordable
constexpr std::int64_t kMostSmallExtent = 7;
constexpr std::int64_t kMostExtent = 1 << 15;

}  // namespace

SampleSpace::SampleSpace(const AffordableCases& affordable, const Case& least)
    : cases(affordable),
      extents(affordable.costs().schema().fields_of_kind(Kind::extent)),
      block_extents(block_extents_of(affordable.costs().contract(), affordable.costs().schema())),
      numbers(contract_numbers(affordable.costs().contract())) {
  const CostModel& costs = affordable.costs();
  const Cost cost_of_least = costs.ordinary_cost(least);
  least_work = std::max({kLeastWork, costs.work_of_step(), cost_of_least.work});
  most = costs.budgets(cost_of_least).sampled;
}

CaseSampler::CaseSampler(const SampleSpace& space, std::uint64_t seed)
    : space_(space), costs_(space.cases.costs()), rng_(seed) {}

Case CaseSampler::any(bool spends) {
  Case problem = blank();
  budget_.work = log_uniform(space_.least_work, space_.most.work, rng_);
  budget_.elements = std::min(space_.most.elements, budget_.work);
  if (spends) budget_ = space_.most;
  for (int i = 0; i < kDraws && (i == 0 || !SizeReduction(costs_, budget_).is_affordable(problem));
       ++i) {
    for (const std::size_t one : space_.extents) field(one).set(problem, extent(one));
  }
  // In three of four cases the extents of blocks remain larger than the others.
  Fields kept = rng_.one_in(4) ? space_.extents : space_.block_extents;
  std::rotate(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(rng_.below(kept.size())),
              kept.end());
  SizeReduction(costs_, budget_).keep_large(kept, rng_.one_in(2), problem);
  return finished(std::move(problem));
}

/// Returns a case with the fields that tight strides and costs depend on, beside the extents.
Case CaseSampler::blank() {
  Case problem;
  problem.variant = costs_.contract().name;
  problem = normalized(costs_.contract(), std::move(problem));
  problem.seed = rng_.below(1'000'000);
  problem.data = rng_.of(schema().usual_recipes);
  for (const CaseField& one : schema().fields) {
    if (!one.is_taken) continue;
    if (one.kind == Kind::transposition) one.set(problem, rng_.one_in(2) ? 1 : 0);
    if (one.kind == Kind::order && rng_.one_in(2))
      one.set(problem, rng_.uniform(one.orders.count()));
    if (one.kind == Kind::batch) one.set(problem, rng_.of<std::int64_t>({1, 1, 2, 3, 5}));
  }
  return problem;
}

std::int64_t CaseSampler::extent(std::size_t number) {
  constexpr std::uint64_t kZeros = 22;
  if (field(number).has_zero && rng_.one_in(kZeros)) return 0;
  const std::int64_t size = std::max<std::int64_t>(any_extent(number), 1);
  const std::int64_t most = space_.cases.max_size() == 0 ? kMostExtent : space_.cases.max_size();
  return size <= most ? size : 1 + size % most;
}

std::int64_t CaseSampler::any_extent(std::size_t number) {
  static const std::vector<std::int64_t> kPrimes = {11, 13, 17, 31, 37, 61, 97, 127, 257, 521};
  const ExtentTiles& tiles = costs_.tiles().extents[number];
  const auto beside = [&] { return rng_.of<std::int64_t>({-1, 0, 0, 1}); };
  const std::uint64_t choice = rng_.below(16);
  if (choice < 3) return small_extent();
  if (choice < 5) return rng_.of(kPrimes);
  if (choice < 6) return rng_.between(1, std::int64_t{1} << rng_.between(3, 14));
  if (choice < 9) return tiles.tile * rng_.between(1, 7) + beside();
  if (choice < 11 || space_.numbers.empty()) {
    return rng_.of(tiles.sizes) * rng_.between(1, 5) + beside();
  }
  return rng_.of(space_.numbers) * rng_.between(1, 3) + rng_.between(-2, 2);
}

/// Seldom 1: a softmax of one column, or the weight of one key, does not depend on the input.
std::int64_t CaseSampler::small_extent() {
  return rng_.one_in(16) ? 1 : rng_.between(2, kMostSmallExtent);
}

/// Sets strides, offsets and factors.
Case CaseSampler::finished(Case problem) {
  for (const std::size_t number : schema().from_within(problem)) {
    const CaseField& one = field(number);
    if (!one.is_taken) continue;
    if (one.is_stride()) {
      one.set(problem, sample_stride(rng_, tight_stride(costs_.contract(), problem, one.name)));
    } else if (one.kind == Kind::offset) {
      one.set(problem, rng_.of<std::int64_t>({0, 0, 0, 0, 1, 2, 3}));
    } else if (one.kind == Kind::factor) {
      one.set_number(problem, rng_.of(one.usual_values(problem.data)));
    }
  }
  return normalized(costs_.contract(), std::move(problem));
}

double log_uniform(double least, double most, Rng& rng) {
  const double share = static_cast<double>(rng.below(1001)) / 1000.0;
  return least * std::pow(std::max(1.0, most / least), share);
}

std::int64_t sample_stride(Rng& rng, std::int64_t tight) {
  const std::int64_t unit = rng.of<std::int64_t>({4, 8, 32});
  switch (rng.below(16)) {
    case 0:
    case 1:
    case 2:
      return tight + 1;
    case 3:
    case 4:
    case 5:
      return (tight / unit + 1) * unit;
    case 6:
    case 7:
    case 8:
    case 9:
      return tight + rng.between(2, 19);
    default:
      return 0;
  }
}

}  // namespace warpcheck::campaign::generate
