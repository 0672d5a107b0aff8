// The statements that must hold for every case in a contract's domain.
#pragma once

#include <span>
#include <string_view>

namespace warpcheck::properties {

struct PropertyName {
  std::string_view name;       // as `--property` and the case line's `property=` spell it
  std::string_view statement;  // one sentence
};

/// All of them; the first, matches-reference, is asked of every case.
[[nodiscard]] std::span<const PropertyName> properties();

}  // namespace warpcheck::properties
