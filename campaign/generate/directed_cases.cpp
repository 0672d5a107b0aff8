#include "campaign/generate/directed_cases.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "campaign/generate/sampling/size_reduction.hpp"

namespace warpcheck::campaign::generate {
namespace {

constexpr double kWorkOfTwo = 2e7;  // a target that costs at most this occurs twice
// No target occurs twice if so many are there already.
constexpr std::size_t kMostFirst = DirectedCases::kSlots / 3;
// Without a landmark:
constexpr double kMostWorkByChance = 1e7;
constexpr std::int64_t kMostTilesByChance = 24;
constexpr std::int64_t kMostSizeByChance = 4096;
constexpr std::int64_t kLeastTilesByChance = 6;
// The largest cost of a case beyond one tile. 2^30 take the reference 3 s.
constexpr Cost kMostBeyondTile = {0x1p30, 4e6};
// The work of cases with two large extents. A case in the domain may cost more.
constexpr double kLeastWorkOfPairs = 0x1p21;
constexpr double kMostWorkOfPairs = 0x1p23;
constexpr double kTimesPair = 4.0;
// The first extent of a pair is reduced to so many, before the second: one or two tiles of tensor
// cores.
constexpr std::int64_t kLeastOfPair = 9;
constexpr std::int64_t kMostOfPair = 32;
constexpr std::int64_t kMostOfThird = 7;  // another extent
// An extent is at most this far below its limit in the contract.
constexpr std::int64_t kMostBelowLimit = 7;

/// Returns the multiple of the number, a size near it, or the middle between two.
std::int64_t size_near(std::int64_t number, std::int64_t multiple, Rng& rng) {
  const std::int64_t more = rng.of<std::int64_t>({-1, 0, 1, 2, 1 + number / 2});
  return std::max<std::int64_t>(multiple * number + more, 1);
}

}  // namespace

DirectedCases::DirectedCases(const SampleSpace& space, const Landmarks& landmarks,
                             std::uint64_t seed)
    : space_(space) {
  Rng rng(seed);
  const std::size_t extents = space.extents.size();
  for (std::size_t extent = 0; extent < std::min(extents, kSlots); ++extent) {
    first_.push_back(beyond_landmarks(extent, landmarks, rng));
  }
  for (std::size_t i = 0; i < extents && first_.size() < kMostFirst; ++i) {
    if (landmarks[i].empty() || cost(first_[i]).work > kWorkOfTwo) continue;
    first_.push_back(beyond_landmarks(i, landmarks, rng));
  }
  std::array<std::vector<SizeTarget>, 3> targets;  // targets at, beside and beyond landmarks
  for (std::size_t extent = 0; extent < extents; ++extent) {
    const std::int64_t period = tiles(extent).period;
    for (const std::int64_t size : landmarks[extent]) {
      targets[0].push_back({extent, rounded_up(extent, size)});
      targets[1].push_back({extent, rounded_up(extent, size + 1)});
      targets[1].push_back({extent, (size - 1) / period * period});
      targets[2].push_back({extent, rounded_up(extent, size + tiles(extent).tile)});
    }
  }
  for (std::vector<SizeTarget>& each : targets) add(std::move(each), rng);
}

void DirectedCases::add(std::vector<SizeTarget> targets, Rng& rng) {
  for (std::size_t i = targets.size(); i > 1; --i) std::swap(targets[i - 1], targets[rng.below(i)]);
  for (const SizeTarget& target : targets) {
    const bool repeated = std::count(rest_.begin(), rest_.end(), target) > 0 ||
                          std::count(first_.begin(), first_.end(), target) > 0;
    if (target.size > 0 && affordable(target) && !repeated) rest_.push_back(target);
  }
}

std::optional<Case> DirectedCases::large(std::size_t hundred, std::size_t slot,
                                         const Case& ordinary, Rng& rng) const {
  const std::size_t number = hundred * (kSlots - first_.size()) + slot - first_.size();
  if (slot >= kSlots || (slot >= first_.size() && number >= rest_.size())) return std::nullopt;
  const SizeTarget& target = slot < first_.size() ? first_[slot] : rest_[number];
  auto found =
      near(resized(ordinary, target, rng), affordable(target) ? kMostOfDirected : kMostBeyondTile);
  if (!found || schema().fields[target.extent].get(*found) != target.size) return std::nullopt;
  return found;
}

std::optional<Case> DirectedCases::near(Case problem, const Cost& most) const {
  auto found = space_.cases.near(std::move(problem), kAnyCost);
  return found && costs().ordinary_cost(*found).is_within(most) ? found : std::nullopt;
}

Case DirectedCases::resized(Case problem, const SizeTarget& target, Rng& rng) const {
  const Cost usual = costs().ordinary_cost(problem);
  const Cost least = cost(target);
  std::vector<std::size_t> others = space_.extents;
  std::erase(others, target.extent);
  for (const std::size_t i : space_.extents) {
    const CaseField& extent = schema().fields[i];
    const std::int64_t tile = tiles(i).tile;
    const std::int64_t size =
        rng.one_in(2) ? tile : rng.between(1, extent.is_reduced ? 2 * tile : tile);
    if (schema().works_in_tiles) extent.set(problem, rounded_up(i, size));
  }
  schema().fields[target.extent].set(problem, target.size);
  for (const std::size_t batch : schema().fields_of_kind(CaseField::Kind::batch)) {
    schema().fields[batch].set(problem, 1);
  }
  const SizeReduction reduction(costs(), {std::max(usual.work, 2.0 * least.work),
                                          std::max(usual.elements, 2.0 * least.elements)});
  reduction.reduce(problem, others, false, 2);
  reduction.reduce(problem, others, false, 1);
  // Large terms that cancel hide the loss of others.
  if (problem.data == Recipe::onehot || problem.data == Recipe::special ||
      problem.data == Recipe::cancellation) {
    problem.data = Recipe::lattice;
  }
  for (const std::size_t factor :
       schema().fields_of_kind(CaseField::Kind::factor)) {  // alpha = 0 hides all
    const CaseField& field = schema().fields[factor];
    if (field.number(problem) == 0.0) field.set_number(problem, field.default_number);
  }
  return problem;
}

std::optional<Case> DirectedCases::pair(std::size_t number, const Case& ordinary, Rng& rng) const {
  const std::vector<std::size_t>& blocks = space_.block_extents;
  const std::size_t count = blocks.size();
  if (schema().works_in_tiles || count < 2 || space_.numbers.empty()) return std::nullopt;
  const std::size_t distance = 1 + number / count % (count / 2);
  std::vector<std::size_t> pair = {blocks[number % count], blocks[(number + distance) % count]};
  const bool by_size = rng.one_in(3);
  Case problem = ordinary;
  schema().set_extents(problem, 1);
  const auto set = [&](std::size_t extent, std::int64_t size) {
    schema().fields[extent].set(problem, size);
  };
  if (by_size) set(rng.of(space_.extents), rng.between(2, kMostOfThird));
  for (const std::size_t one : pair) {
    const std::int64_t landmark = rng.of(space_.numbers);
    set(one,
        rng.one_in(2) ? size_near(landmark, rng.between(1, 2), rng) : rng.between(1, 2 * landmark));
  }
  if (rng.one_in(2)) problem.data = Recipe::normal;  // shows roundings
  keep_to_limits(pair, problem, rng);
  const Cost most = {
      log_uniform(by_size ? kLeastWorkOfPairs : 2.0 * kLeastWorkOfPairs, kMostWorkOfPairs, rng),
      space_.most.elements};
  if (rng.one_in(2)) std::swap(pair[0], pair[1]);
  const SizeReduction reduction(costs(), most);
  reduction.reduce(problem, pair, by_size,
                   rng.between(kLeastOfPair, by_size ? kMostOfPair : kLeastOfPair + 3));
  reduction.keep_large(pair, by_size, problem);
  for (const std::size_t field : schema().from_within(problem)) {
    const CaseField& stride = schema().fields[field];
    if (!stride.is_taken || !stride.is_stride()) continue;
    set(field, sample_stride(rng, tight_stride(costs().contract(), problem, stride.name)));
  }
  return near(std::move(problem), {kTimesPair * most.work, kTimesPair * most.elements});
}

/// Reduces sizes beyond a limit of the contract, which would make the other ones smaller than they
/// need to be: to the limit, or to a little less, so that the last vector is not full.
void DirectedCases::keep_to_limits(const std::vector<std::size_t>& extents, Case& problem,
                                   Rng& rng) const {
  const auto near = space_.cases.solver().project(problem);
  if (!near) return;
  for (const std::size_t one : extents) {
    const CaseField& field = schema().fields[one];
    const std::int64_t limit = field.get(*near);
    if (limit >= field.get(problem)) continue;
    const std::int64_t less = rng.one_in(2) ? rng.between(0, kMostBelowLimit) : 0;
    field.set(problem, std::max<std::int64_t>(limit - less, 1));
  }
}

/// Returns the cost of the target with one tile along the other extents, or the least size.
Cost DirectedCases::cost(const SizeTarget& target) const {
  Case problem;
  for (const std::size_t i : space_.extents) {
    const std::int64_t least =
        std::max(schema().works_in_tiles ? tiles(i).tile : 1, tiles(i).period);
    schema().fields[i].set(problem, i == target.extent ? std::max(target.size, least) : least);
  }
  return costs().ordinary_cost(problem);
}

bool DirectedCases::affordable(const SizeTarget& target) const {
  return cost(target).is_within(kMostOfDirected);
}

std::int64_t DirectedCases::rounded_up(std::size_t extent, std::int64_t size) const {
  const std::int64_t period = tiles(extent).period;
  return (size + period - 1) / period * period;
}

/// Returns fewer tiles if the work is more than proportional to their number, and one element more
/// than a tile if two tiles are too much.
SizeTarget DirectedCases::many_tiles(std::size_t extent, Rng& rng) const {
  const std::int64_t unit = std::max(tiles(extent).tile, tiles(extent).period);
  const double tile_work = std::max(cost({extent, unit}).work, 1.0);
  const std::int64_t most =
      std::max(std::min({kMostTilesByChance, kMostSizeByChance / unit,
                         static_cast<std::int64_t>(kMostWorkByChance / tile_work)}),
               kLeastTilesByChance);
  const std::int64_t off = rng.between(-1, 1);
  std::int64_t count = rng.between(kLeastTilesByChance, most);
  const auto target = [&] { return SizeTarget{extent, rounded_up(extent, count * unit + off)}; };
  while (count > 1 && !affordable(target())) --count;
  return count > 1 ? target() : SizeTarget{extent, rounded_up(extent, unit + 1)};
}

SizeTarget DirectedCases::beyond_landmarks(std::size_t extent, const Landmarks& landmarks,
                                           Rng& rng) const {
  std::optional<SizeTarget> found;
  for (const std::int64_t size : landmarks[extent]) {
    const SizeTarget beyond{extent, rounded_up(extent, size + tiles(extent).tile)};
    if (affordable(beyond) && (!found || found->size < beyond.size)) found = beyond;
  }
  return found ? *found : many_tiles(extent, rng);
}

}  // namespace warpcheck::campaign::generate
