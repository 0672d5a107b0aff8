#include "campaign/generate/data/tensor_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/hash.hpp"
#include "campaign/case/structures.hpp"
#include "campaign/case/tensor_case.hpp"
#include "campaign/generate/data/random_bits.hpp"
#include "campaign/generate/data/ranged_data.hpp"
#include "campaign/generate/data/ranges.hpp"
#include "campaign/generate/data/structure.hpp"
#include "reference/evaluate/evaluate.hpp"
#include "reference/format.hpp"

namespace warpcheck::campaign::generate {
namespace {

using namespace random_bits;
using operation::Tensor;
using tensor::can_have;
using tensor::is_ranged;
using tensor::may_be_special;

constexpr std::int64_t kSpecialRowPeriod = 16;
// One of four tensors of one row has special values: all outputs may depend on them.
constexpr std::uint64_t kSpecialRows = 4;
constexpr std::int64_t kPositions = 8;  // integers that are no index are 0 to 7

/// Returns at least 1, although a case with positions along an extent of 0 has no layout.
std::int64_t positions(const contract::TypedOperation& operation, const Case& problem,
                       const Tensor& tensor) {
  const auto extent = tensor::indexed_extent(operation, tensor);
  return extent ? std::max<std::int64_t>(tensor::extent(problem, *extent), 1) : kPositions;
}

/// A special value that the input may hold: NaN, an infinity or the largest number.
double special_value(std::uint64_t bits, const Tensor& tensor, ScalarType type, bool may_overflow) {
  std::vector<double> values;
  if (tensor.nan) values.push_back(std::numeric_limits<double>::quiet_NaN());
  if (tensor.nan || has_infinity(type)) values.insert(values.end(), {HUGE_VAL, -HUGE_VAL});
  if (may_overflow || values.empty()) values.push_back(reference::format(type).largest);
  return values[bits % values.size()];
}

/// True if the tensor consists of several matrices along its first dimension.
bool has_slices(const Case& problem, const Tensor& tensor) {
  return tensor.shape.size() > 2 && tensor::extent(problem, tensor.shape.front()) > 1;
}

/// The part of one input in the special values of a case.
struct SpecialShare {
  // Number among the inputs that have special values in different slices; 0 for an input without
  // slices. -1: the input has no special values.
  std::int64_t number = -1;
  std::int64_t inputs = 1;
};

/// Each input with slices has special values, in slices of its own, and one of the others, which
/// the seed chooses among all inputs.
SpecialShare special_share(const std::vector<Tensor>& inputs, const Case& problem,
                           const Tensor& tensor) {
  std::vector<const Tensor*> possible;
  for (const Tensor& input : inputs) {
    if (may_be_special(input)) possible.push_back(&input);
  }
  if (possible.empty()) return {};
  const Tensor& chosen = *possible[problem.seed % possible.size()];
  if (!has_slices(problem, tensor)) return {chosen.name == tensor.name ? 0 : -1, 1};
  std::erase_if(possible, [&](const Tensor* input) { return !has_slices(problem, *input); });
  const auto found = std::find_if(possible.begin(), possible.end(),
                                  [&](const Tensor* input) { return input->name == tensor.name; });
  const auto number = found == possible.end() ? -1 : found - possible.begin();
  return {number, std::ssize(possible)};
}

/// The number of rows of a tensor, and of elements of one.
std::pair<std::int64_t, std::int64_t> rows_and_columns(const reference::TensorData& data) {
  std::int64_t rows = 1;
  for (std::size_t i = 0; i + 1 < data.extents.size(); ++i) rows *= data.extents[i];
  return {rows, data.extents.empty() ? 1 : data.extents.back()};
}

/// Returns true if the structure of the case is one of this input: of one that the seed chooses
/// among those that can have it, and of one in four of the others. Each ranged input is crowded.
bool has_structure(const contract::TypedOperation& operation, const Case& problem,
                   const Tensor& tensor) {
  std::vector<const Tensor*> possible;
  for (const Tensor& input : operation.operation.inputs) {
    const ScalarType type = operation.types.find(input.name)->second;
    if (can_have(problem.data, input, type, !operation.terms)) possible.push_back(&input);
  }
  const auto is_tensor = [&](const Tensor* input) { return input->name == tensor.name; };
  if (std::none_of(possible.begin(), possible.end(), is_tensor)) return false;
  return problem.data == Recipe::crowded || is_tensor(possible[problem.seed % possible.size()]) ||
         mixed(~problem.seed, tensor.name) % 4 == 0;
}

/// Makes the elements of one tensor.
class Elements {
 public:
  Elements(const contract::TypedOperation& operation, const Case& problem, const Tensor& tensor)
      : problem_(problem),
        tensor_(tensor),
        type_(operation.types.find(tensor.name)->second),
        key_(mixed(problem.seed, tensor.name)),
        may_overflow_(!operation.terms),
        spread_(std::min(12, static_cast<int>(std::log2(reference::format(type_).largest)) / 4)) {
    const bool is_structured = has_structure(operation, problem, tensor);
    if (is_ranged(tensor)) {
      const auto [low, high] = integer_limits(operation, problem, tensor);
      ranged_.emplace(tensor, low, high, key_, is_structured);
    } else if (is_structured) {
      structure_.emplace(problem.data, type_, key_, StructureLimits{may_be_special(tensor)});
    }
    const bool has_slices = generate::has_slices(problem, tensor);
    for (std::size_t i = has_slices ? 1 : 0; i + 1 < tensor.shape.size(); ++i) {
      rows_of_slice_ *= tensor::extent(problem, tensor.shape[i]);
    }
    rows_of_slice_ = std::max<std::int64_t>(rows_of_slice_, 1);
    if (problem.data != Recipe::special) return;
    special_ = special_share(operation.operation.inputs, problem, tensor);
    slice_period_ = has_slices ? special_.inputs + 1 : 1;
    const bool is_one_row = rows_of_slice_ == 1 && !has_slices;
    if (is_one_row && finalized(key_) % kSpecialRows != 0) special_.number = -1;
  }

