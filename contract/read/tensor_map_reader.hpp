// Reads the key `tensor_map` of a contract.
#pragma once

#include <string>
#include <vector>

#include "contract/contract.hpp"
#include "contract/read/value_reader.hpp"

namespace warpcheck::contract {

class TensorMapReader : ValueReader {
 public:
  TensorMapReader(TomlText& text, Contract& contract, Constants& constants)
      : ValueReader(text, &constants), contract_(contract) {}

  /// Reads { of = "a", box = [64, 128], swizzle = 128, fill = "nan" }, or a table of such tables by
  /// their names.
  void read(const toml::node& node);

  /// Checks that each map has an argument, and each argument for a map a description. Adds to
  /// `requires` what the driver requires of a map.
  void match(bool arguments_known);

 private:
  void read_one(const toml::table& table, std::string name);
  void read_box(const toml::node& node, TensorMapArgument& map);
  void read_swizzle(const toml::node& node, TensorMapArgument& map);
  /// Does nothing for a box with errors.
  void check_box(const TensorMapArgument& map, const Location& where);
  void imply_conditions(const TensorMapArgument& map);

  Contract& contract_;
  std::vector<Location> places_;  // locations of the maps, in the same order
};

}  // namespace warpcheck::contract
