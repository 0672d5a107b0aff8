#include "campaign/shrink/shrink.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "campaign/case/normalized.hpp"
#include "campaign/case/operand.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "campaign/matrices/measure.hpp"
#include "campaign/shrink/shrink_model.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign::shrink {
namespace {

using contract::Contract;
using Extent = std::int64_t Case::*;

constexpr std::int64_t kLarge = 4096;  // a larger size shrinks in a geometric sequence of steps

constexpr std::array<Extent, 3> kExtents = {&Case::m, &Case::n, &Case::k};

class Shrinker {
 public:
  Shrinker(const Contract& contract, const Case& failing, const StillFails& fails,
           const ShrinkLimits& limits)
      : contract_(contract),
        fails_(fails),
        limits_(limits),
        strides_(stride_fields(contract)),
        solver_(contract, static_cast<std::int64_t>(device::kMostBufferBytes)),
        tiles_(generate::tiles(contract)),
        best_(failing) {}

  Case shrunk() {
    shrink_to_fixpoint();
    while (limits_.tries_other_data && depends_on_data() && shrink_with_other_data()) {
      shrink_to_fixpoint();
    }
    return best_;
  }

 private:
  void shrink_to_fixpoint() {
    for (bool progress = true; progress && !exhausted();) {
      const Case before = best_;
      for (std::size_t i = 0; i < kExtents.size(); ++i) shrink_extent(i);
      shrink_together();
      shrink_batch();
      shrink_transposes();
      shrink_layout();
      shrink_values();
      progress = !(best_ == before);
    }
  }

  /// Elements by which a leading dimension or a batch stride is larger than necessary.
  [[nodiscard]] std::int64_t padding(const StrideField& stride) const {
    return stride.effective(contract_, best_) - stride.tight(contract_, best_);
  }

  [[nodiscard]] bool exhausted() const { return limits_.reached(attempts_); }

  /// Accepts the candidate, projected onto the domain, if it is simpler and fails.
  bool accept(const Case& candidate) {
    if (exhausted()) return false;
    Case next = normalized(contract_, candidate);
    if (!solver_.admits(next)) {
      const auto projected = solver_.project(next);
      if (!projected) return false;
      next = *projected;
    }
    if (measure(contract_, next) >= measure(contract_, best_) ||
        !tried_.insert(to_line(next)).second)
      return false;
    ++attempts_;
    if (!fails_(next)) return false;
    best_ = std::move(next);
    return true;
  }

  /// Returns the best case with other sizes and the same padding.
  [[nodiscard]] Case resized(
      std::initializer_list<std::pair<std::size_t, std::int64_t>> sizes) const {
    Case result = best_;
    for (const auto& [extent, size] : sizes) result.*kExtents[extent] = size;
    for (const StrideField& stride : strides_) keep_padding(result, stride);
    return result;
  }

  /// Sets the stride so that its padding is that of the best case; to the tight one if that is
  /// none.
  void keep_padding(Case& candidate, const StrideField& stride) const {
    const std::int64_t elements = padding(stride);
    const std::int64_t padded = stride.tight(contract_, candidate) + elements;
    candidate.*stride.field = elements == 0 ? 0 : std::max<std::int64_t>(0, padded);
  }

  /// Returns smaller sizes to try, in ascending order; none for a negative size. The padding of a
  /// batch stride can be negative if there is one matrix only.
  [[nodiscard]] std::vector<std::int64_t> smaller(std::int64_t size,
                                                  const std::vector<std::int64_t>& around) const {
    if (size <= 0) return {};
    std::set<std::int64_t> sizes;
    for (std::int64_t i = 0; i <= 9; ++i) sizes.insert(i);
    for (const std::int64_t tile : around) {
      for (std::int64_t multiple = tile; multiple <= 4 * tile; multiple += tile) {
        sizes.insert({multiple - 1, multiple, multiple + 1});
      }
    }
    sizes.insert({size / 4, size / 2, size - size / 4, size - 2, size - 1});
    if (size > kLarge) {
      for (std::int64_t step = size / 16; step > 2; step /= 4) sizes.insert(size - step);
    }
    return {sizes.lower_bound(0), sizes.lower_bound(size)};
  }

  [[nodiscard]] const std::vector<std::int64_t>& tiles_of(std::size_t extent) const {
    return tiles_.extents[extent].sizes;
  }

  void shrink_extent(std::size_t extent) {
    for (bool progress = true; progress;) {
      progress = false;
      for (const std::int64_t size : smaller(best_.*kExtents[extent], tiles_of(extent))) {
        if (accept(resized({{extent, size}}))) {
          progress = true;
          break;
        }
      }
    }
  }

  /// Shrinks defects that depend on equal sizes or on the difference of two sizes.
  void shrink_together() {
    constexpr std::array<std::pair<std::size_t, std::size_t>, 3> kPairs = {
        {{0, 1}, {0, 2}, {1, 2}}};
    for (const auto& [one, other] : kPairs) {
      for (bool progress = true; progress;) {
        const std::int64_t first = best_.*kExtents[one];
        const std::int64_t second = best_.*kExtents[other];
        progress = false;
        for (const std::int64_t size : smaller(std::min(first, second), tiles_of(one))) {
          const std::int64_t less = std::min(first, second) - size;
          if (accept(resized({{one, size}, {other, size}})) ||
              accept(resized({{one, first - less}, {other, second - less}}))) {
            progress = true;
            break;
          }
        }
      }
    }
    const std::int64_t least = std::min({best_.m, best_.n, best_.k});
    for (const std::int64_t size : smaller(least, tiles_of(2))) {
      if (accept(resized({{0, size}, {1, size}, {2, size}}))) return;
    }
  }

