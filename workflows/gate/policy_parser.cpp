// TOML to a policy. The rules are those options of the table that have a key in policies, and three
// that no option can state: several devices, and what the gate requires of mutants and in percent.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "contract/read/toml_text.hpp"
#include "contract/read/value_reader.hpp"
#include "device/finding_classes.hpp"
#include "properties/law.hpp"
#include "workflows/gate/policy.hpp"

namespace warpcheck::workflows::gate {
namespace {

using Change = std::function<void(GateRules&)>;

constexpr double kLongest = 1e9;  // seconds
constexpr std::array<std::string_view, 2> kDevices = {"virtual", "cuda"};

std::vector<std::string_view> property_names() {
  std::vector<std::string_view> names;
  for (const properties::Law& property : properties::laws()) names.push_back(property.name);
  return names;
}

/// The keys of [reports].
std::vector<std::string_view> format_names() {
  std::vector<std::string_view> names;
  for (const settings::Option& option : settings::options()) {
    if (is_report(option)) names.push_back(option.name.substr(2));
  }
  std::ranges::sort(names);
  return names;
}

/// Appends the keys of the rules of all variants, which are also those of a group.
void add_rule_names(std::vector<std::string_view>& names) {
  names.emplace_back("devices");
  for (const settings::Option& option : settings::options()) {
    if (!option.policy.empty()) names.push_back(option.policy);
  }
  names.insert(names.end(), {"mutants", "minimum", "prove"});
}

class PolicyReader : contract::ValueReader {
 public:
  PolicyReader(contract::TomlText& text, const toml::table& table)
      : ValueReader(text), table_(table) {}

  GatePolicy read() {
    std::vector<std::string_view> known = {"targets", "variants",      "require_contracts",
                                           "group",   "known_failure", "reports"};
    add_rule_names(known);
    require_known_keys(table_, known);
    if (const toml::node* targets = table_.get("targets")) {
      policy_.targets = texts(*targets, "a target");
    } else {
      missing_key(table_, "targets");
    }
    if (const auto* variants = table_.get("variants")) {
      policy_.variants = texts(*variants, "a glob");
      policy_.variants_where = text_.at(*variants);
    }
    if (const auto* value = table_.get("require_contracts")) {
      read_truth(*value, policy_.require_contracts);
    }
    for (const Change& change : rules(table_)) change(policy_.rules);
    for (const toml::table* group : tables("group")) read_group(*group);
    for (const toml::table* known_failure : tables("known_failure")) {
      read_known_failure(*known_failure);
    }
    read_reports();
    return std::move(policy_);
  }

 private:
  std::vector<const toml::table*> tables(std::string_view key) {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return {};
    if (!node->is_array_of_tables()) {
      text_.error(*node, fmt::format("expected a table in double brackets, [[{}]]", key));
      return {};
    }
    std::vector<const toml::table*> all;
    for (const toml::node& table : *node->as_array()) all.push_back(table.as_table());
    return all;
  }

  /// A text, or one or more of them.
  std::vector<std::string> texts(const toml::node& node, std::string_view expected,
                                 std::span<const std::string_view> known = {}) {
    std::vector<std::string> all;
    const auto take = [&](const toml::node& element) {
      auto text = known.empty() ? string(element, expected)
                                : word(element, expected.substr(2), expected, known);
      if (!text) return;
      if (text->empty()) return text_.error(element, fmt::format("empty, expected {}", expected));
      all.push_back(std::move(*text));
    };
    if (const auto* array = node.as_array()) {
      for (const toml::node& element : *array) take(element);
      if (array->empty()) text_.error(node, fmt::format("empty, expected {} or more", expected));
    } else {
      take(node);
    }
    return all;
  }

  std::optional<std::int64_t> integer(const toml::node& node, std::int64_t least) {
    const auto* value = node.as_integer();
    if (value != nullptr && value->get() >= least) return value->get();
    if (value == nullptr) {
      wrong_type(node, "an integer");
    } else {
      text_.error(node, fmt::format("found {}, expected {} or more", value->get(), least));
    }
    return std::nullopt;
  }

  std::optional<double> number(const toml::node& node, double most, std::string_view expected) {
    const auto value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value) {
      wrong_type(node, expected);
    } else if (!(*value >= 0.0 && *value <= most)) {
      text_.error(node, fmt::format("found {}, expected {}", *value, expected));
    } else {
      return value;
    }
    return std::nullopt;
  }

  std::vector<Change> rules(const toml::table& table) {
    std::vector<Change> changes;
    if (const toml::node* node = table.get("devices")) {
      changes.emplace_back([devices = texts(*node, "a device", kDevices)](GateRules& rules) {
        rules.devices = devices;
      });
    }
    for (const settings::Option& option : settings::options()) {
      const toml::node* node = option.policy.empty() ? nullptr : table.get(option.policy);
      if (node != nullptr) read_option(option, *node, changes);
    }
    if (const toml::node* node = table.get("mutants")) {
      const auto mutants = static_cast<std::size_t>(integer(*node, 1).value_or(0));
      changes.emplace_back([mutants](GateRules& rules) { rules.mutants = mutants; });
    }
    if (const toml::node* node = table.get("minimum")) read_minimum(*node, changes);
    if (const toml::node* node = table.get("prove")) {
      changes.emplace_back(
          [properties = proved_properties(*node)](GateRules& rules) { rules.prove = properties; });
    }
    return changes;
  }

