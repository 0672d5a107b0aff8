// The layout of a case's operands in memory.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/placement.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

struct Layouts {
  std::vector<Placement> operands;  // those of the schema that the kernel takes, in its order
  std::size_t last_output = 0;

  [[nodiscard]] const Placement& output() const { return operands[last_output]; }
  [[nodiscard]] bool any_packed() const;
  /// Returns the place of an operand, "A"; null if the case has no such operand.
  [[nodiscard]] const Placement* find(std::string_view name) const;
  /// The same for an operand that the case has.
  [[nodiscard]] const Placement& at(std::string_view name) const { return *find(name); }
};

/// Throws InputError, located in the case line, if a leading dimension is less than the length of a
/// line, a stride is less than its matrix, batch is 0 or above 2^20, or a matrix takes more than
/// `limit_bytes`. A matrix above the limit whose lines alone take less is `packed`, up to
/// device::kMostBufferBytes with the gaps.
[[nodiscard]] Layouts lay_out(const contract::Contract& contract, const Case& problem,
                              std::size_t limit_bytes);

/// Returns true if lay_out() accepts the case.
[[nodiscard]] bool can_be_laid_out(const contract::Contract& contract, const Case& problem,
                                   std::size_t limit_bytes);

/// Returns true if lay_out() accepts the case and packs no matrix.
[[nodiscard]] bool fits(const contract::Contract& contract, const Case& problem,
                        std::size_t limit_bytes);

}  // namespace warpcheck::campaign
