#include "campaign/generate/covering/covering_cases.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/covering/factors.hpp"

namespace warpcheck::campaign::generate {
namespace {

constexpr int kTriesOfALevel = 4;
constexpr int kTriesOfARow = 4;
constexpr std::uint64_t kDearRows = 8;    // every eighth row may be expensive
constexpr int kTriesOfACombination = 20;  // includes the tries of a row

Chance chance(Rng& rng) {
  return [&rng](std::int64_t below) { return rng.uniform(below); };
}

std::vector<std::size_t> level_counts(const std::vector<Factor>& factors) {
  std::vector<std::size_t> counts;
  for (const Factor& factor : factors) counts.push_back(factor.levels.size());
  return counts;
}

/// Returns the case with its own sizes, with all sizes 1 or 64, or with random sizes.
Case resized(const CaseSchema& schema, Case problem, int attempt, Rng& rng) {
  if (attempt == 0) return problem;
  for (const std::size_t extent : schema.fields_of_kind(CaseField::Kind::extent)) {
    schema.fields[extent].set(problem, attempt == 1 ? 1 : attempt == 2 ? 64 : 1 + rng.uniform(199));
  }
  return problem;
}

}  // namespace

CoveringCases::CoveringCases(const CostModel& costs, CheapTiles cheap, Projection project,
                             const std::function<Case(std::uint64_t)>& sample)
    : schema_(costs.schema()),
      factors_(factors(costs.contract(), costs.schema(), costs.tiles())),
      cheap_(cheap),
      project_(std::move(project)),
      combinations_{level_counts(factors_), {}, {}},
      pairs_(combinations_.levels, 2) {
  exclude_contradictions();
  exclude_levels(sample);
}

void CoveringCases::exclude_pair(std::size_t number) {
  pairs_.exclude(number);
  combinations_.pairs.push_back({0, number});
}

/// Excludes the residues of an extent that no case with a certain number of tiles has, such as a
/// size of 1 with two tiles, and numbers of tiles that cost too much with a number of steps of a
/// sum.
void CoveringCases::exclude_contradictions() {
  const std::size_t pairs = pairs_.size();
  const Chance least = [](std::int64_t) { return std::int64_t{0}; };
  for (std::size_t number = 0; number < pairs; ++number) {
    const Row row = pairs_.row_of(number);
    const auto is_given = [](const auto& level) { return level.has_value(); };
    const auto first = std::find_if(row.begin(), row.end(), is_given);
    const auto second = std::find_if(std::next(first), row.end(), is_given);
    const Factor& one = factors_[static_cast<std::size_t>(first - row.begin())];
    const Factor& other = factors_[static_cast<std::size_t>(second - row.begin())];
    if (other.is_reduced && tiles_of(row) > cheap_.dear) exclude_pair(number);
    if (!one.extent || one.extent != other.extent) continue;
    Case problem;
    one.set(problem, **first, least);
    other.set(problem, **second, least);
    if (one.level_of(problem) != **first || other.level_of(problem) != **second) {
      exclude_pair(number);
    }
  }
}

Row CoveringCases::row(const Case& problem) const {
  Row row;
  if (launches_nothing(problem)) return Row(factors_.size());  // exercises nothing
  row.reserve(factors_.size());
  for (const Factor& factor : factors_) row.push_back(factor.level_of(problem));
  return row;
}

/// Excludes the levels that `requires` does not allow with any level of the other factors. They
/// come first because each excludes many combinations, which need not be tried.
void CoveringCases::exclude_levels(const std::function<Case(std::uint64_t)>& sample) {
  for (std::size_t f = 0; f < factors_.size(); ++f) {
    reachable_.emplace_back(factors_[f].levels.size(), false);
    for (std::size_t level = 0; level < factors_[f].levels.size(); ++level) {
      for (int i = 0; i < kTriesOfALevel && !reachable_[f][level]; ++i) {
        const std::uint64_t seed = mixed(f * 64 + level, static_cast<std::uint64_t>(i));
        Row wanted(factors_.size());
        wanted[f] = level;
        Rng rng(seed);
        const auto found =
            project_(moved(resized(schema_, sample(seed), i, rng), wanted, rng), false);
        reachable_[f][level] = found && factors_[f].level_of(*found) == level;
      }
    }
  }
  const std::size_t pairs = pairs_.size();
  for (std::size_t number = 0; number < pairs; ++number) {
    const Row row = pairs_.row_of(number);
    for (std::size_t f = 0; f < row.size(); ++f) {
      if (!row[f] || reachable_[f][*row[f]]) continue;
      exclude_pair(number);
      break;
    }
  }
}

void CoveringCases::begin_triples() {
  next_wanted_ = 0;
  triples_.emplace(combinations_.levels, 3);
  triples_->exclude_with(pairs_);
  for (const Row& row : rows_) triples_->add(row);
}

/// Changes the factors in their order: the sizes come first because they decide the tight strides.
Case CoveringCases::moved(Case problem, const Row& row, Rng& rng) const {
  const Chance any = chance(rng);
  for (std::size_t f = 0; f < row.size(); ++f) {
    if (row[f] && factors_[f].level_of(problem) != *row[f]) factors_[f].set(problem, *row[f], any);
  }
  return problem;
}

/// Returns the product of the least numbers of tiles along all extents.
std::int64_t CoveringCases::tiles_of(const Row& row) const {
  std::int64_t product = 1;
  for (std::size_t f = 0; f < row.size(); ++f) {
    if (row[f] && !factors_[f].least_tiles.empty()) product *= factors_[f].least_tiles[*row[f]];
  }
  return product;
}

/// Returns the wanted combination and, for every other factor in a random order, the level that
/// meets most missing combinations with at most `most_tiles` tiles; no level if none meets any.
Row CoveringCases::greedy_row(const Interactions& interactions, std::size_t wanted,
                              std::int64_t most_tiles, Rng& rng) const {
  Row row = interactions.row_of(wanted);
  const Chance any = chance(rng);
  std::vector<std::size_t> order(factors_.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(any(static_cast<std::int64_t>(i)))]);
  }
  for (const std::size_t f : order) {
    if (row[f]) continue;
    std::size_t most = 0;
    std::int64_t equals = 1;
    const std::int64_t tiles = tiles_of(row);
    const auto gains = interactions.gains(row, f);
    for (std::size_t level = 0; level < factors_[f].levels.size(); ++level) {
      if (!reachable_[f][level]) continue;
      const auto& least = factors_[f].least_tiles;
      if (!least.empty() && tiles * least[level] > most_tiles) continue;
      const auto& gain = gains[level];
      if (!gain || *gain == 0 || *gain < most) continue;
      equals = *gain == most ? equals + 1 : 1;
      most = *gain;
      if (any(equals) == 0) row[f] = level;  // equal levels are equally likely
    }
  }
  return row;
}

