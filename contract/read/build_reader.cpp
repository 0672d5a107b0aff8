#include "contract/read/build_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text/characters.hpp"
#include "contract/build/nvcc_flag.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::contract {
namespace {

constexpr std::array<std::string_view, 7> kFunctionsAndOperators = {
    "ceil_div", "min", "max", "aligned", "and", "or", "not"};

/// True if the word has a meaning in expressions.
bool is_expression_word(std::string_view word) {
  const auto contains = [&](const auto& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  return contains(kSizes) || contains(kBuffers) || contains(kFunctionsAndOperators);
}

void declare_names_of(const toml::node* node, Constants& constants) {
  const toml::table* table = node == nullptr ? nullptr : node->as_table();
  if (table == nullptr) return;
  for (const auto& [key, value] : *table) constants.declare(std::string(key.str()));
}

void declare_names(const toml::table& table, Constants& constants) {
  declare_names_of(table.get("constants"), constants);
  declare_names_of(table.get("defines"), constants);
  const toml::node* instances = table.get("instances");
  if (instances == nullptr || !instances->is_array()) return;
  for (const toml::node& instance : *instances->as_array()) {
    if (const toml::table* values = instance.as_table()) {
      declare_names_of(values->get("constants"), constants);
      declare_names_of(values->get("defines"), constants);
    }
  }
}

}  // namespace

void BuildReader::read_include(const toml::node& node) {
  contract_.build.include.clear();
  const auto* array = node.as_array();
  if (array == nullptr) return wrong_type(node, "an array of folders");
  for (const toml::node& element : *array) {
    auto folder = shell_text(element, "a folder");
    if (!folder) continue;
    if (folder->empty()) {
      text_.error(element, "an empty name: expected a folder, such as \".\"");
    } else {
      contract_.build.include.push_back({std::move(*folder), text_.at(element)});
    }
  }
}

void BuildReader::read_flags(const toml::node& node) {
  contract_.build.flags.clear();
  const auto* array = node.as_array();
  if (array == nullptr) return wrong_type(node, "an array of flags of nvcc");
  std::vector<std::string> flags;
  for (const toml::node& element : *array) {
    flags.push_back(string(element, "a flag of nvcc").value_or(""));
  }
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (!array->get(i)->is_string()) continue;
    if (auto error = flag_error(flags, i)) text_.error(*array->get(i), std::move(*error));
    contract_.build.flags.push_back({flags[i], text_.at(*array->get(i))});
  }
}

void BuildReader::read_arch(const toml::node& node) {
  const auto text = string(node, "an architecture");
  if (!text) return;
  if (!is_architecture(*text)) {
    return text_.error(
        node, fmt::format("architecture '{}': expected a name of nvcc, such as 'sm_80'", *text));
  }
  contract_.architecture = *text;
  contract_.architecture_where = text_.inside(node);
}

void BuildReader::read_defines(const toml::node& node, bool from_instance) {
  const auto* table = node.as_table();
  if (table == nullptr) return wrong_type(node, "a table of macros, such as { TILE = 16 },");
  for (const auto& [key, value] : *table) add_define(key, value, from_instance);
}

void BuildReader::add_define(const toml::key& key, const toml::node& node, bool from_instance) {
  Define define{std::string(key.str()), std::nullopt, text_.at(key.source().begin), from_instance};
  if (!is_identifier(define.name)) {
    return text_.error(define.where,
                       fmt::format("macro '{}': expected letters, digits and '_', not beginning "
                                   "with a digit",
                                   define.name));
  }
  if (const auto* number = node.as_integer()) {
    define.value = std::to_string(number->get());
    if (!is_expression_word(define.name)) {
      values_.set(define.name, {*define.value, number->get()});
    }
  } else if (const auto* truth = node.as_boolean()) {
    if (!truth->get()) {
      return text_.error(node, fmt::format("'false' for macro '{0}': leave '{0}' out if it is not "
                                           "defined, or write 0",
                                           define.name));
    }
  } else if (node.is_string()) {
    define.value = shell_text(node, "the value of a macro");
    if (!define.value) return;
  } else {
    return wrong_type(node, "an integer, a string or true");
  }
  auto& defines = contract_.build.defines;
  const auto at = std::lower_bound(
      defines.begin(), defines.end(), define.name,
      [](const Define& other, const std::string& name) { return other.name < name; });
  if (at != defines.end() && at->name == define.name) {
    *at = std::move(define);
  } else {
    defines.insert(at, std::move(define));
  }
}

void BuildReader::read_constants(const toml::node& node) {
  const auto* table = node.as_table();
  if (table == nullptr) return wrong_type(node, "a table of constants, such as { TILE = 16 },");
  for (const auto& [key, value] : *table) add_constant(key, value);
}

void BuildReader::add_constant(const toml::key& key, const toml::node& node) {
  const std::string name(key.str());
  const Location where = text_.at(key.source().begin);
  if (!is_identifier(name)) {
    return text_.error(where, fmt::format("constant '{}': expected letters, digits and '_', not "
                                          "beginning with a digit",
                                          name));
  }
  if (is_expression_word(name)) {
    return text_.error(where,
                       fmt::format("constant '{}' has the name of a word of expressions", name));
  }
  const auto& defines = contract_.build.defines;
  if (std::any_of(defines.begin(), defines.end(),
                  [&](const Define& define) { return define.name == name; })) {
    return text_.error(where, fmt::format("'{}' is also a macro of `defines`", name));
  }
  if (const auto* number = node.as_integer()) {
    values_.set(name, {std::to_string(number->get()), number->get()});
  } else if (const auto* truth = node.as_boolean()) {
    values_.set(name, {truth->get() ? "true" : "false", truth->get() ? 1 : 0});
  } else if (const auto* text = node.as_string()) {
    if (!is_kernel_name(text->get())) {
      return text_.error(
          node, fmt::format("constant '{}' is not a part of a C++ name: '{}'", name, text->get()));
    }
    values_.set(name, {text->get(), std::nullopt});
  } else {
    wrong_type(node, "an integer, a boolean or a string");
  }
}

Constants declared_names(const toml::table& document) {
  Constants names;
  if (const toml::table* defaults = document["defaults"].as_table())
    declare_names(*defaults, names);
  const toml::array* variants = document["variant"].as_array();
  if (variants == nullptr) return names;
  for (const toml::node& variant : *variants) {
    if (const toml::table* table = variant.as_table()) declare_names(*table, names);
  }
  return names;
}

}  // namespace warpcheck::contract
