// Reads contracts from TOML. Each key of a [[variant]] is a row of one table; the keys of a launch
// are in launch_reader.cpp. [defaults] has the same keys except `name` and `launch`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "base/closest_word.hpp"
#include "contract/contract.hpp"
#include "contract/contract_keys.hpp"
#include "contract/contract_words.hpp"
#include "contract/kernel_key.hpp"
#include "contract/read/batch_reader.hpp"
#include "contract/read/build_reader.hpp"
#include "contract/read/document_tables.hpp"
#include "contract/read/expectation_reader.hpp"
#include "contract/read/factor_reader.hpp"
#include "contract/read/instances.hpp"
#include "contract/read/launch_reader.hpp"
#include "contract/read/operation_reader.hpp"
#include "contract/read/predecessor_reader.hpp"
#include "contract/read/tensor_map_reader.hpp"
#include "contract/read/typed_operation_reader.hpp"
#include "contract/read/value_reader.hpp"
#include "contract/read/workspace_reader.hpp"

namespace warpcheck::contract {
namespace {

class VariantReader : ValueReader {
 public:
  /// Reads one instance of the variant, or the variant if `instance` is null. `operations` are
  /// those of the document.
  VariantReader(TomlText& text, const TableWithDefaults& table, const Operations& operations,
                KernelKey kernel = KernelKey::required, const toml::table* instance = nullptr)
      : ValueReader(text),
        table_(table),
        operations_(operations),
        kernel_(kernel),
        instance_(instance) {
    constants_ = &values_;
    contract_.tensors = TypedOperationReader(text).read(table, operations, contract_.accumulate);
    names_ = ExpressionNames(contract_.tensors.get());
  }

  static std::vector<std::string_view> keys() {
    std::vector<std::string_view> names;
    for (const Key& key : kKeys) names.push_back(key.name);
    for (const std::string_view key : LaunchReader::keys()) names.push_back(key);
    return names;
  }

  /// Reports the errors of a [defaults] table, also in values that every variant replaces. `names`
  /// are those that variants may give a value.
  static void check_defaults(TomlText& text, const toml::table& defaults, const Constants& names,
                             const Operations& operations) {
    VariantReader reader(text, {defaults}, operations);
    reader.values_ = names;
    std::vector<std::string_view> known = keys();
    std::erase_if(known, [](std::string_view key) { return is_of_one_variant(key); });
    for (const auto& [key, value] : defaults) {
      if (is_of_one_variant(key.str())) {
        text.error(text.at(key.source().begin),
                   fmt::format("'{}' in [defaults]: expected it in each [[variant]]", key.str()));
      } else if (std::find(known.begin(), known.end(), key.str()) == known.end()) {
        text.error(text.at(key.source().begin), unknown("key", key.str(), known));
      }
    }
    for (const Key& key : kKeys) {
      const toml::node* value = defaults.get(key.name);
      if (value != nullptr && !is_of_one_variant(key.name)) (reader.*key.read)(*value);
    }
    LaunchReader(text, {defaults}, reader.values_, reader.contract_.tensors.get()).check_values();
  }

  Contract read() {
    contract_.where = text_.at(instance_ != nullptr ? *instance_ : table_.own);
    require_known_keys();
    for (const Key& key : kKeys) {
      const toml::node* value =
          is_of_one_variant(key.name) ? table_.own.get(key.name) : table_.get(key.name);
      const std::string other = operation_with_key(key.name, contract_.tensors != nullptr);
      if (value != nullptr && !other.empty()) {
        text_.error(*value, fmt::format("'{}' is a key of {}", key.name, other));
      } else if (value != nullptr && !is_other_spelling(key.name)) {
        (this->*key.read)(*value);
      } else if (key.required) {
        missing_key(table_.own, key.name);
      }
    }
    if (table_.own.get("launch") == nullptr) read_step(table_);
    tensor_maps_.match(arguments_known_);
    require_output();
    if (arguments_known_) FactorReader(text_, contract_).match(table_.own);
    predecessor_.match(arguments_known_);
    workspaces_.match(table_.get("workspace") != nullptr, arguments_known_);
    require_used_constants();
    contract_.imply_launch();
    contract_.imply_divisors();
    return std::move(contract_);
  }

