#include "campaign/shrink/shrink.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "campaign/case/normalized.hpp"
#include "campaign/case/schema.hpp"
#include "campaign/generate/sampling/solver.hpp"
#include "campaign/generate/sampling/tiles.hpp"
#include "campaign/shrink/measure.hpp"
#include "campaign/shrink/small_cases.hpp"
#include "device/device.hpp"

namespace warpcheck::campaign::shrink {
namespace {

using contract::Contract;
using Kind = CaseField::Kind;
using Sizes = std::vector<std::int64_t>;

constexpr std::int64_t kLarge = 4096;  // a larger size shrinks in a geometric sequence of steps
constexpr std::int64_t kHugeStride = std::int64_t{1} << 24;     // elements
constexpr std::int64_t kLongestStride = std::int64_t{1} << 31;  // exceeds an int32

class Shrinker {
 public:
  Shrinker(const Contract& contract, const Case& failing, const StillFails& fails,
           const ShrinkLimits& limits)
      : contract_(contract),
        fails_(fails),
        limits_(limits),
        solver_(contract, static_cast<std::int64_t>(device::kMostBufferBytes)),
        tiles_(generate::tiles(contract)),
        best_(failing) {
    for (const CaseField& field : solver_.schema().fields) {
      if (field.is_stride() && field.is_taken) strides_.push_back(&field);
      if (field.kind == Kind::extent) extents_.push_back(&field);
    }
  }

  Case shrunk() {
    shrink_to_fixpoint();
    while (may_depend_on_data() && try_small_cases()) shrink_to_fixpoint();
    return best_;
  }

 private:
  void shrink_to_fixpoint() {
    for (bool progress = true; progress && !exhausted();) {
      const Case before = best_;
      for (std::size_t i = 0; i < extents_.size(); ++i) shrink_extent(i);
      shrink_together();
      if (may_depend_on_data()) shrink_by_seed();
      shrink_field(Kind::batch, 1);
      shrink_orders();
      for (const CaseField* const stride : strides_) shrink_padding(*stride);
      shrink_field(Kind::offset, 0);
      shrink_values();
      progress = !(best_ == before);
    }
  }

  [[nodiscard]] std::int64_t padding_of(const CaseField& stride) const {
    return padding(contract_, stride, best_);
  }

  /// Integers of an input may be addresses, so that any failure depends on them.
  [[nodiscard]] bool may_depend_on_data() const {
    return limits_.tries_other_data || solver_.schema().reads_integers;
  }

  [[nodiscard]] bool exhausted() const { return limits_.reached(attempts_); }

  [[nodiscard]] bool is_simpler(const Case& candidate) const {
    const CaseSchema& schema = solver_.schema();
    return measure(contract_, schema, candidate) < measure(contract_, schema, best_);
  }

  /// Accepts the candidate, projected onto the domain, if it is simpler and fails.
  bool accept(const Case& candidate) {
    if (exhausted()) return false;
    Case next = normalized(contract_, candidate);
    if (!solver_.admits(next)) {
      const auto projected = solver_.project(next);
      if (!projected) return false;
      next = *projected;
    }
    if (!is_simpler(next) || !tried_.insert(to_line(next)).second) return false;
    ++attempts_;
    if (!fails_(next)) return false;
    best_ = std::move(next);
    return true;
  }

  [[nodiscard]] Case with(const CaseField& field, std::int64_t value) const {
    Case changed = best_;
    field.set(changed, value);
    return changed;
  }

  /// Returns the best case with other extents and the same padding.
  [[nodiscard]] Case resized(const std::vector<std::pair<std::size_t, std::int64_t>>& sizes) const {
    Case result = best_;
    for (const auto& [extent, size] : sizes) extents_[extent]->set(result, size);
    keep_padding(result, nullptr);
    return result;
  }

  /// Sets each stride so that its padding is that of the best case; to the tight one if that is
  /// none. Huge strides remain as they are: offsets overflow with few of them.
  void keep_padding(Case& candidate, const CaseField* except) const {
    for (const std::size_t number : solver_.schema().from_within(candidate)) {
      const CaseField& stride = solver_.schema().fields[number];
      if (!stride.is_stride() || !stride.is_taken || &stride == except) continue;
      const std::int64_t elements = padding_of(stride);
      if (elements >= kHugeStride) continue;
      const std::int64_t tight = tight_stride(contract_, candidate, stride.name);
      stride.set(candidate, elements == 0 ? 0 : std::max<std::int64_t>(0, tight + elements));
    }
  }

