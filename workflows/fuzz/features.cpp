#include "workflows/fuzz/features.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/hash.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/sampling/landmarks.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "campaign/run/problem.hpp"

namespace warpcheck::workflows::fuzz {
namespace {

using Kind = FeatureKind;

template <typename... Numbers>
std::uint64_t print_of(Numbers... numbers) {
  std::uint64_t print = 0;
  ((print = mixed(print, static_cast<std::uint64_t>(numbers))), ...);
  return print;
}

/// Classes: 0, 1, tile - 1, less than half, half or more.
std::uint64_t residue_class(std::int64_t residue, std::int64_t tile) {
  if (residue <= 1) return static_cast<std::uint64_t>(residue);
  if (residue == tile - 1) return 2;
  return residue * 2 < tile ? 3 : 4;
}

constexpr std::int64_t kBytesOfVector = 16;  // the widest access of one thread

std::uint64_t alignment_class(std::int64_t elements, ScalarType type) {
  const std::int64_t bytes = elements * static_cast<std::int64_t>(size_of(type)) % kBytesOfVector;
  return bytes == 0
             ? 5
             : static_cast<std::uint64_t>(std::countr_zero(static_cast<std::uint64_t>(bytes)));
}

constexpr double kLeastError = 1.0 / 64.0;  // least error that is a feature, in units of the bound
constexpr double kErrorSteps = 4.0;         // steps per doubling of the error

/// Returns a class of numbers: 0, 1, 2, 3, then powers of two.
std::uint64_t size_class(std::uint64_t number) {
  return number < 4 ? number : 2 + static_cast<std::uint64_t>(std::bit_width(number) - 1);
}

/// Returns a class of factors: 0, 1, -1 and others.
std::uint64_t factor_class(double factor) {
  if (factor == 0.0) return 0;
  if (factor == 1.0) return 1;
  return factor == -1.0 ? 2 : 3;
}

class Collection {
 public:
  Collection(const contract::Contract& contract, const campaign::CaseSchema& schema,
             const campaign::Case& problem)
      : contract_(contract), schema_(schema), problem_(problem) {}

  /// The number of turns is the average per warp, so that it does not depend on the grid size.
  void add_coverage(const device::Coverage& coverage) {
    std::uint64_t warps = 1;  // warps that enter the function
    for (const device::CoveredEdge& edge : coverage.edges) {
      if (edge.from == device::kEntry) warps = std::max<std::uint64_t>(edge.warps, 1);
      if (edge.warps == 0) continue;
      const std::uint64_t turns = edge.warps < warps ? 0 : size_class(edge.warps / warps);
      add(Kind::edge, edge.from, edge.to);
      add(Kind::turns, edge.from, edge.to, turns);
      if (edge.divergent != 0) add(Kind::divergence, edge.from, edge.to);
    }
    for (const device::CoveredCondition& condition : coverage.conditions) {
      if (condition.held != 0) add(Kind::condition, condition.at, 1);
      if (condition.failed != 0) add(Kind::condition, condition.at, 0);
    }
  }

  void add_property() {
    const std::uint64_t property = mixed(0, problem_.property);
    features_.push_back({Kind::property, property});
    features_.push_back({Kind::property, mixed(property, name(problem_.data))});
  }

  /// `tiles` are those of each extent.
  void add_fields(const std::vector<std::vector<std::int64_t>>& tiles) {
    std::uint64_t factors = print_of(0);
    std::uint64_t shapes = print_of(1);
    int extent = 0;
    for (const campaign::CaseField& field : schema_.fields) {
      using Of = campaign::CaseField::Kind;
      const std::int64_t value = field.get(problem_);
      if (field.kind == Of::extent) {
        add_extent(extent, value, tiles[static_cast<std::size_t>(extent)]);
        ++extent;
      } else if (field.kind == Of::factor) {
        factors = mixed(factors, factor_class(field.number(problem_)));
      } else if (field.kind == Of::transposition || field.kind == Of::batch) {
        shapes = mixed(shapes, size_class(static_cast<std::uint64_t>(value)));
      }
    }
    features_.push_back({Kind::factors, factors});
    features_.push_back({Kind::factors, shapes});
    int number = 0;
    const campaign::Layouts layouts =
        campaign::lay_out(contract_, problem_, campaign::run::kBufferLimitBytes);
    for (const campaign::Placement& place : layouts.operands) add_matrix(number++, place);
  }

  void add_grids(const std::vector<Dim3>& grids) {
    for (std::size_t i = 0; i < grids.size(); ++i) {
      add(Kind::grid, i, size_class(grids[i].x), size_class(grids[i].y), size_class(grids[i].z));
    }
  }

  void add_error(double error_over_bound) {
    if (!(error_over_bound >= kLeastError)) return;
    const double passed = std::min(std::log2(error_over_bound / kLeastError) * kErrorSteps, 64.0);
    for (int step = 0; step <= static_cast<int>(passed); ++step) add(Kind::error, step);
  }

  [[nodiscard]] std::vector<Feature> take() {
    std::sort(features_.begin(), features_.end());
    features_.erase(std::unique(features_.begin(), features_.end()), features_.end());
    return std::move(features_);
  }

 private:
  template <typename... Numbers>
  void add(Kind kind, Numbers... numbers) {
    features_.push_back({kind, print_of(numbers...)});
  }

  void add_extent(int extent, std::int64_t size, const std::vector<std::int64_t>& tiles) {
    for (const std::int64_t tile : tiles) {
      add(Kind::extent, extent, tile, std::min<std::int64_t>(size / tile, 3),
          residue_class(size % tile, tile));
    }
  }

  void add_matrix(int matrix, const campaign::Placement& place) {
    const bool tight = place.line_distance() == place.line().extent;
    add(Kind::alignment, matrix, 0, alignment_class(place.offset, place.type));
    add(Kind::alignment, matrix, 1, tight ? 1 : 0,
        alignment_class(place.line_distance(), place.type));
    for (std::size_t i = 2; i < place.nest.size(); ++i) {
      const campaign::Placement::Axis& axis = place.axes[place.nest[place.nest.size() - 1 - i]];
      if (axis.extent > 1)
        add(Kind::alignment, matrix, i, alignment_class(axis.stride, place.type));
    }
  }

  const contract::Contract& contract_;
  const campaign::CaseSchema& schema_;
  const campaign::Case& problem_;
  std::vector<Feature> features_;
};

}  // namespace

Features::Features(const contract::Contract& contract)
    : contract_(contract),
      schema_(campaign::case_schema(contract)),
      tiles_(campaign::generate::extent_sizes(contract, campaign::generate::tiles(contract))) {}

std::vector<Feature> Features::of(const campaign::Case& problem,
                                  const campaign::run::Observation& seen,
                                  std::optional<double> error_over_bound) const {
  Collection features(contract_, schema_, problem);
  features.add_coverage(seen.coverage);
  features.add_property();
  features.add_fields(tiles_);
  features.add_grids(seen.grids);
  if (error_over_bound) features.add_error(*error_over_bound);
  return features.take();
}

}  // namespace warpcheck::workflows::fuzz
