#include "campaign/generate/sampling/costs.hpp"

#include <algorithm>

#include "campaign/case/domain.hpp"

namespace warpcheck::campaign::generate {
namespace {

// The budget of a case lies between these numbers of multiply-adds, with sizes rounded up to whole
// tiles.
constexpr double kMostWork = 4e6;
constexpr double kMostElements = 3e5;
constexpr double kCoveringWork = 2e5;
constexpr double kDearCoveringWork = 7e5;
constexpr double kDearCoveringElements = 6e5;
constexpr double kTimesLeast = 12.0;      // 2 x 2 tiles with 3 steps of the sums
constexpr double kMostWorkOfTiles = 6e7;  // exceeded only if the least case costs more
constexpr double kCoveringTiles = 4.0;    // 2 x 2 tiles with one step of the sums
constexpr double kDearCoveringTiles = 15.0;
constexpr double kDearTimesLeast = 25.0;  // 5 x 5 tiles
// Multiply-adds that take as long as the other work of a thread.
constexpr std::int64_t kLeastSlice = 16;
constexpr double kTooMuch = 0x1p62;  // stands for a number beyond 63 bits

std::int64_t whole_units(std::int64_t size, std::int64_t unit) {
  return std::max<std::int64_t>((size + unit - 1) / unit * unit, 1);
}

}  // namespace

Cost CostModel::cost(const Case& problem) const {
  // Each of the blocks that share sums has other work besides the multiplications.
  const std::int64_t least = tiles_.split_k > 1 ? kLeastSlice * tiles_.split_k : 1;
  Case whole = problem;
  for (std::size_t i = 0; i < tiles_.extents.size(); ++i) {
    const CaseField& extent = schema_.fields[i];
    const ExtentTiles& tiles = tiles_.extents[i];
    const std::int64_t size = extent.get(problem);
    extent.set(whole, extent.is_reduced ? std::max(whole_units(size, tiles.period), least)
                                        : whole_units(size, std::max(tiles.tile, tiles.period)));
  }
  return {number(schema_.work, whole), number(schema_.elements, problem)};
}

Cost CostModel::ordinary_cost(const Case& problem) const {
  if (schema_.works_in_tiles) return cost(problem);
  return {number(schema_.work, problem), number(schema_.elements, problem)};
}

double CostModel::number(const contract::Expression& expression, const Case& problem) const {
  const auto value = expression.evaluate(bindings(contract_, problem));
  return value ? static_cast<double>(*value) : kTooMuch;
}

double CostModel::work_of_step() const {
  constexpr std::int64_t kTerms = 16;
  Case problem;
  for (const std::size_t extent : schema_.fields_of_kind(CaseField::Kind::extent)) {
    const CaseField& field = schema_.fields[extent];
    field.set(problem, field.is_reduced ? kTerms : 1);
  }
  return ordinary_cost(problem).work;
}

double CostModel::work_of_tile() const {
  Case problem;
  for (std::size_t i = 0; i < tiles_.extents.size(); ++i) {
    schema_.fields[i].set(problem, tiles_.extents[i].tile);
  }
  return cost(problem).work;
}

Budgets CostModel::budgets(const Cost& least) const {
  const double step = work_of_tile();
  const auto times_least = [&](double times) {
    return std::min(times * least.work, std::max(least.work, kMostWorkOfTiles));
  };
  const auto times_tile = [&](double times) {
    return std::min(times * step, std::max(least.work, kMostWorkOfTiles));
  };
  const double sampled = times_least(kTimesLeast);
  const double dear = times_least(kDearTimesLeast);
  const double elements = kTimesLeast * least.elements;
  return {{std::max(kMostWork, sampled), std::max(kMostElements, elements)},
          {std::max({kCoveringWork, times_tile(kCoveringTiles), sampled}),
           std::max(kMostElements, elements)},
          {std::max({kDearCoveringWork, times_tile(kDearCoveringTiles), dear}),
           std::max(kDearCoveringElements, 2.0 * elements)}};
}

}  // namespace warpcheck::campaign::generate
