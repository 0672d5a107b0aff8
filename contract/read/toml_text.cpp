#include "contract/read/toml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <tuple>
#include <utility>

namespace warpcheck::contract {

TomlText::TomlText(std::string_view text, const Location& where) : text_(text), origin_(where) {
  origin_.line = std::max(origin_.line, 1U);
  origin_.column = std::max(origin_.column, 1U);
}

toml::table TomlText::parse() const {
  try {
    return toml::parse(text_);
  } catch (const toml::parse_error& error) {
    std::string_view message = error.description();
    constexpr std::string_view kOpening = "Error while parsing ";
    if (message.starts_with(kOpening)) message.remove_prefix(kOpening.size());
    std::string text(message);
    if (!text.empty()) text[0] = static_cast<char>(std::tolower(text[0]));
    throw InputError(diagnostic(at(error.source().begin), "not TOML: " + text));
  }
}

Location TomlText::at(const toml::source_position& position) const {
  Location where = origin_;
  where.line += position.line - 1;
  where.column = position.line == 1 ? origin_.column + position.column - 1 : position.column;
  return where;
}

Location TomlText::inside(const toml::node& string) const {
  Location where = at(string);
  const std::string_view rest = line(where).substr(string.source().begin.column - 1);
  if (!rest.starts_with("\"\"\"") && !rest.starts_with("'''")) {
    ++where.column;
  } else if (rest.size() > 3) {
    where.column += 3;
  } else {  // a line break right after the opening quotes is not part of the string
    ++where.line;
    where.column = 1;
  }
  return where;
}

void TomlText::error(const Location& where, std::string message) {
  errors_.push_back(diagnostic(where, std::move(message)));
}

void TomlText::missing_key(const Location& table, std::string_view key) {
  const auto same = std::find_if(missing_keys_.begin(), missing_keys_.end(),
                                 [&](const auto& known) { return known.first == table; });
  auto& keys = same == missing_keys_.end()
                   ? missing_keys_.emplace_back(table, std::vector<std::string>()).second
                   : same->second;
  std::string quoted = fmt::format("'{}'", key);
  if (std::find(keys.begin(), keys.end(), quoted) == keys.end()) keys.push_back(std::move(quoted));
}

bool TomlText::has_error(const Location& where) const {
  return std::any_of(errors_.begin(), errors_.end(),
                     [&](const Diagnostic& error) { return error.where == where; });
}

void TomlText::errors_of(const InputError& error) {
  for (const Diagnostic& found : error.diagnostics()) this->error(found.where, found.message);
}

void TomlText::throw_errors() {
  for (auto& [table, keys] : std::exchange(missing_keys_, {})) {
    const std::string last = std::move(keys.back());
    keys.pop_back();
    error(table, keys.empty() ? fmt::format("missing key {}", last)
                              : fmt::format("missing keys {} and {}", fmt::join(keys, ", "), last));
  }
  if (errors_.empty()) return;
  std::stable_sort(errors_.begin(), errors_.end(), [](const Diagnostic& x, const Diagnostic& y) {
    return std::tie(x.where.line, x.where.column) < std::tie(y.where.line, y.where.column);
  });
  // A value of [defaults] is read for each variant, but its error is reported once.
  std::set<std::tuple<unsigned, unsigned, std::string>> reported;
  std::erase_if(errors_, [&](const Diagnostic& error) {
    return !reported.emplace(error.where.line, error.where.column, error.message).second;
  });
  throw InputError(std::exchange(errors_, {}));
}

std::string_view TomlText::line(const Location& where) const {
  return line_of(text_, where.line - origin_.line + 1);
}

Diagnostic TomlText::diagnostic(const Location& where, std::string message) const {
  std::string excerpt(where.line == origin_.line ? origin_.column - 1 : 0, ' ');
  excerpt += line(where);
  const bool printable = std::all_of(excerpt.begin(), excerpt.end(), [](char c) {
    return c == '\t' || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  });
  if (!printable || excerpt.size() > 500) excerpt.clear();  // a terminal cannot show it
  return {where, std::move(message), std::move(excerpt)};
}

std::string_view type_name(toml::node_type type) {
  switch (type) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
      return "an integer";
    case toml::node_type::floating_point:
      return "a floating-point number";
    case toml::node_type::boolean:
      return "a boolean";
    default:
      return "a date or time";
  }
}

}  // namespace warpcheck::contract
