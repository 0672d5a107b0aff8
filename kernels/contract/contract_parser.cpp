// TOML to contracts. Each key of a [[variant]] is a row of one table.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "kernels/contract/contract.hpp"
#include "kernels/contract/contract_words.hpp"
#include "kernels/contract/nearest.hpp"
#include "kernels/contract/value_reader.hpp"

namespace warpcheck::kernels {
namespace {

// CUDA C++ Programming Guide, "Compute Capabilities": the same for every architecture so far.
constexpr std::int64_t kMostThreads = 1024;
constexpr std::array<std::int64_t, 3> kLargestBlock = {1024, 1024, 64};
constexpr std::array<std::int64_t, 3> kLargestGrid = {2147483647, 65535, 65535};
constexpr std::array<std::string_view, 3> kAxes = {"x", "y", "z"};

class VariantReader : ValueReader {
 public:
  VariantReader(TomlText& text, const toml::table& table) : ValueReader(text), table_(table) {}

  Contract read() {
    contract_.where = text_.at(table_);
    for (Expression& extent : contract_.block) extent = Expression::constant(1);
    for (Expression& extent : contract_.grid) extent = Expression::constant(1);
    contract_.shared = Expression::constant(0);
    std::vector<std::string_view> known;
    for (const Key& key : kKeys) known.push_back(key.name);
    require_known_keys(table_, known);
    for (const Key& key : kKeys) {
      if (const toml::node* value = table_.get(key.name)) {
        (this->*key.read)(*value);
      } else if (key.required) {
        missing_key(table_, key.name);
      }
    }
    const toml::node* workspace = table_.get("workspace");
    if (workspace != nullptr && !contract_.takes(ArgumentWord::workspace)) {
      text_.error(*workspace, "no argument of the kernel is the workspace");
    }
    return std::move(contract_);
  }

 private:
  struct Key {
    std::string_view name;
    bool required;
    void (VariantReader::*read)(const toml::node&);
  };
  static const std::array<Key, 15> kKeys;

  void read_name(const toml::node& node) {
    const auto text = string(node, "a name");
    if (!text) return;
    if (!is_variant_name(*text)) {
      text_.error(node,
                  fmt::format("name '{}': expected letters, digits, '_', '-' and '.'", *text));
    }
    contract_.name = *text;
  }

  void read_kernel(const toml::node& node) {
    const auto text = string(node, "a kernel as C++ names it");
    if (!text) return;
    contract_.kernel_where = text_.inside(node);
    if (!is_kernel_name(*text))
      text_.error(node, fmt::format("kernel '{}' is no name in C++", *text));
    contract_.kernel = *text;
  }

  void read_operation(const toml::node& node) {
    if (auto text = word(node, "operation", "an operation", kOperations)) {
      contract_.operation = std::move(*text);
    }
  }

  void read_layout(const toml::node& node) {
    const auto read_one = [&](const toml::node& value, Layout& layout) {
      if (const auto text = word(value, "layout", "a layout", kLayouts)) {
        layout = *text == "row" ? Layout::row : Layout::column;
      }
    };
    Layout all = Layout::row;
    if (node.is_string()) {
      read_one(node, all);
      contract_.layout_a = contract_.layout_b = contract_.layout_c = all;
    } else if (const auto* table = node.as_table()) {
      read_fields(
          *table,
          std::array<Field<Layout>, 3>{
              {{"a", &contract_.layout_a}, {"b", &contract_.layout_b}, {"c", &contract_.layout_c}}},
          read_one);
    } else {
      wrong_type(node, "a layout or a table of layouts");
    }
  }

  void read_types(const toml::node& node) {
    const auto* table = node.as_table();
    if (table == nullptr) return wrong_type(node, "a table of types");
    const auto words = type_words();
    read_fields(*table,
                std::array<Field<ScalarType>, 4>{{{"a", &contract_.type_a},
                                                  {"b", &contract_.type_b},
                                                  {"c", &contract_.type_c},
                                                  {"accumulate", &contract_.accumulate}}},
                [&](const toml::node& value, ScalarType& type) {
                  if (const auto text = word(value, "type", "a type", words)) {
                    type = *scalar_type(*text);
                  }
                });
  }