  /// Returns true if the best case passes with other elements.
  bool depends_on_data() {
    constexpr std::uint64_t kProbes = 8;
    Case other = best_;
    for (other.seed = best_.seed + 1; other.seed <= best_.seed + kProbes; ++other.seed) {
      if (exhausted()) return false;
      if (!tried_.insert(to_line(other)).second) continue;
      ++attempts_;
      if (!fails_(other)) return true;
    }
    return false;
  }

  /// A failure that depends on the elements needs other ones if fewer are left. Returns true if a
  /// size has become smaller.
  bool shrink_with_other_data() {
    const Case before = best_;
    for (std::size_t i = 0; i < kExtents.size(); ++i) {
      while (try_other_data(i)) {
      }
    }
    return !(best_ == before);
  }

  bool try_other_data(std::size_t extent) {
    constexpr std::uint64_t kSeeds = 64;
    const std::int64_t size = best_.*kExtents[extent];
    for (const std::int64_t less : std::set{std::int64_t{1}, size / 2, size - size / 4, size - 1}) {
      if (less < 1 || less >= size) continue;
      for (const Recipe recipe : std::set{best_.data, Recipe::normal}) {
        for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
          Case candidate = resized({{extent, less}});
          candidate.data = recipe;
          candidate.seed = seed;
          if (accept(candidate)) return true;
        }
      }
    }
    return false;
  }

  void shrink_batch() {
    for (const std::int64_t less : smaller(best_.batch, {})) {
      Case candidate = best_;
      candidate.batch = std::max<std::int64_t>(1, less);
      if (accept(candidate)) break;
    }
  }

  void shrink_transposes() {
    for (bool Case::*transposed : {&Case::ta, &Case::tb}) {
      Case candidate = best_;
      candidate.*transposed = false;
      for (const StrideField& stride : strides_) keep_padding(candidate, stride);
      accept(candidate);
    }
  }

  void shrink_padding(const StrideField& stride) {
    if (!stride.taken_by(contract_)) return;
    const std::int64_t tight = stride.tight(contract_, best_);
    for (const std::int64_t less : smaller(padding(stride), {})) {
      Case candidate = best_;
      candidate.*stride.field = tight + less;
      if (stride.kind == StrideField::Kind::leading_dimension) {
        for (const StrideField& other : strides_) {
          if (other.kind == StrideField::Kind::batch_stride) keep_padding(candidate, other);
        }
      }
      if (accept(candidate)) return;
    }
  }

  void shrink_layout() {
    for (const StrideField& stride : strides_) shrink_padding(stride);
    for (const Operand operand : {Operand::a, Operand::b, Operand::c, Operand::bias}) {
      const auto offset = fields(operand).offset;
      for (const std::int64_t less : smaller(best_.*offset, {})) {
        Case candidate = best_;
        candidate.*offset = less;
        if (accept(candidate)) break;
      }
    }
  }

  template <typename Field, typename Values>
  void try_values(Field Case::*field, const Values& values) {
    for (const auto& value : values) {
      if (value == best_.*field) continue;
      Case candidate = best_;
      candidate.*field = value;
      if (accept(candidate)) return;
    }
  }

  void shrink_values() {
    try_values(&Case::alpha, std::array{1.0, 2.0});  // alpha = 0 hides the product
    try_values(&Case::beta, std::array{0.0, 1.0, 2.0});
    std::vector<Recipe> recipes;
    for (int i = 0; i < static_cast<int>(best_.data); ++i)
      recipes.push_back(static_cast<Recipe>(i));
    try_values(&Case::data, recipes);
    std::vector<std::uint64_t> seeds;
    for (std::uint64_t seed = 0; seed < std::min<std::uint64_t>(best_.seed, 4); ++seed) {
      seeds.push_back(seed);
    }
    try_values(&Case::seed, seeds);
  }

  const Contract& contract_;
  const StillFails& fails_;
  const ShrinkLimits& limits_;
  std::array<StrideField, 6> strides_;
  generate::Solver solver_;
  generate::Tiles tiles_;
  Case best_;
  std::int64_t attempts_ = 0;
  std::set<std::string> tried_;
};

class MatrixShrinkModel final : public ShrinkModel {
 public:
  Case shrunk(const Contract& contract, const Case& failing, const StillFails& fails,
              const ShrinkLimits& limits) const override {
    return Shrinker(contract, failing, fails, limits).shrunk();
  }

  std::vector<std::optional<DegenerateCase>> degenerate_cases(
      const Contract& contract, const Case& failing, const Case& candidate) const override {
    constexpr std::array<std::pair<Extent, std::int64_t>, 3> kSizes = {
        {{&Case::k, 0}, {&Case::m, 1}, {&Case::n, 1}}};
    std::vector<std::optional<DegenerateCase>> cases;
    for (const auto& [extent, size] : kSizes) {
      cases.emplace_back();
      if (candidate.*extent != size || failing.*extent == size) continue;
      Case alone = failing;
      alone.*extent = size;
      alone = normalized(contract, alone);
      const bool same_outputs = alone.m == failing.m && alone.n == failing.n;
      cases.back() = {std::move(alone), same_outputs};
    }
    return cases;
  }
};

}  // namespace

const ShrinkModel& ShrinkModel::of_matrices() {
  static const MatrixShrinkModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::shrink
