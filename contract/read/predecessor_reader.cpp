#include "contract/read/predecessor_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/closest_word.hpp"

namespace warpcheck::contract {
namespace {

constexpr std::array kMatrices = {ArgumentWord::a, ArgumentWord::b, ArgumentWord::c,
                                  ArgumentWord::d, ArgumentWord::bias};

/// The operands that have memory.
std::vector<std::string_view> operands(const Contract& contract) {
  std::vector<std::string_view> all;
  if (contract.tensors == nullptr) {
    for (const ArgumentWord word : kMatrices) all.push_back(name(word));
    return all;
  }
  for (const operation::Tensor& tensor : contract.tensors->tensors) {
    if (!is_updated(contract.tensors->operation, tensor.name)) all.push_back(tensor.name);
  }
  return all;
}

}  // namespace

void PredecessorReader::read(const toml::node& node) {
  constexpr std::array<std::string_view, 2> kKeys = {"writes", "reads"};
  const toml::table* const table = node.as_table();
  if (table == nullptr) return wrong_type(node, "a table with 'writes' and 'reads'");
  require_known_keys(*table, kKeys);
  if (const toml::node* names = table->get("writes")) {
    read_names(*names, contract_.predecessor.writes);
  }
  if (const toml::node* names = table->get("reads"))
    read_names(*names, contract_.predecessor.reads);
}

void PredecessorReader::read_names(const toml::node& node, std::vector<std::string>& names) {
  const toml::array* const array = node.as_array();
  if (array == nullptr) return wrong_type(node, "an array of operands");
  for (const toml::node& name : *array) read_name(name, names);
}

void PredecessorReader::read_name(const toml::node& node, std::vector<std::string>& names) {
  const auto* const text = node.as_string();
  if (text == nullptr) return wrong_type(node, "the name of an operand");
  const std::vector<std::string_view> known = operands(contract_);
  if (std::ranges::find(known, text->get()) == known.end()) {
    return text_.error(node, unknown("operand", text->get(), known));
  }
  names.push_back(text->get());
  named_.emplace_back(text->get(), text_.at(node));
}

void PredecessorReader::match(bool arguments_known) {
  if (!arguments_known || contract_.tensors != nullptr) return;  // each tensor is an argument
  for (const auto& [operand, where] : named_) {
    const auto* const word = std::ranges::find(kMatrices, operand, &name);
    if (contract_.takes(*word)) continue;
    text_.error(where, fmt::format("no argument of the kernel is '{}', so 'predecessor' has no "
                                   "effect on it",
                                   operand));
  }
}

}  // namespace warpcheck::contract
