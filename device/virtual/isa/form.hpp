// The instruction table: every form of PTX that the machine executes is one row. The decoder, the
// page of supported forms and the tests of the table read these rows; there is no second list.
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

/// The parts of an instruction after its mnemonic: its types in order, and the other modifiers.
struct Selection {
  std::vector<Type> types;
  std::vector<std::string_view> modifiers;

  [[nodiscard]] bool has(std::string_view modifier) const;
  /// The n-th type; Type::none if there are fewer.
  [[nodiscard]] Type type(std::size_t n = 0) const;
};

/// The scope of an instruction; the device if it has none or is volatile (PTX ISA 8.5, 9.7.13.7).
[[nodiscard]] machine::Scope scope_of(const Selection& selection);

/// Returns the handler of the row's instruction for the types and modifiers; null if PTX does not
/// have the combination.
using Binder = Handler (*)(const Selection&);

class Lowering;

/// Decodes an instruction with operands other than registers and constants.
using Lower = void (*)(Lowering&);

struct Form {
  std::string_view mnemonic;
  /// Tokens separated by blanks: "wide" is required, "[sat]" is optional, "lo|hi" requires one of
  /// the two, "[rn|rz|rm|rp]" admits at most one. Types are not listed here.
  std::string_view modifiers;
  /// Blank-separated alternatives for the instruction's types: "u32 s32", "f32.f16" for two types,
  /// "" for none. "*": the binder decides.
  std::string_view types;
  /// Blank-separated operands, destinations first with "=": "t" is the first type, "u" the second,
  /// "w" has twice the width of the first; otherwise the name of a type. "[=p]": the optional
  /// second half of a `d|p` pair. Empty if `lower` decodes the operands.
  std::string_view operands;
  std::string_view section;  // section of the PTX ISA manual, version 9.0
  Binder bind = nullptr;
  DefinednessRule rule = nullptr;
  Lower lower = nullptr;
  /// True: all running lanes execute it together (control flow, barriers, exchanges). A guard in
  /// front of it becomes a branch around it.
  bool collective = false;
};

/// All rows, family by family.
[[nodiscard]] std::span<const Form> table();

// The families; each has its own file.
[[nodiscard]] std::span<const Form> integer_forms();
[[nodiscard]] std::span<const Form> simd_forms();
[[nodiscard]] std::span<const Form> stack_forms();
[[nodiscard]] std::span<const Form> video_forms();
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
[[nodiscard]] std::span<const Form> async_tensor_forms();
[[nodiscard]] std::span<const Form> store_async_forms();
[[nodiscard]] std::span<const Form> tensor_map_forms();
[[nodiscard]] std::span<const Form> mbarrier_forms();
[[nodiscard]] std::span<const Form> matrix_forms();
[[nodiscard]] std::span<const Form> mma_forms();
[[nodiscard]] std::span<const Form> wmma_forms();
[[nodiscard]] std::span<const Form> warpgroup_forms();
[[nodiscard]] std::span<const Form> cluster_forms();
[[nodiscard]] std::span<const Form> texture_forms();
[[nodiscard]] std::span<const Form> surface_forms();

/// Splits an instruction's parts after the mnemonic into types and modifiers.
[[nodiscard]] Selection selection_of(const ptx::Instruction& instruction);

/// True if the row accepts the modifiers and types.
[[nodiscard]] bool accepts(const Form& form, const Selection& selection);

}  // namespace warpcheck::isa
