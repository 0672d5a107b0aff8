// Names that a contract gives a value: those of `constants`, and the macros of `defines`.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "contract/expression/expression.hpp"

namespace warpcheck::contract {

class Constants {
 public:
  struct Value {
    std::string text;  // the text in kernel names
    // The value in expressions. Empty: expressions cannot use the constant.
    std::optional<std::int64_t> integer;
  };

  void set(const std::string& name, Value value) { values_[name] = std::move(value); }

  /// Adds a name that expressions may use, and that keeps its place in them: its value is not
  /// known yet.
  void declare(const std::string& name) { values_.emplace(name, std::nullopt); }

  [[nodiscard]] bool has(std::string_view name) const { return values_.contains(name); }

  /// The names that expressions may use.
  [[nodiscard]] std::vector<std::string_view> names() const;

  /// True if the expression has one of the names.
  [[nodiscard]] bool occur_in(const Expression& expression) const;

  /// Returns the expression with values in place of the names. Its text has the values, too.
  [[nodiscard]] Expression bind(const Expression& expression);

  /// Returns the C++ name of a kernel with values in place of the names: "tiled<8>".
  [[nodiscard]] std::string bind_kernel(std::string_view kernel);

  /// True if bind() or bind_kernel() has replaced the name.
  [[nodiscard]] bool is_used(const std::string& name) const { return used_.contains(name); }

 private:
  std::map<std::string, std::optional<Value>, std::less<>> values_;  // empty: declared
  std::set<std::string> used_;
};

}  // namespace warpcheck::contract
