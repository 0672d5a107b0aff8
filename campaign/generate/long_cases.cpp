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

LongCases::LongCases(const Tiles& tiles, const Landmarks& landmarks, std::uint64_t seed)
    : tiles_(tiles) {
  Rng rng(seed);
  for (std::size_t extent = 0; extent < kExtentFields.size(); ++extent) {
    first_.push_back(beyond_landmarks(extent, landmarks, rng));
  }
  for (std::size_t i = 0; i < kExtentFields.size(); ++i) {
    if (landmarks[i].empty() || work(first_[i]) > kWorkOfTwo) continue;
    first_.push_back(beyond_landmarks(i, landmarks, rng));
  }
  std::array<std::vector<LongTarget>, 3> targets;  // targets at, beside and beyond landmarks
  for (std::size_t extent = 0; extent < kExtentFields.size(); ++extent) {
    const std::int64_t period = tiles.period[extent];
    for (const std::int64_t size : landmarks[extent]) {
      targets[0].push_back({extent, rounded_up(extent, size)});
      targets[1].push_back({extent, rounded_up(extent, size + 1)});
      targets[1].push_back({extent, (size - 1) / period * period});
      targets[2].push_back({extent, rounded_up(extent, size + tiles.tile[extent])});
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
  for (std::size_t i = 0; i < kExtentFields.size(); ++i) {
    const std::int64_t most = i == 2 ? 2 * tiles_.tile[i] : tiles_.tile[i];
    const std::int64_t size = rng.one_in(2) ? tiles_.tile[i] : rng.between(1, most);
    problem.*kExtentFields[i] = i == target.extent ? target.size : rounded_up(i, size);
  }
  problem.batch = 1;
  // Large terms that cancel hide the loss of others.
  if (problem.data == Recipe::onehot || problem.data == Recipe::special ||
      problem.data == Recipe::cancellation) {
    problem.data = Recipe::lattice;
  }
  if (problem.alpha == 0.0) problem.alpha = 1.0;
  return problem;
}

/// Returns the work of the target with one tile along m and n and one step along k.
double LongCases::work(const LongTarget& target) const {
  double product = 1.0;
  for (std::size_t i = 0; i < kExtentFields.size(); ++i) {
    const std::int64_t least = std::max(tiles_.tile[i], tiles_.period[i]);
    const std::int64_t size = i == target.extent ? std::max(target.size, least) : least;
    product *= static_cast<double>(size);
  }
  return product;
}

bool LongCases::affordable(const LongTarget& target) const {
  double across = 0.0;
  for (std::size_t i = 0; i < kExtentFields.size(); ++i) {
    if (i == target.extent) continue;
    across += static_cast<double>(std::max(tiles_.tile[i], tiles_.period[i]));
  }
  return work(target) <= kMostLongWork &&
         static_cast<double>(target.size) * across <= kMostLongElements;
}

std::int64_t LongCases::rounded_up(std::size_t extent, std::int64_t size) const {
  const std::int64_t period = tiles_.period[extent];
  return (size + period - 1) / period * period;
}

LongTarget LongCases::many_tiles(std::size_t extent, Rng& rng) const {
  const std::int64_t unit = std::max(tiles_.tile[extent], tiles_.period[extent]);
  const double of_tile = work({extent, unit});
  const std::int64_t most =
      std::max(std::min({kMostTilesByChance, kMostSizeByChance / unit,
                         static_cast<std::int64_t>(kMostWorkByChance / of_tile)}),
               kLeastTilesByChance);
  const std::int64_t off = rng.between(-1, 1);
  return {extent, rounded_up(extent, rng.between(kLeastTilesByChance, most) * unit + off)};
}

LongTarget LongCases::beyond_landmarks(std::size_t extent, const Landmarks& landmarks,
                                       Rng& rng) const {
  std::optional<LongTarget> found;
  for (const std::int64_t size : landmarks[extent]) {
    const LongTarget beyond{extent, rounded_up(extent, size + tiles_.tile[extent])};
    if (affordable(beyond) && (!found || found->size < beyond.size)) found = beyond;
  }
  return found ? *found : many_tiles(extent, rng);
}

}  // namespace warpcheck::campaign::generate
