// Facts about a PTX text that its tokens show. The readers need no module, or their text may be
// incomplete or wrong. None of these functions throws; each takes one or two passes over the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::ptx {

struct EntryParameter {
  std::size_t bytes = 0;
  bool floating = false;  // declared .f16, .f32 or .f64, or loaded as such
  bool untyped = false;   // declared .b8 to .b64, and not loaded as a number; or an array
};

/// A kernel of the text.
struct EntryPoint {
  std::string name;  // mangled
  std::vector<EntryParameter> parameters;
  std::string signature = {};  // "f(float, int)" of an extern "C" function, whose name lacks it
};

/// Every `.entry` in the order of the text (PTX ISA, "Kernel and Function Directives: .entry"). The
/// first load with a type decides how the kernel uses a parameter of untyped bits.
[[nodiscard]] std::vector<EntryPoint> entry_points(std::string_view text);

/// The architecture that `.target` names, "sm_80"; empty if the text has no such directive.
[[nodiscard]] std::string_view target_architecture(std::string_view text);

/// Identifiers outside function bodies and initializers that contain `part`, in the order of the
/// text, with repetition.
[[nodiscard]] std::vector<std::string_view> module_identifiers_containing(std::string_view text,
                                                                          std::string_view part);

/// Decimal integers that `entry` has as operands of the instructions whose name begins with one of
/// `prefixes`, such as "mul.lo.". Negative numbers are left out.
[[nodiscard]] std::set<std::int64_t> integer_operands(std::string_view text, std::string_view entry,
                                                      std::span<const std::string_view> prefixes);

/// True if the text declares variables in global memory and uses one of them elsewhere, so that
/// their values can outlive a launch. Also true for a declaration of several variables.
[[nodiscard]] bool uses_global_variables(std::string_view text);

/// The entries that read an %envreg register. The address of a grid barrier is in such a register,
/// so these kernels require a cooperative launch.
[[nodiscard]] std::set<std::string, std::less<>> cooperative_entries(std::string_view text);

}  // namespace warpcheck::ptx
