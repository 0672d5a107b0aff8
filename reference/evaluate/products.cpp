// Sums of products, by Eigen for all lanes of a row at once. Each product and its error are those
// of Arithmetic::multiply(), and are added in the order of the indices, so that the sums equal
// those of the terms one by one, bit for bit.
#include <algorithm>
#include <cmath>
#include <limits>

#include "operation/extent.hpp"
#include "reference/evaluate/row.hpp"
#include "reference/format.hpp"
#include "reference/grid.hpp"
#include "reference/product/product.hpp"

namespace warpcheck::reference {

using operation::Node;
using operation::Op;
using operation::Reduction;

namespace {

/// Eigen computes the rest of a product exactly if factors and products are in this range.
constexpr double kSmallestProduct = 0x1p-900;
constexpr double kLargestProduct = 0x1p900;

/// The lanes 0 to `count` - 1 at which base + slope lane is inside of an extent, all in one range.
struct Lanes {
  std::int64_t first = 0;
  std::int64_t end = 0;

  void clip(std::int64_t base, std::int64_t slope, std::int64_t extent) {
    if (slope == 0) {
      if (base < 0 || base >= extent) end = first;
      return;
    }
    if (slope < 0) {
      base = extent - 1 - base;
      slope = -slope;
    }
    if (base < 0) first = std::max(first, (slope - 1 - base) / slope);
    end = std::max(first, std::min(end, base < extent ? (extent - 1 - base) / slope + 1 : first));
  }
};

/// True for a factor whose products are rounded as those of numbers.
bool is_plain(const Bounded& factor) {
  return factor.is_ordinary() && !factor.is_sum && factor.plus == 0.0 &&
         (factor.value == 0.0 ||
          (std::abs(factor.value) > kSmallestProduct && std::abs(factor.value) < kLargestProduct));
}

/// The totals of all lanes.
class LaneTotals {
 public:
  explicit LaneTotals(std::size_t count) : count_(count), numbers_(7 * count, 0.0) {
    std::fill(column(4), column(6), kInfinity);
  }

  void add(const std::vector<FactorRow>& rows, const ProductRounding& rounding) {
    kernels(widest_vectors())
        .add_products(
            rows.data(), static_cast<std::int64_t>(rows.size()), rounding,
            {column(0), column(1), column(2), column(3), column(4), column(5), column(6)});
  }

  [[nodiscard]] Totals at(std::size_t lane) const {
    return {number(0, lane), number(1, lane), number(2, lane), number(3, lane), number(4, lane)};
  }
  [[nodiscard]] bool is_in_range(std::size_t lane) const {
    return number(5, lane) > kSmallestProduct && largest(lane) < kLargestProduct;
  }
  /// The largest magnitude of a number.
  [[nodiscard]] double largest(std::size_t lane) const { return number(6, lane); }

 private:
  double* column(std::size_t i) { return numbers_.data() + i * count_; }
  [[nodiscard]] double number(std::size_t i, std::size_t lane) const {
    return numbers_[i * count_ + lane];
  }

