// The description of an instruction that the decoder cannot translate.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "device/virtual/isa/form.hpp"
#include "device/virtual/machine/core/op.hpp"
#include "ptx/module.hpp"

namespace warpcheck::isa {

/// Sets form, message and section of the detail. `row` is the row that accepts the instruction's
/// modifiers and types; it is null if none of `rows`, which have its mnemonic, accepts them. `why`
/// is the reason.
[[nodiscard]] std::unique_ptr<machine::OpDetail> unsupported_form(
    const ptx::Module& module, const ptx::Instruction& instruction,
    std::span<const Form* const> rows, const Form* row, std::string why);

}  // namespace warpcheck::isa
