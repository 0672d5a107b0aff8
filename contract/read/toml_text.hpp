// A TOML text with its place. Collects errors, which are located in the file that holds the text.
#pragma once

#include <toml++/toml.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpcheck::contract {

class TomlText {
 public:
  /// `where` is the place of the text's first character.
  TomlText(std::string_view text, const Location& where);

  /// Throws InputError at the first syntax error: toml++ cannot continue after one.
  [[nodiscard]] toml::table parse() const;

  [[nodiscard]] Location at(const toml::source_position& position) const;
  [[nodiscard]] Location at(const toml::node& node) const { return at(node.source().begin); }

  /// The place of the first character between a string's quotes.
  [[nodiscard]] Location inside(const toml::node& string) const;

  void error(const Location& where, std::string message);
  void error(const toml::node& node, std::string message) { error(at(node), std::move(message)); }

  /// A table at this place lacks a key. All that it lacks is one error.
  void missing_key(const Location& table, std::string_view key);

  /// True if an error at this place was reported.
  [[nodiscard]] bool has_error(const Location& where) const;

  /// Adds errors that were found in a string of this text.
  void errors_of(const InputError& error);

  /// Throws InputError with all errors in the order of the text, without duplicates, if there are
  /// any.
  void throw_errors();

 private:
  [[nodiscard]] Diagnostic diagnostic(const Location& where, std::string message) const;
  [[nodiscard]] std::string_view line(const Location& where) const;

  std::string_view text_;
  Location origin_;
  std::vector<Diagnostic> errors_;
  // Names of the missing keys by location of their table.
  std::vector<std::pair<Location, std::vector<std::string>>> missing_keys_;
};

/// The name of a type in errors: "a string", "an array" ...
[[nodiscard]] std::string_view type_name(toml::node_type type);

}  // namespace warpcheck::contract
