// The properties and the comparison with the reference, by the kind of operation.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "campaign/case/operation_model.hpp"
#include "campaign/checks/check_result.hpp"
#include "contract/contract.hpp"

namespace warpcheck::campaign::checks {

/// A feature of a kernel on which laws depend.
enum class Trait : std::uint8_t {
  pads_outputs,          // the kernel takes a stride of an output
  pads_operands,         // the kernel takes a stride
  ignores_c,             // D does not depend on C if beta is 0
  ignores_a_and_b,       // D does not depend on A and B if alpha is 0
  is_product,            // D is a product of matrices
  scales_exactly,        // powers of two scale D without rounding
  rounds_products_once,  // a single product is rounded to nearest
  rounds_sums_once,      // the sum of two exact products is rounded to nearest
};

/// See model_of().
class CheckModel {
 public:
  static const CheckModel& of_matrices();
  static const CheckModel& of_tensors();

  CheckModel() = default;
  CheckModel(const CheckModel&) = delete;
  CheckModel& operator=(const CheckModel&) = delete;
  virtual ~CheckModel() = default;

  [[nodiscard]] virtual bool has(Trait trait, const contract::Contract& contract) const = 0;

  /// Throws InputError if the contract has no reference.
  virtual void require_reference(const contract::Contract& contract) const = 0;

  /// Makes a function of the host the reference of the contract. Returns false, and changes
  /// nothing, if the operation has a reference of its own.
  [[nodiscard]] virtual bool set_reference(
      contract::Contract& contract,
      const std::shared_ptr<operation::HostFunction>& function) const = 0;

  /// Returns true if the bound has room for an instruction that rounds the other way: it is that of
  /// any order of evaluation, fused or not.
  [[nodiscard]] virtual bool bounds_every_order() const = 0;

  /// Returns true if the data of the case can expose the loss of a single term.
  [[nodiscard]] virtual bool shows_terms(const contract::Contract& contract,
                                         const Case& problem) const = 0;

  /// Changes a case so that the output does not depend on what it held before the launch.
  [[nodiscard]] virtual Case overwriting(Case problem) const = 0;

  /// See with_padding() below.
  [[nodiscard]] virtual Case with_padding(const contract::Contract& contract,
                                          Case problem) const = 0;

  /// Compares the outputs of a finished run with the reference. The runner may repeat the run to
  /// locate a wrong element.
  [[nodiscard]] virtual CheckResult compare(run::Runner& runner, const run::Problem& problem,
                                            const run::Run& run) const = 0;

  /// compare(), but may take the operands of the problem instead of copying them.
  [[nodiscard]] virtual CheckResult compare_and_take(run::Runner& runner, run::Problem&& problem,
                                                     const run::Run& run) const {
    return compare(runner, problem, run);
  }
};

/// The case with every leading dimension and stride that the contract takes, and that is tight,
/// wider by the least amount that `requires` allows; those that it pins stay.
[[nodiscard]] inline Case with_padding(const contract::Contract& contract, Case problem) {
  return model_of<CheckModel>(contract).with_padding(contract, std::move(problem));
}

/// The case with bases moved off their 256-byte boundary by the least amount that `requires`
/// allows.
[[nodiscard]] Case with_shifted_bases(const contract::Contract& contract, Case problem);

}  // namespace warpcheck::campaign::checks
