// Reads the keys of a contract that concern the compilation: include, defines, flags, arch,
// constants.
#pragma once

#include <string>
#include <vector>

#include "contract/contract.hpp"
#include "contract/read/value_reader.hpp"

namespace warpcheck::contract {

class BuildReader : ValueReader {
 public:
  BuildReader(TomlText& text, Contract& contract, Constants& constants)
      : ValueReader(text), contract_(contract), values_(constants) {}

  void read_include(const toml::node& node);
  void read_flags(const toml::node& node);
  void read_arch(const toml::node& node);

  /// Adds macros, or replaces their values.
  void read_defines(const toml::node& node, bool from_instance);

  /// Adds constants, or replaces their values.
  void read_constants(const toml::node& node);

 private:
  void add_define(const toml::key& key, const toml::node& node, bool from_instance);
  void add_constant(const toml::key& key, const toml::node& node);

  Contract& contract_;
  Constants& values_;
};

/// The names that [defaults], a variant or an instance gives a value. Their values are not known.
[[nodiscard]] Constants declared_names(const toml::table& document);

}  // namespace warpcheck::contract
