// Reads the key `expect` of a specimen's contract.
#pragma once

#include <optional>

#include "contract/contract.hpp"
#include "contract/contract_words.hpp"
#include "contract/read/value_reader.hpp"

namespace warpcheck::contract {

class ExpectationReader : ValueReader {
 public:
  ExpectationReader(TomlText& text, Constants& constants, const ExpressionNames& names)
      : ValueReader(text, &constants), names_(names) {}

  /// Reads { classes = [...], smallest = "..." }. Empty if it is no table, which is reported.
  std::optional<Expectation> read(const toml::node& node);

 private:
  void read_classes(const toml::node& node, Expectation& expectation);

  const ExpressionNames& names_;
};

}  // namespace warpcheck::contract
