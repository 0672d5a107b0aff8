#include "campaign/generate/sampling/case_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "campaign/case/normalized.hpp"
#include "campaign/generate/sampling/landmarks.hpp"
#include "campaign/generate/sampling/tiles.hpp"

namespace warpcheck::campaign::generate {
namespace {

using Kind = CaseField::Kind;

constexpr double kLeastWork = 0x1p12;
constexpr int kDraws = 16;  // most draws of all extents until the case is affordable
constexpr std::int64_t kMostSmallExtent = 7;
constexpr std::int64_t kMostExtent = 1 << 15;
// The work of cases with two large extents.
constexpr double kLeastWorkOfPairs = 0x1p21;
constexpr double kMostWorkOfPairs = 0x1p23;
// The most work of a case whose one large extent is past a number of the contract, and of the
// first one in four and in sixteen of these. 2^30 take the reference 3 s.
constexpr double kMostWorkOfDirected = 0x1p25;
constexpr double kMostWorkOfFourth = 0x1p28;
constexpr double kMostWorkOfSixteenth = 0x1p30;
constexpr double kMostElementsOfDirected = 4e6;
// The first extent of a pair is reduced to so many, before the second: one or two tiles of tensor
// cores.
constexpr std::int64_t kLeastOfPair = 9;
constexpr std::int64_t kMostOfPair = 32;
// An extent is at most this far below its limit in the contract.
constexpr std::int64_t kMostBelowLimit = 7;

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
  draw_budget(space_.least_work, space_.most.work);
  if (spends) budget_ = space_.most;
  for (int i = 0; i < kDraws && (i == 0 || !is_affordable(problem)); ++i) {
    for (const std::size_t one : space_.extents) field(one).set(problem, extent(one));
  }
  // In three of four cases the extents of blocks remain larger than the others.
  Fields kept = rng_.one_in(4) ? space_.extents : space_.block_extents;
  std::rotate(kept.begin(), kept.begin() + static_cast<std::ptrdiff_t>(rng_.below(kept.size())),
              kept.end());
  keep_large(kept, rng_.one_in(2), problem);
  return finished(std::move(problem));
}

Case CaseSampler::directed(std::int64_t number) {
  Case problem = blank();
  const bool has_pairs = space_.block_extents.size() > 1;
  if (has_pairs && number % 2 == 1) {
    direct_pair(number / 2, problem);
  } else {
    direct(has_pairs ? number / 2 : number, problem);
  }
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

/// Returns the multiple of the number, a size near it, or the middle between two.
std::int64_t CaseSampler::size_near(std::int64_t number, std::int64_t multiple) {
  const std::int64_t more = rng_.of<std::int64_t>({-1, 0, 1, 2, 1 + number / 2});
  return std::max<std::int64_t>(multiple * number + more, 1);
}

/// Its logarithm is uniform.
void CaseSampler::draw_budget(double least, double most) {
  const double share = static_cast<double>(rng_.below(1001)) / 1000.0;
  budget_.work = least * std::pow(std::max(1.0, most / least), share);
  budget_.elements = std::min(space_.most.elements, budget_.work);
}

/// Sets one extent near a number of the contract and the others to small ones: near the number
/// itself and near twice of it in turn.
void CaseSampler::direct(std::int64_t number, Case& problem) {
  const auto choice = static_cast<std::size_t>(number);
  const std::size_t chosen = space_.extents[choice % space_.extents.size()];
  for (const std::size_t one : space_.extents) field(one).set(problem, small_extent());
  const std::size_t round = choice / space_.extents.size();
  const std::size_t from_last = round % space_.numbers.size();
  const std::int64_t multiple = round / space_.numbers.size() % 2 == 0 ? 1 : 2;
  const std::int64_t landmark = space_.numbers[space_.numbers.size() - 1 - from_last];
  budget_ = space_.most;
  const double most = number % 16 == 0  ? kMostWorkOfSixteenth
                      : number % 4 == 0 ? kMostWorkOfFourth
                                        : kMostWorkOfDirected;
  field(chosen).set(problem, most == kMostWorkOfSixteenth
                                 ? landmark + rng_.of<std::int64_t>({1, 2, 1 + landmark / 2})
                                 : size_near(landmark, multiple));
  if (!keep_beyond(chosen, landmark, most, problem)) keep_large({chosen}, false, problem);
}

/// Makes the other extents smaller until the case keeps to the budget, or to `most` with the chosen
/// extent as it is or just past the landmark: a definition may take steps in proportion to its
/// square. Returns false, and changes nothing, if that is not possible.
bool CaseSampler::keep_beyond(std::size_t chosen, std::int64_t landmark, double most,
                              Case& problem) {
  const Fields others = others_than({chosen});
  Case smaller = problem;
  reduce(smaller, others, false, 2);
  if (is_affordable(smaller)) return false;  // keep_large() does the same
  reduce(smaller, others, false, 1);
  const Cost dear{most, kMostElementsOfDirected};
  for (const std::int64_t size : {field(chosen).get(smaller), landmark + 1}) {
    field(chosen).set(smaller, size);
    if (!costs_.ordinary_cost(smaller).is_within(dear)) continue;
    budget_ = dear;
    problem = std::move(smaller);
    return true;
  }
  return false;
}

/// Sets two extents of blocks near numbers of the contract, or anywhere below twice one, and the
/// others to 1: each pair in turn. An element past both of two tiles, or in the last part of a
/// vector in a later row, exists only if both are large. If both together cost too much, one of
/// them keeps its size in two of three cases, and the other one has two parts; in the third case
/// both are reduced, and another extent may be larger than 1.
void CaseSampler::direct_pair(std::int64_t number, Case& problem) {
  const Fields& blocks = space_.block_extents;
  const auto count = std::ssize(blocks);
  const std::int64_t distance = 1 + number / count % std::max<std::int64_t>(count / 2, 1);
  Fields pair = {blocks[static_cast<std::size_t>(number % count)],
                 blocks[static_cast<std::size_t>((number + distance) % count)]};
  const bool by_size = rng_.one_in(3);
  for (const std::size_t one : space_.extents) field(one).set(problem, 1);
  if (by_size) field(rng_.of(space_.extents)).set(problem, small_extent());
  for (const std::size_t one : pair) {
    const std::int64_t landmark = rng_.of(space_.numbers);
    field(one).set(problem, rng_.one_in(2) ? size_near(landmark, rng_.between(1, 2))
                                           : rng_.between(1, 2 * landmark));
  }
  if (rng_.one_in(2)) problem.data = Recipe::normal;  // shows roundings
  keep_to_limits(pair, problem);
  draw_budget(by_size ? kLeastWorkOfPairs : 2.0 * kLeastWorkOfPairs, kMostWorkOfPairs);
  if (rng_.one_in(2)) std::swap(pair[0], pair[1]);
  reduce(problem, pair, by_size,
         rng_.between(kLeastOfPair, by_size ? kMostOfPair : kLeastOfPair + 3));
  keep_large(pair, by_size, problem);
}

/// Reduces sizes beyond a limit of the contract, which would make the other ones smaller than they
/// need to be: to the limit, or to a little less, so that the last vector is not full.
void CaseSampler::keep_to_limits(const Fields& extents, Case& problem) {
  const auto near = space_.cases.solver().project(problem);
  if (!near) return;
  for (const std::size_t one : extents) {
    const std::int64_t limit = field(one).get(*near);
    if (limit >= field(one).get(problem)) continue;
    const std::int64_t less = rng_.one_in(2) ? rng_.between(0, kMostBelowLimit) : 0;
    field(one).set(problem, std::max<std::int64_t>(limit - less, 1));
  }
}

/// Makes other extents smaller, and then these, until the case keeps to the budget. All remain at
/// least 2 as long as that is possible.
void CaseSampler::keep_large(const Fields& kept, bool by_size, Case& problem) const {
  const Fields others = others_than(kept);
  for (const std::int64_t least : {2, 1}) {
    reduce(problem, others, by_size, least);
    reduce(problem, kept, by_size, least);
  }
}

/// Makes these extents smaller, but not less than `least`, until the case keeps to the budget: the
/// largest ones, or one after the other, so that another one remains large.
void CaseSampler::reduce(Case& problem, const Fields& extents, bool by_size,
                         std::int64_t least) const {
  const auto size_of = [&](std::size_t one) { return field(one).get(problem); };
  while (!is_affordable(problem)) {
    const auto may_shrink = [&](std::size_t one) { return size_of(one) > least_size(one, least); };
    auto chosen = std::find_if(extents.begin(), extents.end(), may_shrink);
    if (chosen == extents.end()) return;
    for (auto other = chosen; by_size && other != extents.end(); ++other) {
      if (may_shrink(*other) && size_of(*other) > size_of(*chosen)) chosen = other;
    }
    field(*chosen).set(problem, reduced(*chosen, size_of(*chosen), least));
  }
}

/// Returns the size below which the extent does not cost less, or `least`.
std::int64_t CaseSampler::least_size(std::size_t number, std::int64_t least) const {
  const ExtentTiles& tiles = costs_.tiles().extents[number];
  if (!schema().works_in_tiles) return least;
  return std::max(least,
                  field(number).is_reduced ? tiles.period : std::max(tiles.tile, tiles.period));
}

/// Returns about three quarters of a size. It keeps its position within a tile.
std::int64_t CaseSampler::reduced(std::size_t number, std::int64_t size, std::int64_t least) const {
  const std::int64_t tile = costs_.tiles().extents[number].tile;
  const std::int64_t quarter = (size + 3) / 4;
  const std::int64_t whole_tiles = std::max(quarter / tile, std::int64_t{1}) * tile;
  const std::int64_t less = size > tile ? whole_tiles : quarter;
  return std::max(size - less, least_size(number, least));
}

CaseSampler::Fields CaseSampler::others_than(const Fields& kept) const {
  Fields others = space_.extents;
  std::erase_if(others, [&](std::size_t one) {
    return std::find(kept.begin(), kept.end(), one) != kept.end();
  });
  return others;
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