  /// Returns the case with huge strides that are longer by the factor by which the extent is
  /// smaller.
  [[nodiscard]] Case with_same_distance(Case changed, std::size_t extent) const {
    const std::int64_t before = extents_[extent]->get(best_) - 1;
    const std::int64_t after = extents_[extent]->get(changed) - 1;
    for (const CaseField* const stride : strides_) {
      const std::int64_t elements = stride->get(best_);
      if (elements < kHugeStride || after < 1) continue;
      const std::int64_t longer = (elements * before + after - 1) / after;
      if (longer < kLongestStride) stride->set(changed, longer);
    }
    return changed;
  }

  /// Returns smaller sizes to try from `least` on, in ascending order: small ones, those near
  /// multiples of tiles and, beyond these, near powers of two, and those little less.
  [[nodiscard]] static Sizes smaller(std::int64_t size, std::int64_t least, const Sizes& around) {
    if (size <= least) return {};
    std::set<std::int64_t> sizes;
    for (std::int64_t i = 0; i <= 9; ++i) sizes.insert(i);
    std::int64_t beyond = 8;
    for (const std::int64_t tile : around) {
      for (std::int64_t multiple = tile; multiple <= 4 * tile; multiple += tile) {
        sizes.insert({multiple - 1, multiple, multiple + 1});
        beyond = std::max(beyond, multiple);
      }
    }
    for (std::int64_t base = 16; base < std::min(size, kLarge); base *= 2) {
      if (base > beyond) sizes.insert({base - 1, base, base + 1});
    }
    // Domains often admit multiples of a power of two only.
    sizes.insert(
        {size / 4, size / 2, size - size / 4, size - 16, size - 8, size - 4, size - 2, size - 1});
    if (size > kLarge) {
      for (std::int64_t step = size / 16; step > 2; step /= 4) sizes.insert(size - step);
    }
    return {sizes.lower_bound(least), sizes.lower_bound(size)};
  }

  [[nodiscard]] Sizes smaller_extents(std::size_t extent, std::int64_t size) const {
    const std::int64_t least = extents_[extent]->has_zero ? 0 : 1;
    return smaller(size, least, tiles_.extents[extent].sizes);
  }

  void shrink_extent(std::size_t extent) {
    for (bool progress = true; progress;) {
      progress = false;
      for (const std::int64_t size : smaller_extents(extent, extents_[extent]->get(best_))) {
        const Case changed = resized({{extent, size}});
        if (!accept(changed) && !accept(with_same_distance(changed, extent))) continue;
        progress = true;
        break;
      }
    }
  }

  /// Shrinks defects that depend on equal sizes or on the difference of two sizes.
  void shrink_together() {
    for (std::size_t one = 0; one < extents_.size(); ++one) {
      for (std::size_t other = one + 1; other < extents_.size(); ++other) {
        while (shrink_pair(one, other)) {
        }
      }
    }
    std::int64_t least = extents_.front()->get(best_);
    for (const CaseField* const extent : extents_) least = std::min(least, extent->get(best_));
    for (const std::int64_t size : smaller_extents(extents_.size() - 1, least)) {
      std::vector<std::pair<std::size_t, std::int64_t>> all;
      for (std::size_t i = 0; i < extents_.size(); ++i) all.emplace_back(i, size);
      if (accept(resized(all))) return;
    }
  }

  bool shrink_pair(std::size_t one, std::size_t other) {
    const std::int64_t first = extents_[one]->get(best_);
    const std::int64_t second = extents_[other]->get(best_);
    const std::int64_t least = std::min(first, second);
    for (const std::int64_t size : smaller_extents(one, least)) {
      const std::int64_t less = least - size;
      if (accept(resized({{one, size}, {other, size}})) ||
          accept(resized({{one, first - less}, {other, second - less}}))) {
        return true;
      }
    }
    return false;
  }

  /// Special values and structures are in rows that the seed chooses, and positions depend on
  /// elements that are equal, so that a smaller extent needs another seed.
  void shrink_by_seed() {
    constexpr std::int64_t kSmall = 4;
    constexpr std::uint64_t kSeeds = 32;
    if (best_.data < Recipe::special && !solver_.schema().has_positions) return;
    for (std::size_t i = 0; i < extents_.size(); ++i) {
      const std::int64_t end = std::min(extents_[i]->get(best_), kSmall + 1);
      for (std::int64_t size = 1; size < end; ++size) {
        for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
          Case changed = resized({{i, size}});
          changed.seed = seed;
          if (accept(changed)) size = end;
        }
      }
    }
  }

