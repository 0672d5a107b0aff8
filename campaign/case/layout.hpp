// The layout of a case's operands in memory.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/operand.hpp"
#include "campaign/case/placement.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign {

struct Layouts {
  Placement a;
  Placement b;
  Placement c;                    // C, which is also the output if there is no d
  std::optional<Placement> d;     // empty: the contract has no D
  std::optional<Placement> bias;  // empty: the contract has no bias
  // Inputs, then outputs, of an operation other than gemm, which has no matrices.
  std::vector<Placement> tensors = {};

  [[nodiscard]] const Placement& output() const {
    return !tensors.empty() ? tensors.back() : d ? *d : c;
  }
  [[nodiscard]] bool any_packed() const;
  /// Returns the places of all operands, in the order of the schema.
  [[nodiscard]] std::vector<const Placement*> all() const;
  /// Returns the place of an operand; null if the contract has no such operand.
  [[nodiscard]] const Placement* of(Operand operand) const;
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
