#include "contract/read/workspace_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "contract/contract_words.hpp"

namespace warpcheck::contract {

void WorkspaceReader::read(const toml::node& node, bool is_default) {
  const auto* table = node.as_table();
  if (table == nullptr) {
    return wrong_type(node, "a table with 'bytes' and 'zeroed', or one of such tables");
  }
  const bool named = !table->empty() && std::all_of(table->begin(), table->end(), [](auto entry) {
    return entry.second.is_table();
  });
  if (!named) return read_one(*table, "workspace", is_default);
  for (const auto& [key, value] : *table) {
    if (!is_workspace_name(key.str())) {
      text_.error(text_.at(key.source().begin),
                  fmt::format("workspace '{}': expected letters, digits and '_'", key.str()));
      continue;
    }
    read_one(*value.as_table(), fmt::format("workspace.{}", key.str()), is_default);
  }
}

void WorkspaceReader::read_one(const toml::table& table, std::string name, bool is_default) {
  constexpr std::array<std::string_view, 2> kKeys = {"bytes", "zeroed"};
  require_known_keys(table, kKeys);
  Workspace workspace;
  workspace.name = std::move(name);
  if (const toml::node* bytes = table.get("bytes")) {
    workspace.bytes =
        expression(*bytes, ExpressionNames(contract_.tensors.get()).contract_vocabulary());
  }
  if (const toml::node* zeroed = table.get("zeroed")) read_truth(*zeroed, workspace.zeroed);
  places_.push_back(is_default ? contract_.where : text_.at(table));
  contract_.workspaces.push_back(std::move(workspace));
}

void WorkspaceReader::match(bool described, bool arguments_known) {
  std::set<std::string> taken;
  for (const LaunchStep& step : contract_.launches) {
    for (const Argument& argument : step.arguments) {
      if (argument.word != ArgumentWord::workspace || !taken.insert(argument.text).second) continue;
      if (!described && argument.text == "workspace") {
        contract_.workspaces.emplace_back();
      } else if (std::none_of(
                     contract_.workspaces.begin(), contract_.workspaces.end(),
                     [&](const Workspace& known) { return known.name == argument.text; })) {
        text_.error(
            argument.where,
            fmt::format("argument '{}', which `workspace` does not describe", argument.text));
      }
    }
  }
  if (!arguments_known) return;
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const std::string& name = contract_.workspaces[i].name;
    if (taken.contains(name)) continue;
    text_.error(places_[i], name == "workspace"
                                ? "no argument of the kernel is the workspace"
                                : fmt::format("no argument of a launch is '{}'", name));
  }
}

}  // namespace warpcheck::contract
