// Reads the keys `alpha_zero` and `beta_zero` of a contract.
#pragma once

#include <string_view>

#include "contract/contract.hpp"
#include "contract/read/value_reader.hpp"

namespace warpcheck::contract {

class FactorReader : ValueReader {
 public:
  FactorReader(TomlText& text, Contract& contract) : ValueReader(text), contract_(contract) {}

  void read_alpha_zero(const toml::node& node);
  void read_beta_zero(const toml::node& node);

  /// Checks that the kernel takes the factor of each of these keys of the table.
  void match(const toml::table& own);

 private:
  void read(const toml::node& node, std::string_view key, bool& reads);

  Contract& contract_;
};

}  // namespace warpcheck::contract
