#include "device/virtual/machine/core/program.hpp"

#include "device/virtual/machine/core/source_place.hpp"

namespace warpcheck::machine {

SourcePlace Program::place(std::uint32_t op) const {
  const FunctionCode& code = function_of(op);
  return source_place(*this, code, code.ops[op - code.first_op]);
}

std::vector<device::ProgramFunction> Program::functions_by_number() const {
  std::vector<device::ProgramFunction> all;
  for (const FunctionCode& code : functions) {
    if (code.ops.empty()) continue;
    all.push_back({code.source->name, code.first_op, static_cast<std::uint32_t>(code.ops.size()),
                   code.source->is_entry});
  }
  return all;
}

const FunctionCode& Program::function_of(std::uint32_t op) const {
  const FunctionCode* found = &functions.front();
  for (const FunctionCode& code : functions) {
    if (code.first_op <= op) found = &code;
  }
  return *found;
}

const FunctionCode* Program::find_entry(std::string_view name) const {
  for (const FunctionCode& code : functions) {
    if (code.source->is_entry && code.source->name == name) return &code;
  }
  return nullptr;
}

}  // namespace warpcheck::machine
