#include "contract/build/constants.hpp"

#include <algorithm>

#include "base/text/characters.hpp"
#include "contract/expression/expression_node.hpp"

namespace warpcheck::contract {
namespace {

using Node = Expression::Node;

void collect_names(const Node& node, std::vector<const Node*>& names) {
  if (node.op == Operator::name) names.push_back(&node);
  for (const auto& operand : node.operands) collect_names(*operand, names);
}

std::string text_of(std::int64_t value) {
  return value < 0 ? "(" + std::to_string(value) + ")" : std::to_string(value);
}

}  // namespace

std::vector<std::string_view> Constants::names() const {
  std::vector<std::string_view> names;
  for (const auto& [name, value] : values_) {
    if (!value || value->integer) names.push_back(name);
  }
  return names;
}

bool Constants::occur_in(const Expression& expression) const {
  const std::set<std::string> names = expression.names();
  return std::any_of(names.begin(), names.end(),
                     [&](const std::string& name) { return has(name); });
}

Expression Constants::bind(const Expression& expression) {
  std::vector<const Node*> names;
  if (expression.root() != nullptr) collect_names(*expression.root(), names);
  std::sort(names.begin(), names.end(),
            [](const Node* x, const Node* y) { return x->begin > y->begin; });
  std::string text = expression.text();
  bool changed = false;
  for (const Node* node : names) {  // last name first: the offsets of the others stay valid
    const auto found = values_.find(node->name);
    if (found == values_.end() || !found->second || !found->second->integer) continue;
    used_.insert(node->name);
    text.replace(node->begin, node->end - node->begin, text_of(*found->second->integer));
    changed = true;
  }
  return changed ? Expression::parse(text, expression.where()) : expression;
}

std::string Constants::bind_kernel(std::string_view kernel) {
  std::string text;
  while (!kernel.empty()) {
    const auto is_outside = [](char c) { return !is_identifier_character(c); };
    const auto end = std::find_if(kernel.begin(), kernel.end(), is_outside);
    const std::string word(kernel.begin(), end);
    const auto found = values_.find(word);
    if (found != values_.end() && found->second) {
      used_.insert(word);
      text += found->second->text;
    } else {
      text += word;
    }
    kernel.remove_prefix(word.size());
    if (kernel.empty()) break;
    text += kernel.front();
    kernel.remove_prefix(1);
  }
  return text;
}

}  // namespace warpcheck::contract
