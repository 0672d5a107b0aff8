#include "campaign/generate/long_cases.hpp"

#include <algorithm>
#include <utility>

namespace warpcheck::campaign::generate {
namespace {

constexpr double kWorkOfTwo = 2e7;  // a target that costs at most this occurs twice
// Without a landmark:
constexpr double kMostWorkByChance = 1e7;
constexpr std::int64_t kMostTilesByChance = 24;
constexpr std::int64_t kMostSizeByChance = 4096;
constexpr std::int64_t kLeastTilesByChance = 6;

}  // namespace

LongCases::LongCases(const CostModel& costs, const Landmarks& landmarks, std::uint64_t seed)
    : costs_(costs) {
  Rng rng(seed);
  const std::size_t extents = costs.tiles().extents.size();
  for (std::size_t extent = 0; extent < extents; ++extent) {
    first_.push_back(beyond_landmarks(extent, landmarks, rng));
  }
  for (std::size_t i = 0; i < extents; ++i) {
    if (landmarks[i].empty() || cost(first_[i]).work > kWorkOfTwo) continue;
    first_.push_back(beyond_landmarks(i, landmarks, rng));
  }
  std::array<std::vector<LongTarget>, 3> targets;  // targets at, beside and beyond landmarks
  for (std::size_t extent = 0; extent < extents; ++extent) {
    const std::int64_t period = tiles(extent).period;
    for (const std::int64_t size : landmarks[extent]) {
      targets[0].push_back({extent, rounded_up(extent, size)});
      targets[1].push_back({extent, rounded_up(extent, size + 1)});
      targets[1].push_back({extent, (size - 1) / period * period});
      targets[2].push_back({extent, rounded_up(extent, size + tiles(extent).tile)});
    }
  }
  for (std::vector<LongTarget>& each : targets) add(std::move(each), rng);
}

void LongCases::add(std::vector<LongTarget> targets, Rng& rng) {
  for (std::size_t i = targets.size(); i > 1; --i) std::swap(targets[i - 1], targets[rng.below(i)]);
  for (const LongTarget& target : targets) {
    const bool repeated = std::count(rest_.begin(), rest_.end(), target) > 0 ||
                          std::count(first_.begin(), first_.end(), target) > 0;
    if (target.size > 0 && affordable(target) && !repeated) rest_.push_back(target);
  }
}

std::optional<LongTarget> LongCases::target(std::size_t hundred, std::size_t slot) const {
  if (slot < first_.size()) return first_[slot];
  const std::size_t number = hundred * (kSlots - first_.size()) + slot - first_.size();
  return number < rest_.size() ? std::optional(rest_[number]) : std::nullopt;
}

Case LongCases::resized(Case problem, const LongTarget& target, Rng& rng) const {
  const CaseSchema& schema = costs_.schema();
  for (std::size_t i = 0; i < costs_.tiles().extents.size(); ++i) {
    const CaseField& extent = schema.fields[i];
    const std::int64_t tile = tiles(i).tile;
    const std::int64_t size =
        rng.one_in(2) ? tile : rng.between(1, extent.is_reduced ? 2 * tile : tile);
    extent.set(problem, i == target.extent ? target.size : rounded_up(i, size));
  }
  for (const std::size_t batch : schema.fields_of_kind(CaseField::Kind::batch)) {
    schema.fields[batch].set(problem, 1);
  }
  // Large terms that cancel hide the loss of others.
  if (problem.data == Recipe::onehot || problem.data == Recipe::special ||
      problem.data == Recipe::cancellation) {
    problem.data = Recipe::lattice;
  }
  for (const std::size_t factor :
       schema.fields_of_kind(CaseField::Kind::factor)) {  // alpha = 0 hides all
    const CaseField& field = schema.fields[factor];
    if (field.number(problem) == 0.0) field.set_number(problem, field.default_number());
  }
  return problem;
}

/// Returns the cost of the target with one tile along the other extents.
Cost LongCases::cost(const LongTarget& target) const {
  Case problem;
  for (std::size_t i = 0; i < costs_.tiles().extents.size(); ++i) {
    const std::int64_t least = std::max(tiles(i).tile, tiles(i).period);
    costs_.schema().fields[i].set(problem,
                                  i == target.extent ? std::max(target.size, least) : least);
  }
  return costs_.cost(problem);
}

bool LongCases::affordable(const LongTarget& target) const {
  return cost(target).is_within({kMostLongWork, kMostLongElements});
}

std::int64_t LongCases::rounded_up(std::size_t extent, std::int64_t size) const {
  const std::int64_t period = tiles(extent).period;
  return (size + period - 1) / period * period;
}

LongTarget LongCases::many_tiles(std::size_t extent, Rng& rng) const {
  const std::int64_t unit = std::max(tiles(extent).tile, tiles(extent).period);
  const double tile_work = cost({extent, unit}).work;
  const std::int64_t most =
      std::max(std::min({kMostTilesByChance, kMostSizeByChance / unit,
                         static_cast<std::int64_t>(kMostWorkByChance / tile_work)}),
               kLeastTilesByChance);
  const std::int64_t off = rng.between(-1, 1);
  return {extent, rounded_up(extent, rng.between(kLeastTilesByChance, most) * unit + off)};
}

LongTarget LongCases::beyond_landmarks(std::size_t extent, const Landmarks& landmarks,
                                       Rng& rng) const {
  std::optional<LongTarget> found;
  for (const std::int64_t size : landmarks[extent]) {
    const LongTarget beyond{extent, rounded_up(extent, size + tiles(extent).tile)};
    if (affordable(beyond) && (!found || found->size < beyond.size)) found = beyond;
  }
  return found ? *found : many_tiles(extent, rng);
}

}  // namespace warpcheck::campaign::generate
