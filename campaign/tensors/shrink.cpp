#include "campaign/shrink/shrink.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/generate/tensors/tensor_domain.hpp"
#include "campaign/shrink/shrink_model.hpp"
#include "campaign/tensors/small_cases.hpp"
#include "contract/contract_words.hpp"
#include "operation/extent.hpp"

namespace warpcheck::campaign::shrink {
namespace {

using contract::Contract;

constexpr std::int64_t kHugeStride = std::int64_t{1} << 24;     // elements
constexpr std::int64_t kLongestStride = std::int64_t{1} << 31;  // exceeds an int32

/// Orders cases: each accepted one has a smaller measure.
using Measure = std::tuple<double, double, double, double, int, Recipe, std::uint64_t>;

/// Shrinks extents, several at once, strides, offsets, scalars, the recipe and the seed. Tries
/// small cases of other data, too. Candidates outside the domain are projected onto it.
class TensorShrinker {
 public:
  TensorShrinker(const Contract& contract, const Case& failing, const StillFails& fails,
                 const ShrinkLimits& limits)
      : contract_(contract), fails_(fails), limits_(limits), domain_(contract), best_(failing) {
    for (const contract::LaunchStep& step : contract.launches) {
      for (const auto* extents : {&step.grid, &step.block}) {
        for (const contract::Expression& extent : *extents) {
          for (const std::int64_t literal : extent.literals()) {
            if (literal > 1) landmarks_.insert(literal);
          }
        }
      }
    }
  }

  Case shrunk() {
    shrink_to_fixpoint();
    while (try_small_cases()) shrink_to_fixpoint();
    return best_;
  }

 private:
  void shrink_to_fixpoint() {
    for (bool progress = true; progress && !exhausted();) {
      const Case before = best_;
      for (const std::string& name : extents()) shrink_extent(name);
      shrink_together();
      shrink_by_seed();
      shrink_layout();
      shrink_values();
      progress = !(best_ == before);
    }
  }

  [[nodiscard]] const std::vector<std::string>& extents() const {
    return contract_.tensors->operation.extents;
  }

  [[nodiscard]] bool exhausted() const { return limits_.reached(attempts_); }

  [[nodiscard]] Measure measure(const Case& problem) const {
    double sum = 0.0;
    double largest = 0.0;
    for (const std::string& name : extents()) {
      const auto size = static_cast<double>(tensor::extent(problem, name));
      sum += size;
      largest = std::max(largest, size);
    }
    double padding = 0.0;
    double offsets = 0.0;
    for (const operation::Tensor& tensor : contract_.tensors->tensors) {
      for (const std::string& field : strides(tensor)) {
        padding += static_cast<double>(padding_of(problem, field));
      }
      offsets += problem.value(contract::offset_field(tensor.name)).value_or(0.0);
    }
    int scalars = 0;
    for (const std::string& name : contract_.tensors->operation.scalars) {
      const double value = problem.value(name).value_or(1.0);
      scalars += value == 1.0 ? 0 : value == std::trunc(value) ? 1 : 2;
    }
    return {sum, largest, padding, offsets, scalars, problem.data, problem.seed};
  }

  /// Accepts the candidate, projected onto the domain, if it is simpler and fails.
  bool accept(const Case& candidate) {
    if (exhausted()) return false;
    Case next = normalized(contract_, candidate);
    if (measure(next) >= measure(best_) || !tried_.insert(to_line(next)).second) return false;
    if (violated(contract_, next)) {
      const auto projected = domain_.solver().project(next);
      if (!projected || measure(*projected) >= measure(best_)) return false;
      next = *projected;
      if (!tried_.insert(to_line(next)).second) return false;
    }
    ++attempts_;
    if (!fails_(next)) return false;
    best_ = std::move(next);
    return true;
  }

  /// The best case with other extents and the same padding. Huge strides remain as they are:
  /// offsets overflow with few of them.
  [[nodiscard]] Case resized(const std::vector<std::pair<std::string, std::int64_t>>& sizes) const {
    Case result = best_;
    for (const auto& [name, size] : sizes) result.set_value(name, static_cast<double>(size));
    for (const operation::Tensor& tensor : contract_.tensors->tensors) {
      for (const std::string& field : strides(tensor)) {
        const std::int64_t padding = padding_of(best_, field);
        if (!best_.value(field) || padding >= kHugeStride) continue;
        const std::int64_t tight = tensor::tight_value(contract_, result, field);
        result.set_value(field, static_cast<double>(tight + padding));
      }
    }
    return result;
  }

