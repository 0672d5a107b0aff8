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

/// What an expression may speak of: the values of names, and how far (in bytes, modulo 256) the
/// address of a buffer's first element lies past a 256-byte boundary.
struct Bindings {
  std::function<std::optional<std::int64_t>(std::string_view name)> value;
  std::function<std::optional<std::int64_t>(std::string_view buffer)> address;
};

/// What a text may speak of. Anything else is an error at its column.
struct Vocabulary {
  std::span<const std::string_view> names;
  std::span<const std::string_view> buffers;  // the first argument of aligned()
};

/// An immutable syntax tree, cheap to copy. Division and remainder round towards zero as in C;
/// comparisons and logic give 0 or 1; `and` and `or` leave a right side alone that cannot matter.
/// A default-constructed expression has no value.
class Expression {
 public:
  struct Node;

  /// `where` is the place of the text's first character. Throws InputError with the first error of
  /// syntax and every name that the vocabulary lacks (none given: any name will do).
  static Expression parse(std::string_view text, const Location& where,
                          const Vocabulary* vocabulary = nullptr);
  static Expression constant(std::int64_t value);

  /// Empty where a name is unbound, a divisor is zero, or the value leaves 64 bits.
  [[nodiscard]] std::optional<std::int64_t> evaluate(const Bindings& bindings) const;

  /// Names (and, as "aligned:a", buffers) that the value depends on.
  [[nodiscard]] std::set<std::string> names() const;

  /// Whether it speaks of no name, so that its value is the same for every case.
  [[nodiscard]] bool is_constant() const { return names().empty(); }

  /// Integer literals that occur in it: tile sizes and the like, for choosing interesting sizes.
  [[nodiscard]] std::set<std::int64_t> literals() const;

  /// `x and y and z` -> {x, y, z}; anything else -> {itself}.
  [[nodiscard]] std::vector<Expression> conjuncts() const;

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  friend class ExpressionParser;

  std::string text_;
  std::shared_ptr<const Node> root_;
};

}  // namespace warpcheck::contract
