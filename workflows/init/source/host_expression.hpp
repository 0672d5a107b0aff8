// Integer expressions of host code, such as (M + TILE - 1) / TILE, as expressions of a contract:
// ceil_div(m, 32).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workflows/init/source/source_text.hpp"

namespace warpcheck::workflows::init {

/// An immutable expression. `op` is empty for a number or a word, else one of + - * / % != ceil_div
/// min max.
struct HostExpression;
using HostValue = std::shared_ptr<const HostExpression>;
struct HostExpression {
  std::string op;
  std::int64_t number = 0;
  std::string word;  // empty: a number
  std::vector<HostValue> operands;

  [[nodiscard]] bool is_number() const { return op.empty() && word.empty(); }
};

[[nodiscard]] HostValue number_value(std::int64_t number);
[[nodiscard]] HostValue word_value(std::string word);

/// The value of `x op y`, with constants folded and roundings up recognized. Empty for a division
/// by zero and an unknown operator.
[[nodiscard]] HostValue combined(const std::string& op, const HostValue& x, const HostValue& y);

/// Returns the expression in the syntax of a contract.
[[nodiscard]] std::string to_text(const HostExpression& value);

/// The names that an expression may use.
class HostScope {
 public:
  explicit HostScope(const SourceText& source) : macros_(source.macros) {}

  /// Adds the definitions among tokens; they hide earlier ones.
  void define(Tokens tokens);
  void define(const std::string& name, std::vector<Token> value) {
    values_[name] = std::move(value);
  }

  /// Maps a text of the host code, such as "N" or "A.size(0)", to a word of the contract.
  void bind(const std::string& text, const std::string& word) { words_[text] = word; }

  /// Empty if the expression contains anything that is unknown or is no integer.
  [[nodiscard]] HostValue value(Tokens tokens) const { return value(tokens, 0); }
  [[nodiscard]] HostValue value(std::string_view text) const;

  /// The names of all values that define() added.
  [[nodiscard]] std::vector<std::string> names() const;

  /// The extents of a grid or block: dim3(...), {...}, the name of a dim3, or one expression. An
  /// extent that is unknown is empty.
  [[nodiscard]] std::vector<HostValue> extents(Tokens tokens) const;

 private:
  friend class HostExpressionParser;
  [[nodiscard]] HostValue value(Tokens tokens, int depth) const;

  const std::map<std::string, Macro>& macros_;
  std::map<std::string, std::vector<Token>> values_;
  std::map<std::string, Extents> extents_;
  std::map<std::string, std::string> words_;
};

}  // namespace warpcheck::workflows::init
