// The operands of an operation, and the fields of its cases that describe each.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/scalar_type.hpp"
#include "campaign/case/case.hpp"
#include "campaign/case/memory_order.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

struct OperandFields {
  /// The elements from one index of a dimension to the next.
  struct Stride {
    std::string name;   // the name in expressions: "ldd", "stride_x"
    std::string field;  // the field of a case; C and D of a product share one
    FieldKind kind = FieldKind::leading_dimension;
    std::size_t within = 0;  // dimensions within one step: the last ones
    bool is_taken = false;   // false: the kernel does not take it, so that it is tight
  };

  std::string name;      // "A", "x"
  std::string argument;  // its name in expressions: "a", "x"
  ScalarType type = ScalarType::f32;
  std::vector<std::string> shape;          // extents, the slowest first; the last one is of columns
  std::vector<Stride> strides = {};        // the shortest one first, unless the order differs
  std::string offset;                      // the field of the offset
  std::string size_field;                  // the field at which an error about the size is located
  std::optional<contract::Layout> layout;  // the layout of a matrix, unless it is transposed
  std::string transposition;               // the field that exchanges rows and columns; or empty
  std::string order;                       // the field of the order in memory
  MemoryOrders orders = {};                // those that it may choose, if there are several
  bool is_taken = true;                    // false: no argument of the kernel
  bool is_output = false;

  /// Returns true if the strides step along each dimension, also along a line.
  [[nodiscard]] bool strides_each_dimension() const {
    return !strides.empty() && strides.front().within == 0;
  }
};

/// Returns the text of an extent in expressions: a difference is 0 rather than negative.
[[nodiscard]] std::string dimension_text(const std::string& extent);

}  // namespace warpcheck::campaign
