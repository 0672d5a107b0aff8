// Computes the result of an instruction exactly, as defined in the PTX manual, without code of the
// virtual device: integers in 128 bits, floating-point values with MPFR.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/golden/forms/form.hpp"

namespace warpcheck::fuzz {

/// Converts the bits of the operands to those of the result as the form stores them; empty if the
/// manual does not define them (the payload of a NaN, a division by zero).
using Oracle = std::function<std::optional<std::uint64_t>(std::span<const std::uint64_t> operands)>;

/// Returns null for forms that the oracle does not cover: approximations, carry chains, memory,
/// warps.
[[nodiscard]] Oracle oracle(const golden::Form& form);

/// Mnemonic and modifiers of an instruction, split at the dots.
struct Spelling {
  std::vector<std::string> parts;
  std::optional<std::uint64_t> immediate;  // its last operand, if that is a number

  [[nodiscard]] bool has(std::string_view part) const;
  [[nodiscard]] const std::string& mnemonic() const { return parts.front(); }
  /// Returns a part, counted from the end, where the types are: 0 is the last part.
  [[nodiscard]] const std::string& from_last(std::size_t n) const {
    return parts.at(parts.size() - 1 - n);
  }
};

[[nodiscard]] Oracle integer_oracle(const Spelling& spelling);
[[nodiscard]] Oracle float_oracle(const Spelling& spelling);
[[nodiscard]] Oracle convert_oracle(const Spelling& spelling);
[[nodiscard]] Oracle compare_oracle(const Spelling& spelling);

}  // namespace warpcheck::fuzz