/// Reduces the extent that has most tiles, unless the wanted combination states its number of
/// tiles, to the tiles that its residue needs.
void CoveringCases::drop_largest_count(Case& sampled, Row& row, const Row& wanted, Rng& rng) const {
  const Case target = moved(sampled, row, rng);
  const Factor* largest = nullptr;
  for (const Factor& factor : factors_) {
    if (factor.least_tiles.empty() || wanted[number_of(factor)]) continue;
    const auto level = factor.level_of(target);
    if (level > (largest != nullptr ? largest->level_of(target) : 0)) largest = &factor;
  }
  if (largest == nullptr) return;
  schema_.fields[*largest->extent].set(sampled, 1);
  row[number_of(*largest)].reset();
}

/// Adds up to four tiles to the extents whose number of tiles is wanted, if they keep their level:
/// m <= n may exclude five tiles of m with four of n, but not with six.
Case CoveringCases::grown(Case problem, const Row& wanted, Rng& rng) const {
  const Chance any = chance(rng);
  for (std::size_t f = 0; f < wanted.size(); ++f) {
    if (!wanted[f] || factors_[f].least_tiles.empty()) continue;
    Case larger = problem;
    const CaseField& extent = schema_.fields[*factors_[f].extent];
    extent.set(larger, extent.get(larger) + 2 * any(3) * factors_[f].tile);
    if (factors_[f].level_of(larger) == wanted[f]) problem = larger;
  }
  return problem;
}

/// Returns the target of one attempt: a whole row, then the row with fewer and fewer tiles, which
/// costs less, then the wanted combination alone. The domain may contain the combination although
/// it does not contain the row; `requires` may relate its sizes to the others.
Case CoveringCases::target(Case sampled, const Interactions& interactions, std::size_t wanted,
                           int attempt, bool cheap, Rng& rng) const {
  const Row alone = interactions.row_of(wanted);
  if (attempt >= kTriesOfARow) {
    Case problem = moved(resized(schema_, sampled, attempt % 4, rng), alone, rng);
    return attempt / 4 % 2 == 0 ? problem : grown(std::move(problem), alone, rng);
  }
  Row row = greedy_row(interactions, wanted, cheap ? cheap_.usual : cheap_.dear, rng);
  for (int i = 0; i < attempt; ++i) drop_largest_count(sampled, row, alone, rng);
  return moved(std::move(sampled), row, rng);
}

std::optional<Case> CoveringCases::next(const Case& sampled, std::uint64_t seed) {
  const bool by_pairs = !pairs_.complete();
  if (!by_pairs && !triples_) begin_triples();
  Interactions& interactions = by_pairs ? pairs_ : *triples_;
  const auto wanted = interactions.missing(next_wanted_);
  if (!wanted) return std::nullopt;
  next_wanted_ = *wanted;  // tried again, unless a case meets it
  const bool cheap = mixed(seed, kTriesOfACombination) % kDearRows != 0;
  for (int i = 0; i < kTriesOfACombination; ++i) {
    const bool tries_row = i < kTriesOfARow;
    Rng rng(mixed(seed, static_cast<std::uint64_t>(tries_row ? 0 : i)));
    auto found = project_(target(sampled, interactions, *wanted, i, cheap, rng),
                          cheap && i + 1 < kTriesOfARow);
    if (found && interactions.holds(row(*found), *wanted)) return found;
  }
  interactions.exclude(*wanted);
  (by_pairs ? combinations_.pairs : combinations_.triples)
      .push_back({static_cast<std::int64_t>(rows_.size()), *wanted});
  return std::nullopt;
}

void CoveringCases::add(const Case& problem) {
  rows_.push_back(row(problem));
  pairs_.add(rows_.back());
  if (triples_) triples_->add(rows_.back());
}

}  // namespace warpcheck::campaign::generate
