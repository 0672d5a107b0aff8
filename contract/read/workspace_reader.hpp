// Reads the key `workspace` of a contract.
#pragma once

#include <string>
#include <vector>

#include "contract/contract.hpp"
#include "contract/read/value_reader.hpp"

namespace warpcheck::contract {

class WorkspaceReader : ValueReader {
 public:
  WorkspaceReader(TomlText& text, Contract& contract, Constants& constants)
      : ValueReader(text, &constants), contract_(contract) {}

  /// Reads { bytes = ..., zeroed = ... }, or a table of such tables by their names. `is_default`:
  /// the value is that of [defaults].
  void read(const toml::node& node, bool is_default);

  /// Checks that each workspace has an argument, and each argument for a workspace a description.
  /// Only `workspace` itself needs none. `described`: the contract has the key.
  void match(bool described, bool arguments_known);

 private:
  void read_one(const toml::table& table, std::string name, bool is_default);

  Contract& contract_;
  std::vector<Location> places_;  // locations of the described workspaces
};

}  // namespace warpcheck::contract
