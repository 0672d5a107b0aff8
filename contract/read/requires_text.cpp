#include "contract/read/requires_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text/characters.hpp"
#include "contract/read/toml_text.hpp"

namespace warpcheck::contract {
namespace {

constexpr std::string_view kKey = "requires";
constexpr std::size_t kLongestLine = 100;  // characters

/// Returns the offset of a place in a text. Columns count characters, not bytes.
std::size_t offset_of(std::string_view text, std::size_t line, std::size_t column) {
  std::size_t at = 0;
  for (std::size_t i = 1; i < line; ++i) at = text.find('\n', at) + 1;
  for (std::size_t i = 1; i < column; ++i) {
    ++at;
    while (at < text.size() && continues_character(text[at])) ++at;
  }
  return at;
}

std::size_t begin_of(std::string_view text, const toml::node& node) {
  return offset_of(text, node.source().begin.line, node.source().begin.column);
}

std::size_t end_of_line(std::string_view text, std::size_t at) {
  return std::min(text.find('\n', at), text.size());
}

/// Returns the offset after the bracket that closes the array at `at`.
std::size_t end_of_array(std::string_view text, std::size_t at) {
  int depth = 0;
  for (char quote = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (quote != 0) {
      if (c == '\\' && quote == '"') ++at;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      at = end_of_line(text, at);
    } else if (c == '[') {
      ++depth;
    } else if (c == ']' && --depth == 0) {
      return at + 1;
    }
  }
  return text.size();
}

/// Returns the array on one line, or with one element per line if that is too long.
std::string array_text(std::span<const std::string> requirements, std::size_t column) {
  const std::string line =
      requirements.empty() ? "[]" : fmt::format("[\"{}\"]", fmt::join(requirements, "\", \""));
  if (column + line.size() <= kLongestLine) return line;
  std::string lines = "[\n";
  for (const std::string& requirement : requirements)
    lines += fmt::format("  \"{}\",\n", requirement);
  return lines + "]";
}

const toml::table* variant_table(const toml::table& root, std::string_view name) {
  const toml::array* variants = root["variant"].as_array();
  if (variants == nullptr) return nullptr;
  for (const toml::node& entry : *variants) {
    const toml::table* table = entry.as_table();
    if (table != nullptr && (*table)["name"].value_or(std::string_view()) == name) return table;
  }
  return nullptr;
}

/// A new line with the key goes here.
struct Insertion {
  std::size_t at = 0;         // the offset of a line ending, or the end of the text
  std::size_t key_width = 0;  // characters before the '=' of the line before
};

Insertion insertion_after_last_key(std::string_view text, const toml::table& variant) {
  std::size_t last = 0;
  for (const auto& [key, node] : variant) {
    const bool is_of_tables = node.is_array() && node.as_array()->is_array_of_tables();
    if (!node.is_table() && !is_of_tables) last = std::max(last, begin_of(text, node));
  }
  const std::size_t line = text.rfind('\n', last) + 1;  // 0 if there is none
  const std::size_t end = text[last] == '[' ? end_of_array(text, last) : last;
  return {end_of_line(text, end), text.find('=', line) - line};
}

}  // namespace

std::string with_requires(std::string_view toml, std::string_view variant,
                          std::span<const std::string> requirements) {
  const toml::table root = TomlText(toml, {}).parse();
  std::string text(toml);
  const toml::table* const table = variant_table(root, variant);
  if (table == nullptr) return text;
  if (const toml::node* const value = table->get(kKey)) {
    const std::size_t begin = begin_of(toml, *value);
    const std::size_t line = toml.rfind('\n', begin) + 1;
    return text.replace(begin, end_of_array(toml, begin) - begin,
                        array_text(requirements, begin - line));
  }
  const bool has_default = root["defaults"][kKey].is_array();
  if (requirements.empty() && !has_default) return text;
  const Insertion insertion = insertion_after_last_key(toml, *table);
  const std::string key = fmt::format("{:<{}}= ", std::string(kKey) + " ", insertion.key_width);
  return text.insert(insertion.at, "\n" + key + array_text(requirements, key.size()));
}

std::string contract_text_with_requires(const KernelSource& source, std::string_view variant,
                                        std::span<const std::string> requirements) {
  if (source.contract_file != source.file) {
    return with_requires(source.contract_text, variant, requirements);
  }
  const std::optional<EmbeddedContract> embedded = embedded_contract(source.text, source.file);
  std::string text = source.text;
  if (!embedded) return text;
  const std::size_t begin = offset_of(text, embedded->where.line, embedded->where.column);
  return text.replace(begin, embedded->toml.size(),
                      with_requires(embedded->toml, variant, requirements));
}

}  // namespace warpcheck::contract
