// An operation: tensors, and a definition of each element of the outputs.
//   y[i,j] = exp(x[i,j] - max(k: x[i,k])) / sum(k: exp(x[i,k] - max(l: x[i,l])))
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "operation/node.hpp"

namespace warpcheck::operation {

/// A limit of the elements of an input: a number, or an extent and a number that is added to it.
struct Limit {
  double number = 0.0;
  std::string extent;  // empty: the number alone
};

/// The elements of an input of integers that differ from one another.
enum class Distinct : std::uint8_t { none, in_rows, all };

struct Tensor {
  std::string name;
  std::vector<std::string> shape;  // dimensions, the slowest first; see extent.hpp
  bool integer = false;            // the tensor holds integers, so that it can be an index
  bool finite = false;             // this input holds neither NaN nor infinities
  bool nan = true;                 // this input may hold NaN, unless it is finite
  bool sorted = false;             // the elements of each row of this input ascend; they are finite
  // Elements of an input lie between these limits, both included.
  std::optional<std::pair<Limit, Limit>> range = {};
  /// An output names the input of its shape whose values its memory holds before the launch.
  /// That input is no argument of the kernel. Empty: the memory is not initialized.
  std::string updates = {};
  Distinct distinct = Distinct::none;  // applies to an input of integers with a range
};

/// Defines every element of one tensor. Statements may read the inputs and the tensors of earlier
/// statements.
struct Statement {
  Tensor tensor;
  std::vector<std::string> indices;
  std::vector<std::string> extents;  // stated extents of the indices; empty strings: inferred
  /// Index of a recurrence: elements are computed in its ascending order, and `value` reads earlier
  /// elements of the same tensor. Empty: none.
  std::string scan;
  Node value;
  std::size_t begin = 0;
};

struct Operation {
  std::string name;
  std::vector<std::string> extents;
  std::vector<Tensor> inputs;
  std::vector<Tensor> outputs;
  std::vector<std::string> scalars;
  std::vector<Statement> statements;
  std::string definition;  // text of the statements
  /// The place of the first character of `definition`, or of `reference` if there is no definition.
  Location where;
  /// The name of the C++ function that takes the place of the statements; empty: none.
  std::string reference = {};
  /// The terms of the longest sum of a function in double, as an expression of extents.
  /// Empty: the function bounds its rounding errors.
  std::string terms = {};
};

/// Parses `definition`, whose first character is at `where`, into the statements of `operation`,
/// whose other fields are set. Infers the extent of each index, and checks names, ranks and types.
/// Throws InputError with every error of the names, or the first one of the syntax.
void define(Operation& operation, std::string_view definition, const Location& where);

/// The text of all statements, one per line, or the name of the reference.
[[nodiscard]] std::string print(const Operation& operation);

/// The output that updates this input, which then has no memory of its own; null: none.
[[nodiscard]] const Tensor* updating_output(const Operation& operation, std::string_view input);

/// True if an output updates this input.
[[nodiscard]] bool is_updated(const Operation& operation, std::string_view input);

/// True for a letter or '_' followed by letters, digits and '_', unless it is a word of the
/// language.
[[nodiscard]] bool is_name(std::string_view text);

}  // namespace warpcheck::operation
