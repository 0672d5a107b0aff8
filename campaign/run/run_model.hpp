// The operands and the launches of a problem, by the kind of operation.
#pragma once

#include <cstdint>

#include "campaign/case/case.hpp"
#include "campaign/case/operation_model.hpp"
#include "campaign/run/operands.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::run {

struct Problem;
class BufferAdder;

/// See model_of().
class RunModel {
 public:
  static const RunModel& of_matrices();
  static const RunModel& of_tensors();

  RunModel() = default;
  RunModel(const RunModel&) = delete;
  RunModel& operator=(const RunModel&) = delete;
  virtual ~RunModel() = default;

  /// See operands.hpp.
  [[nodiscard]] virtual Operands operands(const contract::Contract& contract,
                                          const Case& problem) const = 0;

  /// Adds the buffers of the operands and sets the number of the output.
  virtual void add_operands(Problem& problem, BufferAdder& adder) const = 0;

  /// Sets the scalars of the problem as the kernel receives them.
  virtual void receive_scalars(Problem& problem) const = 0;

  /// Returns the bytes of a workspace whose size the contract does not state.
  [[nodiscard]] virtual std::int64_t workspace_bytes(const contract::Contract& contract,
                                                     const Case& problem) const = 0;

  /// Returns the warp instructions that a simple kernel may execute for the case.
  [[nodiscard]] virtual double most_instructions(const contract::Contract& contract,
                                                 const Case& problem) const = 0;

  /// Returns the bytes that each kernel transfers: those of the operands, each once.
  [[nodiscard]] virtual std::uint64_t compulsory_bytes(const Problem& problem) const = 0;

  /// Returns the format of a 16-bit scalar: bf16 if the kernel has operands of it.
  [[nodiscard]] virtual ScalarType half_format(const contract::Contract& contract) const = 0;
};

}  // namespace warpcheck::campaign::run
