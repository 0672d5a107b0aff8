// Finds a built-in variant by name, for benchmarks.
#pragma once

#include <stdexcept>
#include <string>

#include "contract/compile/variant.hpp"

namespace warpcheck::bench {

inline contract::Variant built_in(const std::string& name) {
  for (contract::Variant& variant : contract::builtin_variants()) {
    if (variant.contract.name == name) return std::move(variant);
  }
  throw std::runtime_error("no built-in variant " + name);
}

}  // namespace warpcheck::bench
