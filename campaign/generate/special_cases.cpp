#include "campaign/generate/special_cases.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "campaign/case/normalized.hpp"
#include "campaign/case/product.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/empty_extents.hpp"
#include "campaign/generate/grid_limits.hpp"

namespace warpcheck::campaign::generate {
namespace {

using Kind = CaseField::Kind;

constexpr std::size_t kRound = 100;

/// The places of a purpose in each hundred cases: one of `period`.
struct Place {
  std::size_t period = 0;
  std::size_t phase = 0;

  /// Returns the number of the place in its hundred; empty if the case has another purpose.
  [[nodiscard]] std::optional<std::size_t> number(std::size_t index) const {
    const std::size_t within = index % kRound;
    if (within % period != phase) return std::nullopt;
    return within / period;
  }
  /// The same, counted from the first case.
  [[nodiscard]] std::optional<std::size_t> number_of_all(std::size_t index) const {
    const auto in_hundred = number(index);
    if (!in_hundred) return std::nullopt;
    return index / kRound * ((kRound + period - 1) / period) + *in_hundred;
  }
};

// THE table of the places.
constexpr std::array<Place, 2> kStructuredPlaces = {{{11, 9}, {11, 1}}};
constexpr std::array<Place, 2> kLargePlaces = {{{11, 2}, {11, 8}}};
constexpr std::array<Place, 2> kPairPlaces = {{{11, 4}, {22, 10}}};
// Directed cases whose data have a structure, too: some defects need a size and a structure.
constexpr std::array<Place, 2> kStructuredDirectedPlaces = {{{22, 2}, {22, 10}}};
constexpr Place kEmptyExtent = {11, 3};
constexpr Place kOverflow = {11, 5};
constexpr Place kDeep = {22, 6};
constexpr Place kGrid = {11, 7};
constexpr Place kEmptyOutput = {kRound, 50};

/// Returns the number of the case among those of two kinds of places, which alternate.
template <class Number>
std::optional<std::size_t> number_of_both(const std::array<Place, 2>& places, std::size_t index,
                                          Number number) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (const auto found = (places[i].*number)(index)) return 2 * *found + i;
  }
  return std::nullopt;
}

}  // namespace

SpecialCases::SpecialCases(const SampleSpace& space, const Solver* sparse_solver,
                           const Landmarks& landmarks, std::uint64_t seed)
    : cases_(space.cases),
      sparse_solver_(sparse_solver),
      seed_(seed),
      launch_cases_(cases_.costs().contract()) {
  if (cases_.max_size() != 0) return;
  directed_cases_.emplace(space, landmarks, seed);
  grid_cases_ = beyond_grid_limits(contract(), cases_.solver());
  for (Case& grid_stride : grid_stride_cases(contract(), cases_.solver())) {
    grid_cases_.push_back(std::move(grid_stride));
  }
  if (sparse_solver != nullptr) overflows_ = overflow_strides(schema());
}

std::optional<Case> SpecialCases::extreme(std::size_t index) const {
  const std::uint64_t seed = mixed(seed_, static_cast<std::uint64_t>(index));
  if (const auto number = kGrid.number(index); number && *number < grid_cases_.size()) {
    Case problem = grid_cases_[*number];
    problem.seed = seed % 1'000'000;
    return problem;
  }
  if (const auto overflow = overflow_at(index)) {
    auto found = with_overflow_stride(contract(), *sparse_solver_, *overflow, seed);
    if (found) return normalized(contract(), std::move(*found));
  }
  return std::nullopt;
}

/// Each has one place in a hundred. If there are not enough places, they take turns.
std::optional<OverflowStride> SpecialCases::overflow_at(std::size_t index) const {
  constexpr std::size_t kPlaces =
      (kRound - kOverflow.phase + kOverflow.period - 1) / kOverflow.period;
  const auto number = kOverflow.number(index);
  if (!number || overflows_.empty()) return std::nullopt;
  const std::size_t all = overflows_.size();
  if (all > kPlaces) return overflows_[(index / kRound * kPlaces + *number) % all];
  return *number < all ? std::optional(overflows_[*number]) : std::nullopt;
}

std::optional<Case> SpecialCases::changed(std::size_t index, const Case& ordinary,
                                          const Cost& deep) const {
  if (auto found = empty_output(index, ordinary)) return found;
  if (auto found = empty_extent(index, ordinary, deep)) return found;
  if (auto found = deep_case(index, ordinary, deep)) return found;
  return directed_cases_ ? directed_case(index, ordinary) : std::nullopt;
}

std::optional<Case> SpecialCases::directed_case(std::size_t index, const Case& ordinary) const {
  Rng rng(mixed(seed_, ~static_cast<std::uint64_t>(index)));
  if (const auto slot = number_of_both(kLargePlaces, index, &Place::number)) {
    return directed_cases_->large(index / kRound, *slot, ordinary, rng);
  }
  const auto number = number_of_both(kPairPlaces, index, &Place::number_of_all);
  return number ? directed_cases_->pair(*number, ordinary, rng) : std::nullopt;
}

