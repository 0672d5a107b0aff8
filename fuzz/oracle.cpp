#include "fuzz/oracle.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace warpcheck::fuzz {
namespace {

/// Types of an instruction that operates on both halves of a register.
struct Halves {
  std::string_view packed;
  std::string_view half;
};
constexpr std::array kHalves{Halves{"f16x2", "f16"}, Halves{"bf16x2", "bf16"},
                             Halves{"u16x2", "u16"}, Halves{"s16x2", "s16"}};

Spelling spelling_of(const std::string& mnemonic) {
  Spelling spelling;
  std::istringstream stream(mnemonic);
  for (std::string part; std::getline(stream, part, '.');) spelling.parts.push_back(part);
  return spelling;
}

Oracle scalar_oracle(const Spelling& spelling) {
  for (const auto make : {convert_oracle, integer_oracle, float_oracle}) {
    if (Oracle found = make(spelling)) return found;
  }
  return nullptr;
}

Oracle by_halves(const Oracle& half) {
  return [half](std::span<const std::uint64_t> operands) -> std::optional<std::uint64_t> {
    std::uint64_t result = 0;
    for (const unsigned shift : {0U, 16U}) {
      std::vector<std::uint64_t> parts;
      for (const std::uint64_t operand : operands) parts.push_back(operand >> shift & 0xffff);
      const auto part = half(parts);
      if (!part) return part;
      result |= *part << shift;
    }
    return result;
  };
}

/// Checks the operands after a mnemonic, "%d0, %a0, %a1" and an optional number.
std::optional<Spelling> plain_spelling(const golden::Form& form) {
  const std::size_t blank = form.name.find(' ');
  if (blank == std::string::npos || form.outputs.size() != 1) return std::nullopt;
  Spelling spelling = spelling_of(form.name.substr(0, blank));
  std::string expected = "%d0";
  for (std::size_t i = 0; i < form.inputs.size(); ++i) expected += ", %a" + std::to_string(i);
  const std::string operands = form.name.substr(blank + 1);
  if (operands == expected) return spelling;
  if (!operands.starts_with(expected + ", 0x")) return std::nullopt;
  spelling.immediate = std::stoull(operands.substr(expected.size() + 2), nullptr, 16);
  return spelling;
}

}  // namespace

bool Spelling::has(std::string_view part) const {
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

Oracle oracle(const golden::Form& form) {
  if (form.approximate) return nullptr;
  const std::size_t end = form.body.find(" %p0, %a0, %a1; selp.u32 %d0, 1, 0, %p0;");
  if (form.body.starts_with("setp.") && end != std::string::npos) {
    return compare_oracle(spelling_of(form.body.substr(0, end)));
  }
  std::optional<Spelling> spelling = plain_spelling(form);
  if (!spelling) return nullptr;
  for (const Halves& row : kHalves) {
    if (spelling->from_last(0) != row.packed) continue;
    spelling->parts.back() = row.half;
    if (spelling->mnemonic() == "cvt" || spelling->mnemonic() == "set") return nullptr;
    const Oracle half = scalar_oracle(*spelling);
    return half ? by_halves(half) : half;
  }
  return scalar_oracle(*spelling);
}

}  // namespace warpcheck::fuzz