  /// A failure that depends on the elements needs other ones if fewer are left.
  bool try_small_cases() {
    std::int64_t sum = 0;
    for (const CaseField* const extent : extents_) sum += extent->get(best_);
    for (const SmallCase& small : small_cases(extents_.size(), sum, best_.data)) {
      std::vector<std::pair<std::size_t, std::int64_t>> sizes;
      for (const std::int64_t size : small.sizes) sizes.emplace_back(sizes.size(), size);
      Case changed = resized(sizes);
      changed.data = small.data;
      changed.seed = small.seed;
      if (accept(changed)) return true;
    }
    return false;
  }

  void shrink_field(Kind kind, std::int64_t least) {
    for (const CaseField& field : solver_.schema().fields) {
      if (field.kind != kind) continue;
      for (const std::int64_t less : smaller(field.get(best_), least, {})) {
        if (accept(with(field, less))) break;
      }
    }
  }

  void shrink_orders() {
    for (const CaseField& field : solver_.schema().fields) {
      if (field.kind != Kind::transposition && field.kind != Kind::order) continue;
      Case candidate = with(field, 0);
      keep_padding(candidate, nullptr);
      accept(candidate);
    }
  }

  /// A batch stride keeps its padding if the stride of the lines becomes smaller. Few values of a
  /// huge stride are tried: offsets overflow with nearly the same one, or with none.
  void shrink_padding(const CaseField& stride) {
    const std::int64_t elements = padding_of(stride);
    const std::int64_t tight = tight_stride(contract_, best_, stride.name);
    for (const std::int64_t less :
         elements < kHugeStride ? smaller(elements, 0, {}) : Sizes{0, 1, 3}) {
      Case candidate = with(stride, tight + less);
      keep_padding(candidate, &stride);
      if (accept(candidate)) return;
    }
  }

  void shrink_values() {
    for (const CaseField& factor : solver_.schema().fields) {
      if (factor.kind != Kind::factor) continue;
      // alpha = 0 hides the product
      for (const double simpler : {factor.default_number, 1.0, 2.0}) {
        Case changed = best_;
        factor.set_number(changed, simpler);
        if (simpler != factor.number(best_) && accept(changed)) break;
      }
    }
    for (int recipe = 0; recipe < static_cast<int>(best_.data); ++recipe) {
      Case changed = best_;
      changed.data = static_cast<Recipe>(recipe);
      if (accept(changed)) break;
    }
    for (std::uint64_t seed = 0; seed < std::min<std::uint64_t>(best_.seed, 4); ++seed) {
      Case changed = best_;
      changed.seed = seed;
      if (accept(changed)) break;
    }
  }

  const Contract& contract_;
  const StillFails& fails_;
  const ShrinkLimits& limits_;
  generate::Solver solver_;
  generate::Tiles tiles_;
  std::vector<const CaseField*> strides_;  // those that the kernel takes
  std::vector<const CaseField*> extents_;
  Case best_;
  std::int64_t attempts_ = 0;
  std::set<std::string> tried_;
};

}  // namespace

Case shrink(const Contract& contract, const Case& failing, const StillFails& fails,
            const ShrinkLimits& limits) {
  return Shrinker(contract, failing, fails, limits).shrunk();
}

std::vector<Case> simpler_cases(const Contract& contract, const Case& problem) {
  std::vector<Case> simpler;
  const StillFails passes = [&](const Case& candidate) {
    simpler.push_back(candidate);
    return false;
  };
  (void)shrink(contract, problem, passes, {});
  return simpler;
}

std::vector<std::optional<DegenerateCase>> degenerate_cases(const Contract& contract,
                                                            const Case& failing,
                                                            const Case& candidate) {
  std::vector<std::optional<DegenerateCase>> cases;
  for (const CaseField& extent : case_schema(contract).fields) {
    if (extent.kind != Kind::extent) continue;
    cases.emplace_back();
    const std::int64_t size = extent.is_reduced ? 0 : 1;
    if (extent.get(candidate) != size || extent.get(failing) == size) continue;
    Case alone = failing;
    extent.set(alone, size);
    reset_short_strides(contract, alone);
    cases.back() = {normalized(contract, alone), extent.is_reduced};
  }
  return cases;
}

}  // namespace warpcheck::campaign::shrink
