#include "properties/generate/covering_cases.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace warpcheck::properties::generate {
namespace {

constexpr int kTriesOfALevel = 4;
constexpr int kTriesOfARow = 2;
constexpr int kTriesOfACombination = 12;  // the rows included

Chance chance(Draws& draw) {
  return [&draw](std::int64_t below) { return draw(rc::gen::inRange<std::int64_t>(0, below)); };
}

std::vector<std::size_t> level_counts(const std::vector<Factor>& factors) {
  std::vector<std::size_t> counts;
  for (const Factor& factor : factors) counts.push_back(factor.levels.size());
  return counts;
}

/// The sizes as they are, as small as can be, or large.
Case resized(Case wish, int how, Draws& draw) {
  if (how == 0) return wish;
  for (std::int64_t Case::*size : {&Case::m, &Case::n, &Case::k}) {
    wish.*size = how == 1 ? 1 : how == 2 ? 64 : draw(rc::gen::inRange<std::int64_t>(1, 200));
  }
  return wish;
}

}  // namespace

CoveringCases::CoveringCases(const contract::Contract& contract, const Tiles& tiles,
                             Nearest nearest, const std::function<Case(std::uint64_t)>& base)
    : factors_(factors(contract, tiles)),
      nearest_(std::move(nearest)),
      combinations_{level_counts(factors_), {}, {}},
      pairs_(combinations_.levels, 2) {
  exclude_levels(base);
}

Row CoveringCases::row(const Case& problem) const {
  Row row;
  for (const Factor& factor : factors_) row.push_back(factor.level_of(problem));
  return row;
}

/// Levels that `requires` does not allow, whatever the other factors: tried before all else, since
/// they leave many combinations that need not be tried.
void CoveringCases::exclude_levels(const std::function<Case(std::uint64_t)>& base) {
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    reachable_.emplace_back(factors_[f].levels.size(), false);
    for (std::size_t level = 0; level < factors_[f].levels.size(); ++level) {
      for (int i = 0; i < kTriesOfALevel && !reachable_[f][level]; ++i) {
        const std::uint64_t seed = mixed(f * 64 + level, static_cast<std::uint64_t>(i));
        Row wanted(factors_.size());
        wanted[f] = level;
        Draws draw(seed);
        const auto found = nearest_(moved(resized(base(seed), i, draw), wanted, draw));
        reachable_[f][level] = found && factors_[f].level_of(*found) == level;
      }
    }
  }
  const std::size_t pairs = pairs_.all();
  for (std::size_t number = 0; number < pairs; ++number) {
    const Row row = pairs_.row_of(number);
    for (std::size_t f = 0; f < row.size(); ++f) {
      if (!row[f] || reachable_[f][*row[f]]) continue;
      pairs_.exclude(number);
      combinations_.pairs.push_back({0, number});
      break;
    }
  }
}

void CoveringCases::begin_triples() {
  triples_.emplace(combinations_.levels, 3);
  triples_->exclude_with(pairs_);
  for (const Row& row : chosen_) triples_->add(row);
}

/// In the order of the factors: the sizes come first, since they decide what is tight.
Case CoveringCases::moved(Case wish, const Row& row, Draws& draw) const {
  const Chance any = chance(draw);
  for (std::size_t f = 0; f < row.size(); ++f) {
    if (row[f] && factors_[f].level_of(wish) != *row[f]) factors_[f].set(wish, *row[f], any);
  }
  return wish;
}

/// The wanted combination, and for every other factor, in a random order, the level that meets most
/// that is missing; none where nothing is gained.
Row CoveringCases::greedy_row(const Interactions& interactions, std::size_t wanted,
                              Draws& draw) const {
  Row row = interactions.row_of(wanted);
  const Chance any = chance(draw);
  std::vector<std::size_t> order(factors_.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(any(static_cast<std::int64_t>(i)))]);
  }
  for (const std::size_t f : order) {
    if (row[f]) continue;
    std::size_t most = 0;
    std::int64_t equals = 1;
    for (std::size_t level = 0; level < factors_[f].levels.size(); ++level) {
      if (!reachable_[f][level]) continue;
      const auto gain = interactions.gain(row, f, level);
      if (!gain || *gain == 0 || *gain < most) continue;
      equals = *gain == most ? equals + 1 : 1;
      most = *gain;
      if (any(equals) == 0) row[f] = level;  // of equals, each as likely
    }
  }
  return row;
}

std::optional<Case> CoveringCases::next(const Case& wish, std::uint64_t seed) {
  const bool by_pairs = !pairs_.complete();
  if (!by_pairs && !triples_) begin_triples();
  Interactions& interactions = by_pairs ? pairs_ : *triples_;
  const auto wanted = interactions.missing(next_wanted_);
  if (!wanted) return std::nullopt;
  next_wanted_ = *wanted + 1;
  for (int i = 0; i < kTriesOfACombination; ++i) {
    Draws draw(mixed(seed, static_cast<std::uint64_t>(i)));
    // Where the whole row cannot be had, the combination itself may; `requires` may tie its sizes
    // to the others.
    const bool alone = i >= kTriesOfARow;
    const Row target =
        alone ? interactions.row_of(*wanted) : greedy_row(interactions, *wanted, draw);
    auto found = nearest_(moved(alone ? resized(wish, i % 4, draw) : wish, target, draw));
    if (found && interactions.holds(row(*found), *wanted)) return found;
  }
  interactions.exclude(*wanted);
  (by_pairs ? combinations_.pairs : combinations_.triples)
      .push_back({static_cast<std::int64_t>(chosen_.size()), *wanted});
  return std::nullopt;
}

void CoveringCases::chosen(const Case& problem) {
  chosen_.push_back(row(problem));
  pairs_.add(chosen_.back());
  if (triples_) triples_->add(chosen_.back());
}

}  // namespace warpcheck::properties::generate
