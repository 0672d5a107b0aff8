#include "contract/read/instances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "base/text/characters.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::contract {
namespace {

constexpr std::array<std::string_view, 3> kInstanceKeys = {"name", "constants", "defines"};

/// The text of a value in the name of a variant: "64", "true", "unsigned-int".
std::string value_text(const toml::node& node) {
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* truth = node.as_boolean()) return truth->get() ? "true" : "false";
  const auto* text = node.as_string();
  std::string name = text == nullptr ? "" : text->get();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !is_identifier_character(c) && c != '.'; },
      '-');
  return name;
}

struct NamedValue {
  toml::source_position where;
  std::string text;
};

void append_values(const toml::table& instance, std::string_view key,
                   std::vector<NamedValue>& values) {
  const toml::node* node = instance.get(key);
  const toml::table* table = node == nullptr ? nullptr : node->as_table();
  if (table == nullptr) return;
  for (const auto& [name, value] : *table) {
    const bool is_defined_only = key == "defines" && value.is_boolean();
    values.push_back({name.source().begin,
                      std::string(name.str()) + (is_defined_only ? "" : value_text(value))});
  }
}

}  // namespace

std::vector<InstanceName> names_of(const TomlText& text, const toml::table& instance,
                                   std::string_view key) {
  std::vector<InstanceName> names;
  const toml::node* node = instance.get(key);
  const toml::table* table = node == nullptr ? nullptr : node->as_table();
  if (table == nullptr) return names;
  for (const auto& [name, value] : *table) {
    names.push_back({std::string(name.str()), text.at(name.source().begin)});
  }
  std::sort(names.begin(), names.end(), [](const InstanceName& x, const InstanceName& y) {
    return std::tie(x.where.line, x.where.column) < std::tie(y.where.line, y.where.column);
  });
  return names;
}

std::vector<const toml::table*> InstancesReader::tables(const toml::node& node) {
  std::vector<const toml::table*> found;
  const auto* array = node.as_array();
  const bool is_of_tables = array != nullptr && !array->empty() &&
                            std::all_of(array->begin(), array->end(),
                                        [](const toml::node& one) { return one.is_table(); });
  if (!is_of_tables) {
    text_.error(node, "expected a table in double brackets, [[variant.instances]]");
    return found;
  }
  for (const toml::node& one : *array) {
    require_known_keys(*one.as_table(), kInstanceKeys);
    found.push_back(one.as_table());
  }
  require_same_names(found, "constants");
  require_same_names(found, "defines");
  return found;
}

void InstancesReader::require_same_names(const std::vector<const toml::table*>& instances,
                                         std::string_view key) {
  std::map<std::string, InstanceName> set;  // the first place of each name
  for (const toml::table* one : instances) {
    for (InstanceName& found : names_of(text_, *one, key)) {
      const bool is_flag = key == "defines" && (*one)[key][found.name].is_boolean();
      if (!is_flag) set.emplace(found.name, found);
    }
  }
  for (const toml::table* one : instances) {
    const toml::table* values = (*one)[key].as_table();
    for (const auto& [name, place] : set) {
      if (values != nullptr && values->contains(name)) continue;
      text_.error(
          *one, fmt::format("this instance does not set '{}', which the one on line {} sets", name,
                            place.where.line));
    }
  }
}

std::string InstancesReader::name(const toml::table& instance, std::string_view variant) {
  if (const toml::node* node = instance.get("name")) {
    const auto text = string(*node, "a name");
    if (text && !is_variant_name(*text)) {
      text_.error(*node,
                  fmt::format("name '{}': expected letters, digits, '_', '-' and '.'", *text));
    }
    return text.value_or("");
  }
  std::vector<NamedValue> values;
  append_values(instance, "constants", values);
  append_values(instance, "defines", values);
  std::sort(values.begin(), values.end(), [](const NamedValue& x, const NamedValue& y) {
    return std::tie(x.where.line, x.where.column) < std::tie(y.where.line, y.where.column);
  });
  std::string name(variant);
  for (const NamedValue& value : values) name += "_" + value.text;
  return name;
}

}  // namespace warpcheck::contract