  /// `true`: all properties.
  std::vector<proof::Property> proved_properties(const toml::node& node) {
    if (const auto* value = node.as_boolean()) {
      return value->get() ? proof::all_properties() : std::vector<proof::Property>();
    }
    std::vector<std::string_view> names;
    for (const proof::Property property : proof::all_properties()) names.push_back(name(property));
    std::vector<proof::Property> properties;
    for (const std::string& text : texts(node, "a property", names)) {
      if (const auto property = proof::property_named(text)) properties.push_back(*property);
    }
    return properties;
  }

  /// Reads the rule that is an option of `check`.
  void read_option(const settings::Option& option, const toml::node& node,
                   std::vector<Change>& changes) {
    settings::Settings read;
    const auto read_value = [&]<typename Value>(Value& value) {
      const auto least = static_cast<std::int64_t>(option.value.least);
      if constexpr (std::is_same_v<Value, bool>) {
        read_truth(node, value);
      } else if constexpr (std::is_integral_v<Value>) {
        value = static_cast<Value>(integer(node, least).value_or(least));
      } else if constexpr (std::is_same_v<Value, double>) {
        value = number(node, kLongest, "a number of seconds").value_or(1.0);
        if (value == 0.0) text_.error(node, "found 0, expected a number of seconds");
      } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
        value = texts(node, "a property", property_names());
      }
    };
    visit_values(option, read_value, read);
    changes.emplace_back([&option, read](GateRules& rules) mutable {
      visit_values(
          option, [](const auto& value, auto& rule) { rule = value; }, read, rules.settings);
    });
  }

  void read_minimum(const toml::node& node, std::vector<Change>& changes) {
    constexpr std::array<std::pair<std::string_view, double Minimums::*>, 5> kFields = {
        {{"power", &Minimums::sensitivity},  // retired spelling
         {"sensitivity", &Minimums::sensitivity},
         {"lines", &Minimums::lines},
         {"branches", &Minimums::branches},
         {"mutation_score", &Minimums::mutation_score}}};
    const auto* table = node.as_table();
    if (table == nullptr) return wrong_type(node, "a table of percentages");
    std::vector<std::string_view> known;
    for (const auto& field : kFields) known.push_back(field.first);
    require_known_keys(*table, known);
    for (const auto& field : kFields) {
      const toml::node* value = table->get(field.first);
      if (value == nullptr) continue;
      if (const auto percent = number(*value, 100.0, "a percentage from 0 to 100")) {
        changes.emplace_back([member = field.second, percent = *percent](GateRules& rules) {
          rules.minimum.*member = percent;
        });
      }
    }
  }

  void read_group(const toml::table& table) {
    std::vector<std::string_view> known = {"variants"};
    add_rule_names(known);
    require_known_keys(table, known);
    GateGroup group;
    group.where = text_.at(table);
    if (const toml::node* variants = table.get("variants")) {
      group.variants = texts(*variants, "a glob");
    } else {
      missing_key(table, "variants");
    }
    group.changes = rules(table);
    policy_.groups.push_back(std::move(group));
  }

  void read_known_failure(const toml::table& table) {
    constexpr std::array<std::string_view, 6> kKnown = {"variant", "class",  "property",
                                                        "line",    "reason", "until"};
    require_known_keys(table, kKnown);
    for (const std::string_view key : {"variant", "class", "reason", "until"}) {
      if (table.get(key) == nullptr) missing_key(table, key);
    }
    KnownFailure known;
    known.where = text_.at(table);
    if (const toml::node* node = table.get("variant")) {
      known.variant = string(*node, "a glob").value_or("");
    }
    if (const toml::node* node = table.get("class")) {
      const auto text = word(*node, "class", "a class of findings", device::finding_class_names());
      if (text) known.kind = *finding_class(*text);
    }
    if (const toml::node* node = table.get("property")) {
      known.property = word(*node, "property", "a property", property_names()).value_or("");
    }
    if (const toml::node* node = table.get("line")) {
      known.line = static_cast<unsigned>(integer(*node, 1).value_or(0));
    }
    if (const toml::node* node = table.get("reason")) {
      known.reason = string(*node, "a reason").value_or("");
      if (node->is_string() && known.reason.find_first_not_of(" \t\n") == std::string::npos) {
        text_.error(*node, "found no reason, expected one");
      }
    }
    if (const toml::node* node = table.get("until")) {
      if (const auto* date = node->as_date()) {
        known.until = {date->get().year, date->get().month, date->get().day};
      } else {
        wrong_type(*node, "a date such as 2026-12-31, without quotes,");
      }
    }
    policy_.known_failures.push_back(std::move(known));
  }

  void read_reports() {
    const toml::node* node = table_.get("reports");
    if (node == nullptr) return;
    const auto* table = node->as_table();
    if (table == nullptr) return wrong_type(*node, "a table of files");
    require_known_keys(*table, format_names());
    for (const auto& [format, file] : *table) {
      const auto path = string(file, "a file");
      if (path && path->empty()) text_.error(file, "empty, expected a file");
      if (path) policy_.reports[std::string(format.str())] = *path;
    }
  }

  const toml::table& table_;
  GatePolicy policy_;
};

}  // namespace

GatePolicy parse_policy(std::string_view toml, const std::string& file) {
  contract::TomlText text(toml, {file, 1, 1});
  const toml::table table = text.parse();
  GatePolicy policy = PolicyReader(text, table).read();
  policy.file = file;
  text.throw_errors();
  return policy;
}

}  // namespace warpcheck::workflows::gate