  reference::TensorData all() const {
    reference::TensorData data;
    for (const std::string& name : tensor_.shape) {
      data.extents.push_back(tensor::extent(problem_, name));
    }
    const auto [rows, columns] = rows_and_columns(data);
    data.values.reserve(static_cast<std::size_t>(rows * columns));
    for (std::int64_t row = 0; row < rows; ++row) {
      ElementPlace place{row, 0, columns, finalized(at(key_, row))};
      for (; place.column < columns; ++place.column) {
        data.values.push_back(reference::round_to(type_, value(place)));
      }
      const std::span row_values = std::span(data.values).last(static_cast<std::size_t>(columns));
      if (structure_) structure_->order(place.row_bits, row_values);
      if (tensor_.sorted) std::sort(row_values.begin(), row_values.end());
    }
    return data;
  }

 private:
  double value(const ElementPlace& place) const {
    const std::uint64_t bits = at(place.row_bits, place.column);
    if (ranged_) return ranged_->element(place, bits);
    if (structure_) {
      const bool is_lattice = problem_.seed % 2 == 0;
      return structure_->element(place, bits,
                                 is_lattice ? lattice(bits) : unit(type_) * normal(bits));
    }
    switch (problem_.data) {
      case Recipe::special:
        return is_special(place) ? special_value(bits, tensor_, type_, may_overflow_)
                                 : lattice(bits);
      case Recipe::lattice:
        return lattice(bits);
      case Recipe::wide:
        if (!may_overflow_) break;
        return significand(bits) * two_to_the(exponent(finalized(bits), spread(place.row_bits)));
      default:
        break;
    }
    return unit(type_) * normal(bits);
  }

  bool is_special(const ElementPlace& place) const {
    return is_special_row(place.row) &&
           special_position(place.row_bits, place.columns) == place.column;
  }