  void read_arguments(const toml::node& node) {
    contract_.arguments_where = text_.at(node);
    const auto* array = node.as_array();
    if (array == nullptr) return wrong_type(node, "an array of argument words");
    const auto words = argument_words();
    bool all_known = true;
    for (const toml::node& element : *array) {
      Argument argument{ArgumentWord::literal, {}, text_.at(element)};
      if (const auto* integer = element.as_integer()) {
        argument.text = std::to_string(integer->get());
      } else if (const auto* number = element.as_floating_point()) {
        argument.text = fmt::format("{}", number->get());
      } else if (const auto* text = element.as_string(); text && is_number(text->get())) {
        argument.text = text->get();
      } else if (auto found =
                     word(element, "argument word", "an argument word or a number", words)) {
        argument.text = std::move(*found);
        argument.word = static_cast<ArgumentWord>(
            std::find(words.begin(), words.end(), argument.text) - words.begin());
      } else {
        all_known = false;
      }
      contract_.arguments.push_back(std::move(argument));
    }
    if (all_known && !contract_.takes(ArgumentWord::c) && !contract_.takes(ArgumentWord::d)) {
      text_.error(node, "no output among the arguments: expected 'c' or 'd'");
    }
  }

  /// One to three extents of at least 1; `largest` bounds each.
  void read_extents(const toml::node& node, std::string_view what,
                    const std::array<std::int64_t, 3>& largest,
                    std::array<Expression, 3>& extents) {
    const auto* array = node.as_array();
    if (array == nullptr) {
      return wrong_type(node, "an array of one to three integers or expressions");
    }
    if (array->empty() || array->size() > 3) {
      return text_.error(
          node, fmt::format("{} of {} extents: expected one to three", what, array->size()));
    }
    for (std::size_t axis = 0; axis < array->size(); ++axis) {
      const toml::node& element = *array->get(axis);
      auto extent = expression(element, kContractVocabulary);
      if (!extent) continue;
      const auto value = constant(*extent);
      if (value && (*value < 1 || *value > largest[axis])) {
        text_.error(element, fmt::format("{} extent {} is {}: expected 1 to {}", what, kAxes[axis],
                                         *value, largest[axis]));
        continue;
      }
      extents[axis] = std::move(*extent);
    }
  }

  void read_block(const toml::node& node) {
    read_extents(node, "block", kLargestBlock, contract_.block);
    std::int64_t threads = 1;  // at most 1024 * 1024 * 64
    for (const Expression& extent : contract_.block) threads *= constant(extent).value_or(1);
    if (threads > kMostThreads) {
      text_.error(node,
                  fmt::format("block of {} threads: expected at most {}", threads, kMostThreads));
    }
  }

  void read_grid(const toml::node& node) {
    read_extents(node, "grid", kLargestGrid, contract_.grid);
  }

  void read_shared(const toml::node& node) {
    auto bytes = expression(node, kContractVocabulary);
    if (!bytes) return;
    if (const auto value = constant(*bytes); value && *value < 0) {
      return text_.error(node,
                         fmt::format("{} bytes of shared memory: expected 0 or more", *value));
    }
    contract_.shared = std::move(*bytes);
  }

  void read_workspace(const toml::node& node) {
    const auto* table = node.as_table();
    if (table == nullptr) return wrong_type(node, "a table with 'bytes' and 'zeroed'");
    constexpr std::array<std::string_view, 2> kWorkspaceKeys = {"bytes", "zeroed"};
    require_known_keys(*table, kWorkspaceKeys);
    if (const toml::node* bytes = table->get("bytes")) {
      contract_.workspace.bytes = expression(*bytes, kContractVocabulary);
    }
    if (const toml::node* zeroed = table->get("zeroed")) {
      const auto* value = zeroed->as_boolean();
      if (value == nullptr) return wrong_type(*zeroed, "true or false");
      contract_.workspace.zeroed = value->get();
    }
  }

  void read_requires(const toml::node& node) {
    const auto* array = node.as_array();
    if (array == nullptr) return wrong_type(node, "an array of expressions");
    for (const toml::node& element : *array) {
      if (!element.is_string()) {
        wrong_type(element, "an expression");
      } else if (auto condition = expression(element, kContractVocabulary)) {
        contract_.requires_.push_back(std::move(*condition));
      }
    }
  }

