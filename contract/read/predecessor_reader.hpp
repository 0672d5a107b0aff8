// Reads the key `predecessor` of a contract.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "contract/contract.hpp"
#include "contract/read/value_reader.hpp"

namespace warpcheck::contract {

class PredecessorReader : ValueReader {
 public:
  PredecessorReader(TomlText& text, Contract& contract) : ValueReader(text), contract_(contract) {}

  /// Reads { writes = ["a"], reads = ["c"] }.
  void read(const toml::node& node);

  /// Checks that each operand is an argument of a kernel.
  void match(bool arguments_known);

 private:
  void read_names(const toml::node& node, std::vector<std::string>& names);
  void read_name(const toml::node& node, std::vector<std::string>& names);

  Contract& contract_;
  std::vector<std::pair<std::string, Location>> named_;
};

}  // namespace warpcheck::contract
