// The mutation operators: small defects as people write them, planted in one PTX instruction.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/analysis/registers.hpp"
#include "ptx/module.hpp"

namespace warpcheck::workflows::mutate::operators {

/// The instruction that replaces another one; empty if the instruction is dropped.
using Replacement = std::optional<ptx::Instruction>;

/// An instruction with what its operands' indices refer to.
struct Site {
  const ptx::Module& module;
  const ptx::Function& function;
  const ptx::Instruction& instruction;
};

/// One row: PTX that an operator makes is PTX that the decoder accepts wherever it accepted the
/// instruction.
struct Operator {
  std::string_view name;       // "barrier-dropped"
  std::string_view statement;  // the change, in a few words
  std::vector<Replacement> (*replacements)(const Site& site);
};

/// All of them, in the order of reports.
[[nodiscard]] std::span<const Operator> operators();

// The families, one file each.
[[nodiscard]] std::vector<Replacement> barrier_dropped(const Site& site);
[[nodiscard]] std::vector<Replacement> wait_changed(const Site& site);
[[nodiscard]] std::vector<Replacement> comparison_weakened(const Site& site);
[[nodiscard]] std::vector<Replacement> comparison_shifted(const Site& site);
[[nodiscard]] std::vector<Replacement> predicate_dropped(const Site& site);
[[nodiscard]] std::vector<Replacement> predicate_negated(const Site& site);
[[nodiscard]] std::vector<Replacement> address_shifted(const Site& site);
[[nodiscard]] std::vector<Replacement> vector_moved(const Site& site);
[[nodiscard]] std::vector<Replacement> store_dropped(const Site& site);
[[nodiscard]] std::vector<Replacement> constant_shifted(const Site& site);
[[nodiscard]] std::vector<Replacement> operands_swapped(const Site& site);
[[nodiscard]] std::vector<Replacement> fma_to_mul(const Site& site);
[[nodiscard]] std::vector<Replacement> rounding_changed(const Site& site);

using ptx::analysis::has_modifier;
using ptx::analysis::mnemonic;
using ptx::analysis::type_of;

}  // namespace warpcheck::workflows::mutate::operators