 private:
  struct Key {
    std::string_view name;
    bool required;
    void (VariantReader::*read)(const toml::node&);
  };
  static const std::array<Key, 26> kKeys;

  /// Keys that must differ between the variants of a file, so that [defaults] cannot have them.
  static bool is_of_one_variant(std::string_view key) { return key == "name" || key == "launch"; }

  void require_known_keys() {
    std::vector<std::string_view> known = keys();
    if (const toml::node* when = table_.own.get("when")) {
      text_.error(*when,
                  "'when' outside [[variant.launch]]: expected it in a launch, or in "
                  "`requires`");
      known.emplace_back("when");
    }
    ValueReader::require_known_keys(table_.own, known);
  }

  /// True if the table has the key `arch` or `architecture` in the other spelling, which applies.
  bool is_other_spelling(std::string_view key) {
    if (key != "arch" && key != "architecture") return false;
    const std::string_view other = key == "arch" ? "architecture" : "arch";
    if (table_.own.contains(other) && !table_.own.contains(key)) return true;
    if (key == "architecture" && table_.own.contains(key) == table_.own.contains(other) &&
        table_.get(other) != nullptr) {
      text_.error(*table_.get(key), "'architecture' next to 'arch', which means the same");
    }
    return false;
  }

  void read_name(const toml::node& node) {
    const auto text = string(node, "a name");
    if (!text) return;
    if (!is_variant_name(*text)) {
      text_.error(node,
                  fmt::format("name '{}': expected letters, digits, '_', '-' and '.'", *text));
    }
    contract_.name = *text;
    if (instance_ == nullptr) return;
    contract_.instance_of = *text;
    contract_.name = InstancesReader(text_).name(*instance_, *text);
  }

  void read_defines(const toml::node& node) { build_.read_defines(node, false); }
  void read_constants(const toml::node& node) { build_.read_constants(node); }

  /// Reads the macros and constants of the instance, which replace those of the variant.
  void read_instances(const toml::node&) {
    if (instance_ == nullptr) return;
    const toml::node* defines = instance_->get("defines");
    const toml::node* constants = instance_->get("constants");
    if (defines != nullptr) build_.read_defines(*defines, true);
    if (constants != nullptr) build_.read_constants(*constants);
  }

  /// A constant without an effect is rather a misspelled one.
  void require_used_constants() {
    if (instance_ == nullptr) return;
    for (const InstanceName& constant : names_of(text_, *instance_, "constants")) {
      if (values_.is_used(constant.name) || !values_.has(constant.name)) continue;
      text_.error(constant.where, fmt::format("neither `kernel` nor an expression has the constant "
                                              "'{}'",
                                              constant.name));
    }
  }

  /// Sizes that the kernel is compiled for: { m = "M", n = 256 }.
  void read_fix(const toml::node& node) {
    const auto* table = node.as_table();
    if (table == nullptr) return wrong_type(node, "a table of sizes, such as { m = 512 },");
    const auto sizes = names_.contract_vocabulary().names;
    ValueReader::require_known_keys(*table, sizes);
    for (const auto& [key, value] : *table) {
      const auto size = expression(value, names_.contract_vocabulary());
      if (!size) continue;
      const bool is_known = std::find(sizes.begin(), sizes.end(), key.str()) != sizes.end();
      if (!size->names().empty() && is_known && !constants_->occur_in(*size)) {
        text_.error(value, fmt::format("'{}' is not constant: state a relation of sizes in "
                                       "`requires`",
                                       size->text()));
      } else if (const auto number = constant(*size); number && is_known) {
        const std::string text = fmt::format("{} == {}", key.str(), *number);
        contract_.requires_.push_back(Expression::parse(text, text_.at(value)));
      }
    }
  }

  void read_include(const toml::node& node) { build_.read_include(node); }
  void read_flags(const toml::node& node) { build_.read_flags(node); }
  void read_arch(const toml::node& node) { build_.read_arch(node); }

