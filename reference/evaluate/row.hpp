// Evaluates an expression for all values of one index at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "operation/operation.hpp"
#include "reference/evaluate/arithmetic.hpp"

namespace warpcheck::reference {

/// A tensor whose elements are known, with the error of each; no errors: all are exact.
struct BoundedTensor {
  std::vector<std::int64_t> extents;
  std::vector<double> values;
  std::vector<double> errors;
  std::vector<Specials> specials = {};  // empty: none
  std::vector<Bounded> sums = {};       // the elements that are sums; empty: none
  std::vector<bool> weights = {};       // the elements with an exponential factor; empty: none

  [[nodiscard]] Bounded at(std::size_t element) const {
    if (!sums.empty() && sums[element].is_joinable()) return sums[element];
    Bounded found{values[element], errors.empty() ? 0.0 : errors[element],
                  specials.empty() ? Specials{0} : specials[element]};
    found.is_weight = !weights.empty() && weights[element];
    return found;
  }
  /// Sets an element of a tensor with errors.
  void set(std::size_t element, const Bounded& value);
};

/// The values of an expression along one index. One element: it does not depend on the index.
class Row {
 public:
  explicit Row(const Bounded& single) : single_(single) {}
  explicit Row(std::size_t count) : elements_(count == 1 ? 0 : count) {}

  [[nodiscard]] std::size_t size() const { return elements_.empty() ? 1 : elements_.size(); }
  [[nodiscard]] const Bounded& at(std::size_t position) const {
    return elements_.empty() ? single_ : elements_[position];
  }
  [[nodiscard]] Bounded& operator[](std::size_t position) {
    return elements_.empty() ? single_ : elements_[position];
  }

 private:
  Bounded single_;  // avoids an allocation, which most nodes of an expression do not need
  std::vector<Bounded> elements_;
};

/// True if the value of `node` may depend on this index.
[[nodiscard]] bool depends_on(const operation::Node& node, std::string_view name);

class RowEvaluator {
 public:
  using Tensors = std::map<std::string, BoundedTensor, std::less<>>;
  using Numbers = std::map<std::string, double, std::less<>>;

  /// The references must outlive the evaluator. `numbers` are the extents and scalars.
  RowEvaluator(const operation::Operation& operation, const Tensors& tensors,
               const Numbers& numbers, const Arithmetic& arithmetic)
      : operation_(operation), tensors_(tensors), numbers_(numbers), arithmetic_(arithmetic) {}

  /// Keeps the correct positions of this reduction, argmax or a relative, in the order of the
  /// lanes.
  void record_positions(const operation::Node& node) { recorded_ = &node; }
  [[nodiscard]] const std::vector<std::vector<double>>& positions() const {
    return recorded_positions_;
  }

  void set_index(const std::string& name, std::int64_t value) { indices_[name] = value; }

  /// Evaluates `node` for the values 0 to `count` - 1 of the index `lane`; for one element, if
  /// `lane` is empty. All other indices are set. Throws InputError for a read outside of a tensor,
  /// unless `condition` is certainly false there.
  [[nodiscard]] Row evaluate(const operation::Node& node, const std::string& lane,
                             std::int64_t count, const Row* condition = nullptr);

 private:
  [[nodiscard]] Row row_of(const operation::Node& node);
  [[nodiscard]] Row row_of_name(const std::string& name) const;
  [[nodiscard]] Row row_of_read(const operation::Node& node);
  [[nodiscard]] Row row_of_operands(const operation::Node& node);
  [[nodiscard]] Row row_of_reduction(const operation::Node& node);
  [[nodiscard]] double extent(const std::string& name) const;
  struct CollectedTerms {
    std::vector<double> values;
    std::vector<double> errors;
    std::vector<Specials> specials;  // empty: none
    std::vector<double> positions;   // values of the last index, for argmax and its relatives
    NestedSums nested;
    UnweightedSums unweighted;