  /// Smaller sizes to try, ascending.
  [[nodiscard]] std::vector<std::int64_t> smaller(std::int64_t size, std::int64_t least) const {
    std::set<std::int64_t> sizes;
    for (std::int64_t i = 0; i <= 9; ++i) sizes.insert(i);
    for (const std::int64_t landmark : landmarks_) {
      for (std::int64_t multiple = landmark; multiple <= 4 * landmark; multiple += landmark) {
        sizes.insert({multiple - 1, multiple, multiple + 1});
      }
    }
    for (std::int64_t base = 16; base < size; base *= 2) {
      sizes.insert({base - 1, base, base + 1});
    }
    // Domains often admit multiples of a power of two only.
    sizes.insert({size / 2, size - size / 4, size - 16, size - 8, size - 4, size - 2, size - 1});
    return {sizes.lower_bound(least), sizes.lower_bound(std::max(least, size))};
  }

  void shrink_extent(const std::string& name) {
    for (bool progress = true; progress;) {
      progress = false;
      for (const std::int64_t size : smaller(tensor::extent(best_, name), 1)) {
        const Case changed = resized({{name, size}});
        if (!accept(changed) && !accept(with_same_distance(changed, name))) continue;
        progress = true;
        break;
      }
    }
  }

  /// Shrinks defects that depend on equal extents.
  void shrink_together() {
    const auto& names = extents();
    for (std::size_t i = 0; i < names.size(); ++i) {
      for (std::size_t j = i + 1; j < names.size(); ++j) {
        const std::int64_t least =
            std::min(tensor::extent(best_, names[i]), tensor::extent(best_, names[j]));
        for (const std::int64_t size : smaller(least, 1)) {
          if (accept(resized({{names[i], size}, {names[j], size}}))) break;
        }
      }
    }
  }

  /// Special values and structures are in rows that the seed chooses, and positions depend on
  /// elements that are equal, so that a smaller extent needs another seed.
  void shrink_by_seed() {
    constexpr std::int64_t kSmall = 4;
    constexpr std::uint64_t kSeeds = 32;
    const auto& outputs = contract_.tensors->operation.outputs;
    const bool has_positions = std::any_of(outputs.begin(), outputs.end(),
                                           [](const auto& output) { return output.integer; });
    if (best_.data < Recipe::special && !has_positions) return;
    for (const std::string& name : extents()) {
      const std::int64_t end = std::min(tensor::extent(best_, name), kSmall + 1);
      for (std::int64_t size = 1; size < end; ++size) {
        for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
          Case changed = resized({{name, size}});
          changed.seed = seed;
          if (accept(changed)) size = end;
        }
      }
    }
  }

  /// A failure that depends on the elements needs other ones if fewer are left.
  bool try_small_cases() {
    const auto sum = static_cast<std::int64_t>(std::get<0>(measure(best_)));
    for (const SmallCase& small : small_cases(extents().size(), sum, best_.data)) {
      std::vector<std::pair<std::string, std::int64_t>> sizes;
      for (const std::int64_t size : small.sizes) {
        sizes.emplace_back(extents()[sizes.size()], size);
      }
      Case changed = resized(sizes);
      changed.data = small.data;
      changed.seed = small.seed;
      if (accept(changed)) return true;
    }
    return false;
  }

  void shrink_layout() {
    for (const operation::Tensor& tensor : contract_.tensors->tensors) {
      for (const std::string& field : strides(tensor)) shrink_stride(field);
      const std::string offset = contract::offset_field(tensor.name);
      const auto elements = static_cast<std::int64_t>(best_.value(offset).value_or(0.0));
      for (const std::int64_t less : smaller(elements, 0)) {
        if (accept(with(offset, static_cast<double>(less)))) break;
      }
    }
  }