  void read_operation(const toml::node& node) {
    std::vector<std::string_view> known(kOperations.begin(), kOperations.end());
    for (const auto& operation : operations_) known.push_back(operation.name);
    if (auto text = word(node, "operation", "an operation", known)) {
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
    if (contract_.tensors != nullptr) return;  // read with the operation
    auto words = type_words();
    std::erase(words, name(ScalarType::s64));  // sums beyond 2^53 would not be exact
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

  void read_launches(const toml::node& node) {
    for (const std::string_view key : LaunchReader::keys()) {
      if (const toml::node* value = table_.own.get(key)) {
        text_.error(*value, fmt::format("'{}' next to [[variant.launch]]: expected it in each "
                                        "launch",
                                        key));
      }
    }
    if (!node.is_array_of_tables()) {
      return text_.error(node, "expected a table in double brackets, [[variant.launch]]");
    }
    for (const toml::node& launch : *node.as_array()) {
      ValueReader::require_known_keys(*launch.as_table(), LaunchReader::keys_of_several());
      read_step({*launch.as_table(), table_.defaults});
    }
  }

  void read_step(const TableWithDefaults& table) {
    LaunchReader reader(text_, table, values_, contract_.tensors.get(), kernel_);
    contract_.launches.push_back(reader.read());
    arguments_known_ = arguments_known_ && reader.arguments_known();
  }

  void require_output() {
    if (!arguments_known_ || contract_.launches.empty()) return;
    if (contract_.tensors != nullptr)
      return TypedOperationReader(text_).require_arguments(contract_);
    if (contract_.takes(ArgumentWord::c) || contract_.takes(ArgumentWord::d)) return;
    const bool one = contract_.launches.size() == 1;
    text_.error(one ? contract_.launches.front().arguments_where : contract_.where,
                fmt::format("no output among the arguments{}: expected 'c' or 'd'",
                            one ? "" : " of the launches"));
  }

  void read_workspace(const toml::node& node) {
    workspaces_.read(node, table_.own.get("workspace") == nullptr);
  }
  void read_tensor_map(const toml::node& node) { tensor_maps_.read(node); }
  void read_requires(const toml::node& node) {
    const auto* array = node.as_array();
    if (array == nullptr) return wrong_type(node, "an array of expressions");
    for (const toml::node& element : *array) {
      for (Expression& condition : conditions(element, names_.contract_vocabulary())) {
        require_truth(condition);
        contract_.requires_.push_back(std::move(condition));
      }
    }
  }

  void read_split_k(const toml::node& node) {
    const auto* text = node.as_string();
    const bool is_constant = text != nullptr && constants_->has(text->get());
    if (!node.is_integer() && !is_constant) return wrong_type(node, "an integer");
    const auto parts = expression(node, kContractVocabulary);
    const auto value = parts ? constant(*parts) : std::nullopt;
    if (!value) return;
    if (*value < 1) {
      return text_.error(node, fmt::format("split_k is {}: expected 1 or more", *value));
    }
    contract_.split_k = *value;
  }

  void read_deterministic(const toml::node& node) { read_truth(node, contract_.deterministic); }
  void read_batch_invariant(const toml::node& node) { BatchReader(text_, contract_).read(node); }
  void read_predecessor(const toml::node& node) { predecessor_.read(node); }
  void read_fast_math(const toml::node& node) { read_truth(node, contract_.fast_math); }
  void read_strict_barriers(const toml::node& node) { read_truth(node, contract_.strict_barriers); }
  void read_tensor_cores(const toml::node& node) { read_truth(node, contract_.tensor_cores); }

  void read_alpha_zero(const toml::node& node) {
    FactorReader(text_, contract_).read_alpha_zero(node);
  }
  void read_beta_zero(const toml::node& node) {
    FactorReader(text_, contract_).read_beta_zero(node);
  }

  void read_expect(const toml::node& node) {
    contract_.expect = ExpectationReader(text_, values_, names_).read(node);
  }

  TableWithDefaults table_;
  const Operations& operations_;
  KernelKey kernel_;
  const toml::table* instance_;
  Contract contract_;
  ExpressionNames names_{nullptr};
  Constants values_;
  BuildReader build_{text_, contract_, values_};
  WorkspaceReader workspaces_{text_, contract_, values_};
  TensorMapReader tensor_maps_{text_, contract_, values_};
  PredecessorReader predecessor_{text_, contract_};
  bool arguments_known_ = true;  // all arguments are words of contracts
};

const std::array<VariantReader::Key, 26> VariantReader::kKeys = {{
    {"name", true, &VariantReader::read_name},
    {"defines", false, &VariantReader::read_defines},
    {"constants", false, &VariantReader::read_constants},
    {"instances", false, &VariantReader::read_instances},
    {"fix", false, &VariantReader::read_fix},
    {"include", false, &VariantReader::read_include},
    {"flags", false, &VariantReader::read_flags},
    {"arch", false, &VariantReader::read_arch},
    {"operation", true, &VariantReader::read_operation},
    {"layout", false, &VariantReader::read_layout},
    {"types", false, &VariantReader::read_types},
    {"tensor_cores", false, &VariantReader::read_tensor_cores},
    {"launch", false, &VariantReader::read_launches},
    {"workspace", false, &VariantReader::read_workspace},
    {"tensor_map", false, &VariantReader::read_tensor_map},
    {"requires", false, &VariantReader::read_requires},
    {"split_k", false, &VariantReader::read_split_k},
    {"deterministic", false, &VariantReader::read_deterministic},
    {"batch_invariant", false, &VariantReader::read_batch_invariant},
    {"predecessor", false, &VariantReader::read_predecessor},
    {"fast_math", false, &VariantReader::read_fast_math},
    {"strict_barriers", false, &VariantReader::read_strict_barriers},
    {"alpha_zero", false, &VariantReader::read_alpha_zero},
    {"beta_zero", false, &VariantReader::read_beta_zero},
    {"architecture", false, &VariantReader::read_arch},
    {"expect", false, &VariantReader::read_expect},
}};

/// The [defaults] of the document, checked; null where there are none.
const toml::table* defaults_of(TomlText& text, const toml::table& document,
                               const Operations& operations) {
  const toml::node* node = document.get("defaults");
  if (node == nullptr) return nullptr;
  const toml::table* defaults = node->as_table();
  if (defaults == nullptr) {
    text.error(*node, "expected one table, [defaults]");
  } else {
    VariantReader::check_defaults(text, *defaults, declared_names(document), operations);
  }
  return defaults;
}

/// Appends the contract of the variant, or those of its instances.
void read_variant(TomlText& text, const TableWithDefaults& table, const Operations& operations,
                  KernelKey kernel, std::vector<Contract>& contracts) {
  const toml::node* instances = table.get("instances");
  const auto tables = instances == nullptr ? std::vector<const toml::table*>()
                                           : InstancesReader(text).tables(*instances);
  if (tables.empty()) contracts.push_back(VariantReader(text, table, operations, kernel).read());
  for (const toml::table* instance : tables) {
    contracts.push_back(VariantReader(text, table, operations, kernel, instance).read());
  }
}

}  // namespace

std::vector<std::string_view> contract_keys() {
  std::vector<std::string_view> names = VariantReader::keys();
  names.push_back(LaunchReader::keys_of_several().back());
  return names;
}

std::vector<Contract> parse_contracts(std::string_view toml, const Location& where) {
  return parse_contracts(toml, where, KernelKey::required);
}

std::vector<Contract> parse_contracts(std::string_view toml, const Location& where,
                                      KernelKey kernel) {
  TomlText text(toml, where);
  const toml::table document = text.parse();
  require_tables(text, document, contract_keys());
  std::vector<Contract> contracts;
  const auto operations = OperationReader(text).read(document);
  const toml::table* defaults = defaults_of(text, document, operations);
  // Each variant would lack its keys.
  if (defaults == nullptr && document.get("defaults") != nullptr) text.throw_errors();
  const toml::node* variants = document.get("variant");
  if (variants == nullptr) {
    text.error(document, "no [[variant]] table");
  } else if (!variants->is_array_of_tables()) {
    text.error(*variants, "expected a table in double brackets, [[variant]]");
  } else {
    for (const toml::node& variant : *variants->as_array()) {
      read_variant(text, {*variant.as_table(), defaults}, operations, kernel, contracts);
    }
  }
  std::map<std::string_view, const Contract*> by_name;
  for (const Contract& contract : contracts) {
    const auto [first, is_new] = by_name.emplace(contract.name, &contract);
    if (is_new || contract.name.empty()) continue;
    text.error(contract.where,
               fmt::format("second variant with the name '{}', the first is on line {}",
                           contract.name, first->second->where.line));
  }
  text.throw_errors();
  return contracts;
}

}  // namespace warpcheck::contract
