// Reads the key `batch_invariant` of a contract.
#pragma once

#include <string>
#include <vector>

#include "contract/contract.hpp"
#include "contract/read/value_reader.hpp"

namespace warpcheck::contract {

class BatchReader : ValueReader {
 public:
  BatchReader(TomlText& text, Contract& contract) : ValueReader(text), contract_(contract) {}

  /// Reads `true` for the rows and products of gemm, or the names of extents.
  void read(const toml::node& node);

 private:
  void read_name(const toml::node& node);

  Contract& contract_;
};

}  // namespace warpcheck::contract
