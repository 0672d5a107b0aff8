// Types whose values the operands of two contracts have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "contract/contract.hpp"

namespace warpcheck::workflows::diff {

/// Throws InputError, located at the second contract.
[[noreturn]] void refuse_comparison(const contract::Contract& one, const contract::Contract& other,
                                    const std::string& reason);

/// Two contracts of one operation, and the first one with types that both have.
struct JoinedTypes {
  /// Replaces the type of an operand by one of values that the second type has too. Throws
  /// InputError if there is none.
  void join(std::string_view operand, ScalarType& type, ScalarType second);

  const contract::Contract& one;
  const contract::Contract& other;
  contract::Contract joint;
  bool same_values = true;           // a case has the same operand values under each contract alone
  std::vector<std::string> remarks;  // the differences, each a sentence without its period
};

}  // namespace warpcheck::workflows::diff