    void append(operation::Reduction reduction, const Bounded& term, const Bounded& condition,
                double position);
  };
  /// Appends the terms of a reduction, for all values of its indices from `depth` on.
  void collect(const operation::Node& node, std::size_t depth, CollectedTerms& terms);
  /// The same for each value of the current lane, which the reduction depends on.
  void collect_lanes(const operation::Node& node, std::size_t depth,
                     std::vector<CollectedTerms>& terms);
  /// The condition of a reduction at each lane, false where the lane has no effect.
  [[nodiscard]] Row condition_of_lanes(const operation::Node& node);
  /// The reduction at the current indices; that of no terms if it is masked.
  [[nodiscard]] Bounded reduction_of_lane(const operation::Node& node, bool is_masked);

  /// A dimension of a read: base + per_term i + per_lane j for the last index i of a sum.
  struct Subscript {
    std::int64_t base = 0;
    std::int64_t per_term = 0;
    std::int64_t per_lane = 0;
  };
  /// A sum of products of a factor that does not depend on the lane with a read that does.
  struct Products {
    const operation::Node* factor;
    const operation::Node* read;
    const BoundedTensor* tensor;
    ProductRounding rounding;
    std::vector<FactorRow> rows = {};  // one for each product
    double unweighted = 0.0;           // the factors of weights, or of numbers that are weights
  };
  /// Evaluates such a sum for all lanes at once, by Eigen; null: it is none, or it may have special
  /// values at each lane.
  [[nodiscard]] std::optional<Row> row_of_products(const operation::Node& node);
  [[nodiscard]] std::optional<Products> products_of(const operation::Node& node) const;
  /// Appends the products for all values of the indices from `depth` on; false: see above.
  [[nodiscard]] bool collect_products(const operation::Node& node, std::size_t depth,
                                      Products& products);
  /// The subscript of a lane and of the last index of a sum; `constant` evaluates what depends on
  /// neither. Null: it is no sum of these, or it is uncertain.
  [[nodiscard]] std::optional<Subscript> subscript(
      const operation::Node& node, std::string_view index,
      const std::function<Bounded(const operation::Node&)>& constant) const;
  /// A read whose lanes are a constant distance apart; null: it is none, or not all inside.
  [[nodiscard]] std::optional<Row> row_of_slice(const operation::Node& node);
  /// Appends the product number `term`; the read has these subscripts.
  [[nodiscard]] bool append_product(const Bounded& factor, const std::vector<Subscript>& subscripts,
                                    std::int64_t term, Products& products) const;
  [[nodiscard]] std::optional<Row> sums_of_products(const operation::Node& node,
                                                    const Products& products);

  [[nodiscard]] Bounded reduce(const operation::Node& node, const CollectedTerms& terms);
  /// The sum, where a kernel may multiply it by a factor of its terms.
  [[nodiscard]] Bounded with_factor_outside(const operation::Node& node, const Bounded& sum);
  /// The product of the factors of the terms of a sum that do not depend on its indices.
  [[nodiscard]] Bounded factor_outside(const operation::Node& sum);
  /// Reduces argmax and its relatives.
  [[nodiscard]] Bounded position(const operation::Node& node, const Terms& terms,
                                 std::span<const double> positions);
  /// True if the value at this lane has no effect.
  [[nodiscard]] bool is_masked(std::size_t lane) const;
  /// True if no lane has an effect.
  [[nodiscard]] bool is_masked_everywhere() const;
  [[noreturn]] void fail_outside(const operation::Node& node, const std::vector<Row>& indices,
                                 std::size_t lane, const BoundedTensor& tensor) const;

  const operation::Operation& operation_;
  const Tensors& tensors_;
  const Numbers& numbers_;
  const Arithmetic& arithmetic_;
  std::map<std::string, std::int64_t, std::less<>> indices_;
  std::string lane_;
  std::size_t count_ = 1;
  const Row* condition_ = nullptr;
  const operation::Node* recorded_ = nullptr;
  std::vector<std::vector<double>> recorded_positions_;
};

}  // namespace warpcheck::reference
