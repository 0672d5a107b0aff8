// Reads values of a TOML text. A value that does not have the expected type is an error at its
// place.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "contract/build/constants.hpp"
#include "contract/expression/expression.hpp"
#include "contract/read/toml_text.hpp"

namespace warpcheck::contract {

/// A table of the contract, with the values of [defaults] for the keys that it does not set.
struct TableWithDefaults {
  const toml::table& own;
  const toml::table* defaults = nullptr;

  /// Null if neither table has the key.
  [[nodiscard]] const toml::node* get(std::string_view key) const {
    const toml::node* value = own.get(key);
    return value != nullptr || defaults == nullptr ? value : defaults->get(key);
  }
};

class ValueReader {
 public:
  /// Expressions may use the constants, if there are any.
  explicit ValueReader(TomlText& text, Constants* constants = nullptr)
      : text_(text), constants_(constants) {}

  void require_known_keys(const toml::table& table, std::span<const std::string_view> known);
  /// Reports nothing about a key that the table has with a spelling error, which is reported.
  void missing_key(const toml::table& table, std::string_view key);
  void wrong_type(const toml::node& node, std::string_view expected);

  std::optional<std::string> string(const toml::node& node, std::string_view expected);

  /// One of the `known` words; `expected` describes them: "a layout".
  std::optional<std::string> word(const toml::node& node, std::string_view kind,
                                  std::string_view expected,
                                  std::span<const std::string_view> known);

  /// An integer or a text. A constant expression must have a value.
  std::optional<Expression> expression(const toml::node& node, const Vocabulary& vocabulary);

  /// The conjuncts of a condition, which is a text.
  std::vector<Expression> conditions(const toml::node& node, const Vocabulary& vocabulary);
  /// Reports a condition that is a number, not a truth.
  void require_truth(const Expression& condition);

  /// The value of an expression that is the same for every case.
  static std::optional<std::int64_t> constant(const Expression& expression);

  void read_truth(const toml::node& node, bool& truth);

  /// A text without characters that a shell would interpret.
  std::optional<std::string> shell_text(const toml::node& node, std::string_view expected);

  template <class Value>
  struct Field {
    std::string_view name;
    Value* value;
  };

  /// A table with exactly these keys.
  template <class Value, std::size_t Count, class Read>
  void read_fields(const toml::table& table, const std::array<Field<Value>, Count>& fields,
                   const Read& read) {
    std::array<std::string_view, Count> known;
    for (std::size_t i = 0; i < Count; ++i) known[i] = fields[i].name;
    require_known_keys(table, known);
    for (const Field<Value>& field : fields) {
      if (const toml::node* value = table.get(field.name)) {
        read(*value, *field.value);
      } else {
        missing_key(table, field.name);
      }
    }
  }

 protected:
  /// Throws InputError. Constants are not replaced.
  Expression parse(const toml::value<std::string>& text, const Vocabulary& vocabulary) const;

  TomlText& text_;
  Constants* constants_ = nullptr;

 private:
  [[nodiscard]] bool has_misspelt(const toml::table& table, std::string_view key) const;
};

}  // namespace warpcheck::contract