  std::size_t count_;
  std::vector<double> numbers_;
};

/// The exponent of the step of which all products at a lane are multiples.
int step_of(const std::vector<FactorRow>& rows, std::int64_t lane) {
  int exponent = Grid{}.exponent;
  for (const FactorRow& row : rows) {
    if (lane < row.first || lane >= row.end) continue;
    exponent =
        std::min(exponent, step_exponent(row.factor * row.values[(lane - row.first) * row.stride]));
  }
  return exponent;
}

}  // namespace

std::optional<RowEvaluator::Products> RowEvaluator::products_of(const Node& node) const {
  const Node& term = node.operands.front();
  const bool has_lanes = std::ranges::any_of(
      node.operands, [&](const Node& part) { return &part != &term && depends_on(part, lane_); });
  if (node.reduction != Reduction::sum || term.op != Op::multiply || has_lanes) return {};
  const bool is_right = depends_on(term.operands[1], lane_);
  const Node& factor = term.operands[is_right ? 0 : 1];
  const Node& read = term.operands[is_right ? 1 : 0];
  if (read.op != Op::read || depends_on(factor, lane_)) return {};
  const BoundedTensor& tensor = tensors_.find(read.name)->second;
  const bool integer = node.type == operation::Type::integer;
  const std::optional<ProductRounding> rounding = arithmetic_.product_rounding(integer);
  if (!rounding || !tensor.specials.empty() || !tensor.sums.empty()) return {};
  return Products{&factor, &read, &tensor, *rounding};
}

std::optional<RowEvaluator::Subscript> RowEvaluator::subscript(
    const Node& node, std::string_view index,
    const std::function<Bounded(const Node&)>& constant) const {
  if (node.op == Op::name && node.name == lane_) return Subscript{0, 0, 1};
  if (node.op == Op::name && node.name == index) return Subscript{0, 1, 0};
  if (!depends_on(node, lane_) && !depends_on(node, index)) {
    const Bounded value = constant(node);
    constexpr double kMost = 0x1p40;
    if (!value.is_ordinary() || value.error != 0.0 || std::abs(value.value) > kMost) return {};
    return Subscript{static_cast<std::int64_t>(value.value), 0, 0};
  }
  if (node.op != Op::add && node.op != Op::subtract) return {};
  const auto x = subscript(node.operands[0], index, constant);
  const auto y = subscript(node.operands[1], index, constant);
  if (!x || !y) return {};
  const std::int64_t sign = node.op == Op::add ? 1 : -1;
  return Subscript{x->base + sign * y->base, x->per_term + sign * y->per_term,
                   x->per_lane + sign * y->per_lane};
}

std::optional<Row> RowEvaluator::row_of_slice(const Node& node) {
  const BoundedTensor& tensor = tensors_.find(node.name)->second;
  const auto count = static_cast<std::int64_t>(count_);
  Lanes lanes{0, count};
  std::int64_t offset = 0;
  std::int64_t stride = 0;
  bool varies = false;
  for (std::size_t i = 0; i < tensor.extents.size(); ++i) {
    const auto at =
        subscript(node.operands[i], "", [this](const Node& part) { return row_of(part).at(0); });
    if (!at) return {};
    lanes.clip(at->base, at->per_lane, tensor.extents[i]);
    offset = offset * tensor.extents[i] + at->base;
    stride = stride * tensor.extents[i] + at->per_lane;
    varies = varies || at->per_lane != 0;
  }
  const bool is_inside = lanes.first == 0 && lanes.end == count;
  if (!is_inside && !node.guarded) return {};
  Row row(varies ? count_ : 1);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto lane = static_cast<std::int64_t>(i);
    if (lane >= lanes.first && lane < lanes.end) {
      row[i] = tensor.at(static_cast<std::size_t>(offset + stride * lane));
    } else {
      row[i].value = node.number;
    }
  }
  return row;
}

bool RowEvaluator::append_product(const Bounded& factor, const std::vector<Subscript>& subscripts,
                                  std::int64_t term, Products& products) const {
  const auto count = static_cast<std::int64_t>(count_);
  const std::vector<std::int64_t>& extents = products.tensor->extents;
  Lanes lanes{0, count};
  std::int64_t offset = 0;
  std::int64_t stride = 0;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    const Subscript& at = subscripts[i];
    const std::int64_t base = at.base + at.per_term * term;
    lanes.clip(base, at.per_lane, extents[i]);
    offset = offset * extents[i] + base;
    stride = stride * extents[i] + at.per_lane;
  }
  const bool is_inside = lanes.first == 0 && lanes.end == count;
  if (!is_inside && (!products.read->guarded || products.read->number != 0.0)) return false;
  if (lanes.first >= lanes.end) return true;
  offset += lanes.first * stride;
  const BoundedTensor& tensor = *products.tensor;
  if (factor.is_weight || !tensor.weights.empty()) {
    products.unweighted += std::max(1.0, std::abs(factor.value) + factor.error);
  }
  products.rows.push_back({factor.value, factor.error, tensor.values.data() + offset,
                           tensor.errors.empty() ? nullptr : tensor.errors.data() + offset, stride,
                           lanes.first, lanes.end});
  return true;
}

