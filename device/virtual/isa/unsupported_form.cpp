#include "device/virtual/isa/unsupported_form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace warpcheck::isa {
namespace {

/// Mnemonics, separated by blanks, and the section of the PTX ISA manual, version 9.0.
struct Family {
  std::string_view mnemonics;
  std::string_view section;
};

constexpr std::array kFamilies = {
    Family{"applypriority createpolicy discard getctarank mapa multimem", "9.7.9"},
    Family{"istypep tex tld4 txq", "9.7.10"},
    Family{"suld suq sured sust", "9.7.11"},
    Family{"clusterlaunchcontrol", "9.7.13"},
    Family{"wgmma", "9.7.15"},
    Family{"tcgen05", "9.7.16"},
    Family{"alloca stackrestore stacksave", "9.7.17"},
    Family{"vabsdiff vabsdiff2 vabsdiff4 vadd vadd2 vadd4 vavrg2 vavrg4 vmad vmax vmax2 vmax4 vmin "
           "vmin2 vmin4 vset vset2 vset4 vshl vshr vsub vsub2 vsub4",
           "9.7.18"},
};

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != std::string_view::npos;
       at = words.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const auto is_letter = [](char c) { return std::string_view(" []|").find(c) > 3; };
    if ((at == 0 || !is_letter(words[at - 1])) && (end == words.size() || !is_letter(words[end]))) {
      return true;
    }
  }
  return false;
}

/// The row that has the most of the instruction's modifiers.
const Form& nearest_row(std::span<const Form* const> rows, const ptx::Instruction& instruction) {
  const auto shared_parts = [&](const Form* row) {
    return std::count_if(instruction.parts.begin() + 1, instruction.parts.end(),
                         [&](const std::string& part) { return has_word(row->modifiers, part); });
  };
  return **std::max_element(rows.begin(), rows.end(), [&](const Form* one, const Form* other) {
    return shared_parts(one) < shared_parts(other);
  });
}

/// The special register, or the function without a body, that an instruction names: the device may
/// not support it.
std::string named_operand(const ptx::Module& module, const ptx::Instruction& instruction) {
  for (const ptx::Operand& operand : instruction.operands) {
    if (const auto* special = std::get_if<ptx::SpecialRegister>(&operand)) {
      return " %" + special->name;
    }
    const auto* symbol = std::get_if<ptx::Symbol>(&operand);
    if (symbol != nullptr && symbol->kind == ptx::Symbol::Kind::function &&
        module.functions[symbol->index].is_declaration) {
      return " " + module.functions[symbol->index].name;
    }
  }
  return {};
}

/// The section of the PTX ISA manual that describes the instructions of a mnemonic without a row;
/// empty: unknown.
std::string_view family_section(std::string_view mnemonic) {
  for (const Family& family : kFamilies) {
    if (has_word(family.mnemonics, mnemonic)) return family.section;
  }
  return {};
}

}  // namespace

std::unique_ptr<machine::OpDetail> unsupported_form(const ptx::Module& module,
                                                    const ptx::Instruction& instruction,
                                                    std::span<const Form* const> rows,
                                                    const Form* row, std::string why) {
  auto detail = std::make_unique<machine::OpDetail>();
  detail->form =
      fmt::format("{}{}", fmt::join(instruction.parts, "."), named_operand(module, instruction));
  detail->message = std::move(why);
  detail->section = row != nullptr ? row->section
                    : rows.empty() ? family_section(instruction.parts.front())
                                   : nearest_row(rows, instruction).section;
  return detail;
}

}  // namespace warpcheck::isa
