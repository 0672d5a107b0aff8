// The instances of a [[variant]]: the same contract with other macros and constants.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contract/read/value_reader.hpp"

namespace warpcheck::contract {

/// Reads the keys of [[variant.instances]] that are not those of the variant.
class InstancesReader : ValueReader {
 public:
  explicit InstancesReader(TomlText& text) : ValueReader(text) {}

  /// The tables of `instances`. Reports unknown keys, and names that only some of them set.
  std::vector<const toml::table*> tables(const toml::node& node);

  /// Returns the name that the instance states, or "tiled_BM64_BN32" for the variant "tiled".
  std::string name(const toml::table& instance, std::string_view variant);

 private:
  void require_same_names(const std::vector<const toml::table*>& instances, std::string_view key);
};

/// A name that an instance sets.
struct InstanceName {
  std::string name;
  Location where;
};

/// The names that the table `key` of an instance sets, in the order of the text.
[[nodiscard]] std::vector<InstanceName> names_of(const TomlText& text, const toml::table& instance,
                                                 std::string_view key);

}  // namespace warpcheck::contract