  void read_split_k(const toml::node& node) {
    const auto* value = node.as_integer();
    if (value == nullptr) return wrong_type(node, "an integer");
    if (value->get() < 1) {
      return text_.error(node, fmt::format("split_k is {}: expected 1 or more", value->get()));
    }
    contract_.split_k = value->get();
  }

  void read_deterministic(const toml::node& node) {
    const auto* value = node.as_boolean();
    if (value == nullptr) return wrong_type(node, "true or false");
    contract_.deterministic = value->get();
  }

  void read_architecture(const toml::node& node) {
    const auto text = string(node, "an architecture");
    if (!text) return;
    if (!is_architecture(*text)) {
      return text_.error(
          node, fmt::format("architecture '{}': expected one as nvcc names it, 'sm_80'", *text));
    }
    contract_.architecture = *text;
  }

  void read_expect(const toml::node& node) {
    const auto* table = node.as_table();
    if (table == nullptr) return wrong_type(node, "a table with 'classes' and 'smallest'");
    constexpr std::array<std::string_view, 2> kExpectKeys = {"classes", "smallest"};
    require_known_keys(*table, kExpectKeys);
    Expectation expectation;
    const toml::node* classes = table->get("classes");
    if (classes == nullptr) {
      missing_key(*table, "classes");
    } else if (!classes->is_array() || classes->as_array()->empty()) {
      text_.error(*classes, "expected an array of one or more classes of finding");
    } else {
      for (const toml::node& element : *classes->as_array()) {
        if (auto text = string(element, "a class of finding")) {
          expectation.classes.push_back(std::move(*text));
        }
      }
    }
    if (const toml::node* smallest = table->get("smallest")) {
      if (!smallest->is_string()) {
        wrong_type(*smallest, "an expression");
      } else if (const auto condition = expression(*smallest, kCaseVocabulary)) {
        expectation.smallest = condition->text();
      }
    }
    contract_.expect = std::move(expectation);
  }

  const toml::table& table_;
  Contract contract_;
};

const std::array<VariantReader::Key, 15> VariantReader::kKeys = {{
    {"name", true, &VariantReader::read_name},
    {"kernel", true, &VariantReader::read_kernel},
    {"operation", true, &VariantReader::read_operation},
    {"layout", false, &VariantReader::read_layout},
    {"types", false, &VariantReader::read_types},
    {"arguments", true, &VariantReader::read_arguments},
    {"block", true, &VariantReader::read_block},
    {"grid", true, &VariantReader::read_grid},
    {"shared", false, &VariantReader::read_shared},
    {"workspace", false, &VariantReader::read_workspace},
    {"requires", false, &VariantReader::read_requires},
    {"split_k", false, &VariantReader::read_split_k},
    {"deterministic", false, &VariantReader::read_deterministic},
    {"architecture", false, &VariantReader::read_architecture},
    {"expect", false, &VariantReader::read_expect},
}};

}  // namespace

std::vector<Contract> parse_contracts(std::string_view toml, const Location& where) {
  TomlText text(toml, where);
  const toml::table document = text.parse();
  constexpr std::array<std::string_view, 1> kTables = {"variant"};
  for (const auto& [key, value] : document) {
    if (key.str() != "variant") {
      text.error(text.at(key.source().begin), unknown("key", key.str(), kTables));
    }
  }
  std::vector<Contract> contracts;
  const toml::node* variants = document.get("variant");
  if (variants == nullptr) {
    text.error(document, "no [[variant]] table");
  } else if (!variants->is_array_of_tables()) {
    text.error(*variants, "expected a table in double brackets, [[variant]]");
  } else {
    for (const toml::node& variant : *variants->as_array()) {
      contracts.push_back(VariantReader(text, *variant.as_table()).read());
    }
  }
  std::map<std::string_view, const Contract*> by_name;
  for (const Contract& contract : contracts) {
    const auto [first, is_new] = by_name.emplace(contract.name, &contract);
    if (is_new || contract.name.empty()) continue;
    text.error(contract.where,
               fmt::format("second variant of the name '{}', the first is on line {}",
                           contract.name, first->second->where.line));
  }
  text.throw_errors();
  return contracts;
}

}  // namespace warpcheck::kernels
