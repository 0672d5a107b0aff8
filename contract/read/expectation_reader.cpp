#include "contract/read/expectation_reader.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace warpcheck::contract {

std::optional<Expectation> ExpectationReader::read(const toml::node& node) {
  const auto* table = node.as_table();
  if (table == nullptr) {
    wrong_type(node, "a table with 'classes' and 'smallest'");
    return std::nullopt;
  }
  constexpr std::array<std::string_view, 2> kKeys = {"classes", "smallest"};
  require_known_keys(*table, kKeys);
  Expectation expectation;
  if (const toml::node* classes = table->get("classes")) {
    read_classes(*classes, expectation);
  } else {
    missing_key(*table, "classes");
  }
  if (const toml::node* smallest = table->get("smallest")) {
    if (!smallest->is_string()) {
      wrong_type(*smallest, "an expression");
    } else if (const auto condition = expression(*smallest, names_.case_vocabulary())) {
      expectation.smallest = condition->text();
    }
  }
  return expectation;
}

void ExpectationReader::read_classes(const toml::node& node, Expectation& expectation) {
  if (!node.is_array() || node.as_array()->empty()) {
    return text_.error(node, "expected an array of one or more classes of finding");
  }
  for (const toml::node& element : *node.as_array()) {
    if (auto text = word(element, "class", "a class of finding", kFindingClasses)) {
      expectation.classes.push_back(std::move(*text));
    }
  }
}

}  // namespace warpcheck::contract