bool RowEvaluator::collect_products(const Node& node, std::size_t depth, Products& products) {
  const std::string& index = node.indices[depth];
  const auto count = static_cast<std::int64_t>(extent(node.extents[depth]));
  if (count == 0) return true;
  if (depth + 1 < node.indices.size()) {
    bool is_possible = true;
    for (std::int64_t i = 0; i < count && is_possible; ++i) {
      indices_[index] = i;
      is_possible = collect_products(node, depth + 1, products);
    }
    indices_.erase(index);
    return is_possible;
  }
  const Row condition = node.operands.size() > 1 ? evaluate(node.operands.back(), index, count)
                                                 : Row(Bounded{1.0, 0.0});
  std::vector<Subscript> subscripts;
  for (const Node& operand : products.read->operands) {
    const auto one = subscript(operand, index, [&](const Node& part) {
      return evaluate(part, index, count, &condition).at(0);
    });
    if (!one) return false;
    subscripts.push_back(*one);
  }
  const Row factors = evaluate(*products.factor, index, count, &condition);
  for (std::int64_t i = 0; i < count; ++i) {
    const Bounded& holds = condition.at(static_cast<std::size_t>(i));
    if (holds.error == 0.0 && holds.value == 0.0) continue;
    const Bounded& factor = factors.at(static_cast<std::size_t>(i));
    if (holds.error != 0.0 || !is_plain(factor)) return false;
    if (!append_product(factor, subscripts, i, products)) return false;
  }
  return true;
}

std::optional<Row> RowEvaluator::row_of_products(const Node& node) {
  constexpr std::size_t kFewestLanes = 4;  // the number from which Eigen is faster
  if (count_ < kFewestLanes || is_masked_everywhere()) return {};
  std::optional<Products> products = products_of(node);
  if (!products || !collect_products(node, 0, *products)) return {};
  return sums_of_products(node, *products);
}

/// Sums of which Eigen's totals do not suffice are those of their terms; all sums, if these are
/// many.
std::optional<Row> RowEvaluator::sums_of_products(const Node& node, const Products& products) {
  const bool integer = node.type == operation::Type::integer;
  LaneTotals totals(count_);
  totals.add(products.rows, products.rounding);
  const auto suffice = [&](std::size_t lane) {
    const Totals all = totals.at(lane);
    const double unweighted = products.unweighted * std::max(1.0, totals.largest(lane));
    return totals.is_in_range(lane) && arithmetic_.is_ordinary_sum(all, {unweighted, unweighted}) &&
           !(integer && all.error != 0.0);
  };
  std::size_t special = 0;
  for (std::size_t i = 0; i < count_; ++i) special += suffice(i) ? 0 : 1;
  if (4 * special > count_) return {};
  const std::string lane = lane_;
  Row row(count_);
  for (std::size_t i = 0; i < count_; ++i) {
    indices_[lane] = static_cast<std::int64_t>(i);
    const Totals all = totals.at(i);
    if (!suffice(i)) {
      row[i] = reduction_of_lane(node, is_masked(i));
    } else if (integer) {
      row[i] = {all.value, 0.0};
    } else {
      const int exponent =
          all.error == 0.0 ? step_of(products.rows, static_cast<std::int64_t>(i)) : Grid{}.exponent;
      row[i] = with_factor_outside(node, arithmetic_.ordinary_sum(all, exponent));
    }
  }
  indices_.erase(lane);
  return row;
}

}  // namespace warpcheck::reference
