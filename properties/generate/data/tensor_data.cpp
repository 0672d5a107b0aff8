#include "properties/generate/data/tensor_data.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/hash.hpp"
#include "properties/case/tensor_case.hpp"
#include "properties/generate/data/random_bits.hpp"
#include "properties/generate/data/ranges.hpp"
#include "reference/format.hpp"

namespace warpcheck::properties::generate {
namespace {

using namespace random_bits;
using operation::Tensor;

constexpr std::int64_t kSpecialRowPeriod = 16;
constexpr std::uint64_t kSpecialRows = 4;  // one of so many tensors of one row: all outputs may
                                           // depend on it
constexpr std::int64_t kPositions = 8;     // of integers that are no index

/// At least 1, although a case with positions along an extent of 0 has no layout.
std::int64_t positions(const contract::TypedOperation& operation, const Case& problem,
                       const Tensor& tensor) {
  const auto extent = tensor::indexed_extent(operation, tensor);
  return extent ? std::max<std::int64_t>(tensor::extent(problem, *extent), 1) : kPositions;
}

/// Without `may_overflow`, NaN or an infinity.
double special_value(std::uint64_t bits, ScalarType type, bool may_overflow) {
  const double values[] = {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -HUGE_VAL,
                           reference::format(type).largest};
  return values[bits % (may_overflow ? 4 : 3)];
}

/// True if elements of the input may be NaN or infinite.
bool may_be_special(const Tensor& tensor) {
  return !tensor.finite && !tensor.sorted && !tensor.integer && !tensor.range;
}

/// True if the tensor consists of several matrices along its first dimension.
bool has_slices(const Case& problem, const Tensor& tensor) {
  return tensor.shape.size() > 2 && tensor::extent(problem, tensor.shape.front()) > 1;
}

/// The part of one input in the special values of a case.
struct SpecialShare {
  std::int64_t number = -1;  // among `inputs` that have special values in different slices, or 0
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

/// Makes the elements of one tensor.
class Elements {
 public:
  Elements(const contract::TypedOperation& operation, const Case& problem, const Tensor& tensor)
      : problem_(problem),
        tensor_(tensor),
        type_(operation.types.find(tensor.name)->second),
        key_(mixed(problem.seed, tensor.name)),
        positions_(tensor.integer ? positions(operation, problem, tensor) : 0),
        may_overflow_(!operation.terms),
        spread_(std::min(12, static_cast<int>(std::log2(reference::format(type_).largest)) / 4)) {
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
    std::int64_t rows = 1;
    for (std::size_t i = 0; i < tensor_.shape.size(); ++i) {
      data.extents.push_back(tensor::extent(problem_, tensor_.shape[i]));
      if (i + 1 < tensor_.shape.size()) rows *= data.extents.back();
    }
    const std::int64_t columns = data.extents.empty() ? 1 : data.extents.back();
    data.values.reserve(static_cast<std::size_t>(rows * columns));
    for (std::int64_t row = 0; row < rows; ++row) {
      const std::uint64_t of_row = finalized(at(key_, row));
      for (std::int64_t column = 0; column < columns; ++column) {
        data.values.push_back(reference::round_to(type_, value(row, column, columns, of_row)));
      }
      if (tensor_.sorted) std::sort(data.values.end() - columns, data.values.end());
    }
    return data;
  }

 private:
  double value(std::int64_t row, std::int64_t column, std::int64_t columns,
               std::uint64_t of_row) const {
    const std::uint64_t bits = at(of_row, column);
    if (tensor_.range) return in_range(bits);
    if (tensor_.integer) return static_cast<double>(below(bits, positions_));
    switch (problem_.data) {
      case Recipe::special: {
        const bool is_special = is_special_row(row) && special_position(of_row, columns) == column;
        return is_special ? special_value(bits, type_, may_overflow_) : lattice(bits);
      }
      case Recipe::lattice:
        return lattice(bits);
      case Recipe::wide:
        if (!may_overflow_) break;
        return significand(bits) * two_to_the(exponent(finalized(bits), spread(of_row)));
      default:
        break;
    }
    return unit(type_) * normal(bits);
  }

  /// A limit of the range one time in four.
  double in_range(std::uint64_t bits) const {
    const double low = tensor::limit_value(problem_, tensor_.range->first);
    const double high = std::max(low, tensor::limit_value(problem_, tensor_.range->second));
    const std::uint64_t more = finalized(bits);
    if (bits % 8 == 0) return low;
    if (bits % 8 == 1) return high;
    if (tensor_.integer) {
      return low + static_cast<double>(below(more, static_cast<std::int64_t>(high - low) + 1));
    }
    return low + (high - low) * static_cast<double>(more >> 11) * 0x1p-53;
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

  /// Between 1 and the largest one. In a row of large exponents, the largest element may be all
  /// that a softmax depends on.
  [[nodiscard]] int spread(std::uint64_t of_row) const {
    return 1 + static_cast<int>(below(finalized(of_row), spread_));
  }

  static double lattice(std::uint64_t bits) {
    return with_sign(bits, static_cast<double>(1 + ((bits >> 1) & 3)));
  }

  const Case& problem_;
  const Tensor& tensor_;
  ScalarType type_;
  std::uint64_t key_;
  std::int64_t positions_;
  std::int64_t rows_of_slice_ = 1;  // without slices: all rows
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

TensorValues tensor_values(const contract::TypedOperation& operation, const Case& problem) {
  TensorValues values;
  const std::vector<Tensor>& inputs = operation.operation.inputs;
  for (const Tensor& input : inputs) {
    values[input.name] = Elements(operation, problem, input).all();
  }
  return values;
}

}  // namespace warpcheck::properties::generate