/// Returns a case with two or three tiles along each extent of an output and three or four steps
/// along those of sums, all of them whole or the last ones partial.
std::optional<Case> SpecialCases::deep_case(std::size_t index, const Case& ordinary,
                                            const Cost& most) const {
  if (cases_.max_size() != 0 || !kDeep.number(index)) return std::nullopt;
  Rng rng(mixed(seed_, ~static_cast<std::uint64_t>(index)));
  const std::vector<ExtentTiles>& tiles = cases_.costs().tiles().extents;
  const std::size_t three = rng.below(tiles.size() + 1);  // the extent with three tiles
  Case problem = ordinary;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const CaseField& extent = schema().fields[i];
    const std::int64_t count = extent.is_reduced ? rng.between(3, 4) : i == three ? 3 : 2;
    const bool whole = tiles[i].period > 1 || tiles[i].tile == 1 || rng.one_in(2);
    extent.set(problem, count * tiles[i].tile - (whole ? 0 : rng.between(1, tiles[i].tile - 1)));
  }
  for (const std::size_t batch : schema().fields_of_kind(Kind::batch)) {
    schema().fields[batch].set(problem, 1);
  }
  return cases_.near(std::move(problem), most);
}

/// Returns a case with few elements, in which an extent is 0 and something is launched. In every
/// second one, loops over other extents run several times.
std::optional<Case> SpecialCases::empty_extent(std::size_t index, const Case& ordinary,
                                               const Cost& most) const {
  constexpr std::int64_t kMostSmall = 5;
  const auto number = kEmptyExtent.number_of_all(index);
  if (!number) return std::nullopt;
  Rng rng(mixed(seed_, ~static_cast<std::uint64_t>(index)));
  const std::vector<ExtentTiles>& tiles = cases_.costs().tiles().extents;
  const bool has_loops = *number / tiles.size() % 2 != 0;
  Case problem = ordinary;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const bool is_small = !has_loops || tiles[i].tile == 1;
    const std::int64_t size = is_small ? rng.between(1, kMostSmall) : rng.between(9, 32);
    const std::int64_t most_size = cases_.max_size() == 0 ? size : cases_.max_size();
    schema().fields[i].set(problem, std::min(size, most_size));
  }
  const auto small = cases_.near(std::move(problem), kAnyCost);
  auto found = small ? with_empty_extent(contract(), *small, *number) : std::nullopt;
  return found && cases_.costs().ordinary_cost(*found).is_within(most) ? found : std::nullopt;
}

/// Returns the case without an element of the output, for which nothing is launched, if it is in
/// the domain.
std::optional<Case> SpecialCases::empty_output(std::size_t index, const Case& ordinary) const {
  if (!kEmptyOutput.number(index)) return std::nullopt;
  std::vector<std::size_t> extents = schema().fields_of_kind(Kind::extent);
  std::erase_if(extents, [&](std::size_t one) { return schema().fields[one].is_reduced; });
  if (extents.empty()) return std::nullopt;
  Case problem = ordinary;
  schema().fields[extents[mixed(seed_, index) % extents.size()]].set(problem, 0);
  if (!launches_nothing(problem)) return std::nullopt;
  reset_short_strides(contract(), problem);
  problem = normalized(contract(), std::move(problem));
  return cases_.solver().admits(problem) ? std::optional(std::move(problem)) : std::nullopt;
}

void SpecialCases::adapt(std::size_t index, Case& problem) const {
  const auto is_affordable = [&](const Case& found) {
    return cases_.costs().cost(found).is_within(kMostOfDirected) && cases_.solver().admits(found);
  };
  if (!launches_nothing(problem)) {
    if (auto found = launch_cases_.near(index, problem, is_affordable)) problem = std::move(*found);
  }
  if (const auto turn = turn_of_structure(index)) {
    const std::vector<Recipe>& structures = schema().structures;
    problem.data = structures[(seed_ + *turn) % structures.size()];
  }
}

/// Each structure has about two turns in a hundred cases: one kind of places suffices, or both do.
std::optional<std::size_t> SpecialCases::turn_of_structure(std::size_t index) const {
  const std::size_t structures = schema().structures.size();
  if (structures == 0) return std::nullopt;
  if (!schema().works_in_tiles) {
    const auto turn = number_of_both(kStructuredDirectedPlaces, index, &Place::number_of_all);
    if (turn) return turn;
  }
  const Place& first = kStructuredPlaces[0];
  constexpr std::size_t kPlaces = kRound / kStructuredPlaces[0].period;
  if (structures <= (kPlaces + 1) / 2) return first.number_of_all(index);
  return number_of_both(kStructuredPlaces, index, &Place::number_of_all);
}

}  // namespace warpcheck::campaign::generate