  /// A batch stride keeps its padding if the stride of the rows becomes smaller.
  void shrink_stride(const std::string& field) {
    const std::int64_t tight = tensor::tight_value(contract_, best_, field);
    for (const std::int64_t less : smaller_padding(field)) {
      const Case before = best_;
      Case changed = with(field, static_cast<double>(tight + less));
      for (const operation::Tensor& tensor : contract_.tensors->tensors) {
        for (const std::string& other : strides(tensor)) {
          if (other == field || !before.value(other)) continue;
          changed.set_value(other,
                            static_cast<double>(padding_of(before, other) +
                                                tensor::tight_value(contract_, changed, other)));
        }
      }
      if (accept(changed)) return;
    }
  }

  /// Few values of a huge stride: offsets overflow with nearly the same one, or with none.
  [[nodiscard]] std::vector<std::int64_t> smaller_padding(const std::string& field) const {
    const std::int64_t padding = padding_of(best_, field);
    return padding < kHugeStride ? smaller(padding, 0) : std::vector<std::int64_t>{0, 1, 3};
  }

  /// The case with huge strides that are longer by the factor by which the extent is smaller.
  [[nodiscard]] Case with_same_distance(Case changed, const std::string& extent) const {
    const std::int64_t before = tensor::extent(best_, extent) - 1;
    const std::int64_t after = tensor::extent(changed, extent) - 1;
    for (const operation::Tensor& tensor : contract_.tensors->tensors) {
      for (const std::string& field : strides(tensor)) {
        const std::int64_t stride = tensor::value_of(contract_, best_, field).value_or(0);
        if (stride < kHugeStride || after < 1) continue;
        const std::int64_t longer = (stride * before + after - 1) / after;
        if (longer < kLongestStride) changed.set_value(field, static_cast<double>(longer));
      }
    }
    return changed;
  }

  [[nodiscard]] std::vector<std::string> strides(const operation::Tensor& tensor) const {
    return tensor::strides_taken(contract_, tensor);
  }

  /// Elements beyond the least stride.
  [[nodiscard]] std::int64_t padding_of(const Case& problem, const std::string& field) const {
    const std::int64_t tight = tensor::tight_value(contract_, problem, field);
    return tensor::value_of(contract_, problem, field).value_or(tight) - tight;
  }

  [[nodiscard]] Case with(std::string_view name, double value) const {
    Case changed = best_;
    changed.set_value(name, value);
    return changed;
  }

  void shrink_values() {
    for (const std::string& name : contract_.tensors->operation.scalars) {
      for (const double simpler : std::array{1.0, 2.0}) {
        if (accept(with(name, simpler))) break;
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
  generate::TensorDomain domain_;
  Case best_;
  std::set<std::int64_t> landmarks_;
  std::int64_t attempts_ = 0;
  std::set<std::string> tried_;
};

bool is_extent_of_output(const Contract& contract, std::string_view name) {
  const std::vector<operation::Tensor>& outputs = contract.tensors->operation.outputs;
  return std::any_of(outputs.begin(), outputs.end(), [&](const operation::Tensor& output) {
    return std::any_of(output.shape.begin(), output.shape.end(), [&](const std::string& extent) {
      const auto dimension = operation::parse_dimension(extent);
      return dimension && std::any_of(dimension->terms.begin(), dimension->terms.end(),
                                      [&](const auto& term) { return term.first == name; });
    });
  });
}

class TensorShrinkModel final : public ShrinkModel {
 public:
  Case shrunk(const Contract& contract, const Case& failing, const StillFails& fails,
              const ShrinkLimits& limits) const override {
    return TensorShrinker(contract, failing, fails, limits).shrunk();
  }

  /// One element along an extent of an output, and no terms along the others.
  std::vector<std::optional<DegenerateCase>> degenerate_cases(
      const Contract& contract, const Case& failing, const Case& candidate) const override {
    std::vector<std::optional<DegenerateCase>> cases;
    for (const std::string& name : contract.tensors->operation.extents) {
      cases.emplace_back();
      const bool of_output = is_extent_of_output(contract, name);
      const std::int64_t size = of_output ? 1 : 0;
      if (tensor::extent(candidate, name) != size || tensor::extent(failing, name) == size) {
        continue;
      }
      Case alone = failing;
      alone.set_value(name, static_cast<double>(size));
      tensor::reset_short_strides(contract, alone);
      cases.back() = {normalized(contract, alone), !of_output};
    }
    return cases;
  }
};

}  // namespace

const ShrinkModel& ShrinkModel::of_tensors() {
  static const TensorShrinkModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::shrink
