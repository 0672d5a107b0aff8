#include "reference/evaluate/changed_reads.hpp"

#include <algorithm>
#include <cmath>

#include "operation/extent.hpp"
#include "reference/format.hpp"

namespace warpcheck::reference {
namespace {

using operation::Node;
using operation::Op;

constexpr Interval kAny{-kInfinity, kInfinity};

bool is_bounded(const Interval& values) {
  return values.low > -kInfinity && values.high < kInfinity;
}

Interval product(const Interval& x, const Interval& y) {
  const auto [low, high] =
      std::minmax({x.low * y.low, x.low * y.high, x.high * y.low, x.high * y.high});
  return {low, high};
}

Interval quotient(Op op, const Interval& x, const Interval& y) {
  if (!y.is_single() || y.low <= 0.0) return kAny;
  const Interval floors{std::floor(x.low / y.low), std::floor(x.high / y.low)};
  if (op == Op::floor_divide) return floors;
  if (!floors.is_single()) return {0.0, y.low};
  return {x.low - floors.low * y.low, x.high - floors.low * y.low};
}

}  // namespace

void ChangedElements::add(const std::string& tensor, const std::vector<std::int64_t>& extents,
                          std::size_t element) {
  const auto [found, is_new] = boxes_.try_emplace(tensor, Box(extents.size()));
  auto rest = static_cast<std::int64_t>(element);
  for (std::size_t i = extents.size(); i-- > 0; rest /= extents[i]) {
    const auto index = static_cast<double>(rest % extents[i]);
    Interval& values = found->second[i];
    values = is_new ? Interval{index, index}
                    : Interval{std::min(values.low, index), std::max(values.high, index)};
  }
}

const ChangedElements::Box* ChangedElements::find(std::string_view tensor) const {
  const auto found = boxes_.find(tensor);
  return found == boxes_.end() ? nullptr : &found->second;
}

bool ChangedReads::may_occur_in(const Node& node) {
  if (node.op == Op::read) {
    const ChangedElements::Box* const box = changed_.find(node.name);
    if (box != nullptr && may_read(node, *box)) return true;
  }
  const std::size_t outer = names_.size();
  for (std::size_t i = 0; i < node.indices.size(); ++i) {
    const double extent =
        static_cast<double>(operation::extent_value(node.extents[i], [&](std::string_view name) {
          return static_cast<std::int64_t>(numbers_.find(name)->second);
        }));
    set_index(node.indices[i], {0.0, extent - 1.0});
  }
  const bool occurs = std::any_of(node.operands.begin(), node.operands.end(),
                                  [&](const Node& operand) { return may_occur_in(operand); });
  names_.resize(outer);
  return occurs;
}

bool ChangedReads::may_read(const Node& read, const ChangedElements::Box& box) const {
  for (std::size_t i = 0; i < box.size(); ++i) {
    const Interval index = values_of(read.operands[i]);
    if (index.high < box[i].low || index.low > box[i].high) return false;
  }
  return true;
}

Interval ChangedReads::values_of(const Node& node) const {
  switch (node.op) {
    case Op::number:
      return {node.number, node.number};
    case Op::name:
      return values_of_name(node.name);
    case Op::read:
      return values_of_read(node);
    case Op::negate:
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::floor_divide:
    case Op::modulo:
      break;
    default:
      return kAny;
  }
  const Interval x = values_of(node.operands[0]);
  if (node.op == Op::negate) return {-x.high, -x.low};
  const Interval y = values_of(node.operands[1]);
  if (!is_bounded(x) || !is_bounded(y)) return kAny;
  if (node.op == Op::add) return {x.low + y.low, x.high + y.high};
  if (node.op == Op::subtract) return {x.low - y.high, x.high - y.low};
  return node.op == Op::multiply ? product(x, y) : quotient(node.op, x, y);
}

Interval ChangedReads::values_of_name(std::string_view name) const {
  const auto index = std::find_if(names_.rbegin(), names_.rend(),
                                  [&](const auto& entry) { return entry.first == name; });
  if (index != names_.rend()) return index->second;
  const double number = numbers_.find(name)->second;
  return {number, number};
}

/// The value of a certain element; of others any.
Interval ChangedReads::values_of_read(const Node& read) const {
  const BoundedTensor& tensor = tensors_.find(read.name)->second;
  std::size_t element = 0;
  for (std::size_t i = 0; i < read.operands.size(); ++i) {
    const Interval index = values_of(read.operands[i]);
    const auto extent = static_cast<double>(tensor.extents[i]);
    if (!index.is_single() || !(index.low >= 0.0 && index.low < extent)) return kAny;
    element =
        element * static_cast<std::size_t>(tensor.extents[i]) + static_cast<std::size_t>(index.low);
  }
  const double value = tensor.values[element];
  const bool is_certain = tensor.errors.empty() || tensor.errors[element] == 0.0;
  return is_certain && std::isfinite(value) ? Interval{value, value} : kAny;
}

}  // namespace warpcheck::reference