  /// An output may depend on all rows of an image, or of the matrix of an expert: some have no
  /// special value. The others have one in the last row, or in each 16 rows.
  [[nodiscard]] bool is_special_row(std::int64_t row) const {
    if (special_.number < 0) return false;
    const std::int64_t slice = row / rows_of_slice_;
    const auto first = static_cast<std::int64_t>(problem_.seed >> 4U & 0xff);
    if ((slice + first) % slice_period_ != special_.number % slice_period_) return false;
    const std::int64_t in_slice = row % rows_of_slice_;
    const std::uint64_t bits = finalized(at(finalized(key_), slice));
    const std::int64_t period = std::min(kSpecialRowPeriod, rows_of_slice_);
    return is_last(bits) ? in_slice == rows_of_slice_ - 1
                         : in_slice % period == below(finalized(bits), period);
  }

  /// The position of one of `count` elements.
  static std::int64_t special_position(std::uint64_t bits, std::int64_t count) {
    return is_last(bits) ? count - 1 : below(finalized(bits), count);
  }

  /// Padding is at the end.
  static bool is_last(std::uint64_t bits) { return (bits >> 32U & 3U) != 0; }

  /// Returns a number from 1 to the largest spread. If a row has large exponents, a softmax may
  /// depend on its largest element alone.
  [[nodiscard]] int spread(std::uint64_t row_values) const {
    return 1 + static_cast<int>(below(finalized(row_values), spread_));
  }

  static double lattice(std::uint64_t bits) {
    return with_sign(bits, static_cast<double>(1 + ((bits >> 1) & 3)));
  }

  const Case& problem_;
  const Tensor& tensor_;
  ScalarType type_;
  std::uint64_t key_;
  std::optional<RangedData> ranged_;
  std::optional<Structure> structure_;
  std::int64_t rows_of_slice_ = 1;  // rows of one slice; all rows if there are no slices
  SpecialShare special_;
  std::int64_t slice_period_ = 1;
  bool may_overflow_;  // the reference bounds the errors of numbers that overflow inside
  int spread_;
};

}  // namespace

reference::TensorProblem tensor_problem(const contract::Contract& contract, const Case& problem,
                                        TensorValues inputs) {
  const contract::TypedOperation& typed = *contract.tensors;
  reference::TensorProblem tensors;
  tensors.operation = &typed.operation;
  for (const std::string& name : typed.operation.extents) {
    tensors.extents[name] = tensor::extent(problem, name);
  }
  tensors.inputs = std::move(inputs);
  for (const std::string& scalar : typed.operation.scalars) {
    tensors.scalars[scalar] = problem.value(scalar).value_or(1.0);
  }
  tensors.types = typed.types;
  tensors.types.insert(typed.intermediate_types.begin(), typed.intermediate_types.end());
  tensors.accumulate = contract.accumulate;
  tensors.fast_math = contract.fast_math;
  tensors.tensor_cores = contract.tensor_cores;
  tensors.host = typed.host.get();
  if (typed.terms) {
    const auto extent_of = [&](std::string_view name) { return tensor::extent(problem, name); };
    const std::int64_t terms = typed.terms->evaluate({extent_of, {}}).value_or(0);
    tensors.terms = static_cast<double>(std::max<std::int64_t>(terms, 0));
  }
  tensors.products = typed.products;
  return tensors;
}

std::pair<double, double> integer_limits(const contract::TypedOperation& operation,
                                         const Case& problem, const Tensor& tensor) {
  if (tensor.range) {
    return {tensor::limit_value(problem, tensor.range->first),
            tensor::limit_value(problem, tensor.range->second)};
  }
  return {0.0, static_cast<double>(positions(operation, problem, tensor) - 1)};
}

bool has_values(const contract::Contract& contract, const Case& problem) {
  try {
    (void)reference::evaluate(
        tensor_problem(contract, problem, tensor_values(*contract.tensors, problem)));
    return true;
  } catch (const InputError&) {
    return false;
  }
}

TensorValues tensor_values(const contract::TypedOperation& operation, const Case& problem) {
  TensorValues values;
  const std::vector<Tensor>& inputs = operation.operation.inputs;
  for (const Tensor& input : inputs) {
    values[input.name] = Elements(operation, problem, input).all();
  }
  return values;
}

}  // namespace warpcheck::campaign::generate
