// The arithmetic of contracts: grid extents, shared memory, `requires`.
//   integers, + - * / %, comparisons, and or not, ceil_div(x, y), min, max, aligned(buffer, bytes)
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpcheck::contract {

/// The inputs of an expression: the values of names, and the address of the first element of a
/// buffer modulo 256 bytes.
struct Bindings {
  std::function<std::optional<std::int64_t>(std::string_view name)> value;
  std::function<std::optional<std::int64_t>(std::string_view buffer)> address;
};

/// The innermost part of an expression that has no value although its operands have one.
struct UndefinedPart {
  Location where;
  std::string text;
  std::string reason;  // "divides by zero", "exceeds 64 bits"
};

/// The names that an expression may use. Any other name is an error at its column.
struct Vocabulary {
  std::span<const std::string_view> names;
  std::span<const std::string_view> buffers;  // the first argument of aligned()
};

/// An immutable syntax tree, cheap to copy. Division and remainder round towards zero as in C.
/// Comparisons and logic give 0 or 1. `and` and `or` evaluate the right operand only if the left
/// one does not decide the result. A default-constructed expression has no value.
class Expression {
 public:
  struct Node;

  /// `where` is the place of the first character. Throws InputError with the first syntax error and
  /// every name that is not in the vocabulary; without a vocabulary all names are allowed.
  static Expression parse(std::string_view text, const Location& where,
                          const Vocabulary* vocabulary = nullptr);
  static Expression constant(std::int64_t value);

  /// Empty if a name is unbound, a divisor is zero, or a value does not fit in 64 bits.
  [[nodiscard]] std::optional<std::int64_t> evaluate(const Bindings& bindings) const;

  /// The part that leaves the expression without a value. Empty if there is none, or if the value
  /// is unknown because a name is unbound. A divisor that is zero is such a part whatever is
  /// divided, so that it is also found without bindings.
  [[nodiscard]] std::optional<UndefinedPart> undefined_part(const Bindings& bindings) const;

  /// Names (and, as "aligned:a", buffers) that the value depends on.
  [[nodiscard]] std::set<std::string> names() const;

  /// True if it has no names, so that its value is the same for every case.
  [[nodiscard]] bool is_constant() const { return names().empty(); }

  /// The integer literals in it, such as tile sizes: the case generator tries sizes near them.
  [[nodiscard]] std::set<std::int64_t> literals() const;

  /// `x and y and z` -> {x, y, z}; anything else -> {itself}.
  [[nodiscard]] std::vector<Expression> conjuncts() const;

  [[nodiscard]] const std::string& text() const { return text_; }

  /// Returns the place of the first character, as given to parse().
  [[nodiscard]] const Location& where() const { return where_; }

  /// Returns the root of the tree; null for an expression without a value.
  [[nodiscard]] const Node* root() const { return root_.get(); }

 private:
  friend class ExpressionParser;

  std::string text_;
  Location where_;
  std::shared_ptr<const Node> root_;
};

/// True if every conjunct is a comparison, another logical expression, a flag (ta, tb), or has the
/// same value for every case.
[[nodiscard]] bool is_condition(const Expression& expression);

}  // namespace warpcheck::contract
