// The instruction table: every form of PTX that the machine runs is one row. The decoder, the
// supported-forms page and the tests that guard the table all read these rows and nothing else.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/virtual/machine/core/op.hpp"
#include "ptx/module.hpp"

namespace warpcheck::isa {

using machine::DefinednessRule;
using machine::Handler;
using ptx::Type;

/// What an instruction's text says after its mnemonic: its types in order, and the other modifiers.
struct Selection {
  std::vector<Type> types;
  std::vector<std::string_view> modifiers;

  [[nodiscard]] bool has(std::string_view modifier) const;
  /// The n-th type; Type::none where there are fewer.
  [[nodiscard]] Type type(std::size_t n = 0) const;
};

/// How far an instruction reaches; without a scope, or volatile: the device (PTX
/// ISA 8.5, 9.7.13.7).
[[nodiscard]] machine::Scope scope_of(const Selection& selection);

/// The handler of a row's instruction for the chosen types and modifiers; null where PTX has no
/// such combination.
using Binder = Handler (*)(const Selection&);

class Lowering;

/// Decodes an instruction whose operands are not plain registers and constants.
using Lower = void (*)(Lowering&);

struct Form {
  std::string_view mnemonic;
  /// Tokens separated by blanks: "wide" must be there, "[sat]" may be, "lo|hi" is one of them,
  /// "[rn|rz|rm|rp]" at most one. Types are not listed here.
  std::string_view modifiers;
  /// Blank-separated alternatives for the instruction's types: "u32 s32", "f32.f16" for two types,
  /// "" for none. "*" leaves it to the binder.
  std::string_view types;
  /// Blank-separated operands, destinations first with "=": "t" is the first type, "u" the second,
  /// "w" twice the width of the first, otherwise a type's name. "[=p]" for the optional second half
  /// of a `d|p` pair. Empty where `lower` decodes the operands.
  std::string_view operands;
  std::string_view section;  // of the PTX ISA manual, version 9.0
  Binder bind = nullptr;
  DefinednessRule rule = nullptr;
  Lower lower = nullptr;
  /// Acts on all running lanes together (control flow, barriers, exchanges): a guard in front of it
  /// becomes a branch around it.
  bool collective = false;
};

/// All rows, family by family.
[[nodiscard]] std::span<const Form> table();

// The families, one file each.
[[nodiscard]] std::span<const Form> integer_forms();
[[nodiscard]] std::span<const Form> simd_forms();
[[nodiscard]] std::span<const Form> logic_forms();
[[nodiscard]] std::span<const Form> float_forms();
[[nodiscard]] std::span<const Form> half_forms();
[[nodiscard]] std::span<const Form> compare_forms();
[[nodiscard]] std::span<const Form> convert_forms();
[[nodiscard]] std::span<const Form> convert_pack_forms();
[[nodiscard]] std::span<const Form> move_forms();
[[nodiscard]] std::span<const Form> memory_forms();
[[nodiscard]] std::span<const Form> atomic_forms();
[[nodiscard]] std::span<const Form> control_forms();
[[nodiscard]] std::span<const Form> barrier_forms();
[[nodiscard]] std::span<const Form> exchange_forms();
[[nodiscard]] std::span<const Form> async_forms();
[[nodiscard]] std::span<const Form> async_bulk_forms();
[[nodiscard]] std::span<const Form> mbarrier_forms();
[[nodiscard]] std::span<const Form> matrix_forms();
[[nodiscard]] std::span<const Form> mma_forms();
[[nodiscard]] std::span<const Form> wmma_forms();

/// Splits an instruction's parts after the mnemonic into types and modifiers.
[[nodiscard]] Selection selection_of(const ptx::Instruction& instruction);

/// Whether the row accepts the selection's modifiers and types.
[[nodiscard]] bool accepts(const Form& form, const Selection& selection);

}  // namespace warpcheck::isa
