#include "device/virtual/machine/core/source_place.hpp"

#include <vector>

#include "device/virtual/machine/core/instruction_kind.hpp"
#include "ptx/printer.hpp"

namespace warpcheck::machine {
namespace {

/// The places that are not in library code, the innermost first. If there are none: the place of
/// the instruction.
std::vector<ptx::SourceLine> author_lines(const ptx::Module& module,
                                          const ptx::SourceLocation& location) {
  std::vector<ptx::SourceLine> lines = {location.line};
  lines.insert(lines.end(), location.inlined_at.begin(), location.inlined_at.end());
  std::erase_if(
      lines, [&](const ptx::SourceLine& line) { return is_library_code(module.file(line.file)); });
  if (lines.empty()) lines.push_back(location.line);
  return lines;
}

}  // namespace

SourcePlace source_place(const Program& program, const FunctionCode& function, const Op& op) {
  const ptx::Module& module = program.module;
  SourcePlace place;
  if (op.instruction >= function.source->body.size()) return place;
  const ptx::Instruction& instruction = function.source->body[op.instruction];
  place.instruction = ptx::to_text(module, *function.source, instruction);
  place.ptx_line = instruction.place.line;
  place.facts = facts_of(module, instruction);
  if (instruction.location) {
    const auto lines = author_lines(module, module.locations[*instruction.location]);
    place.file = module.file(lines.front().file);
    place.line = lines.front().line;
    place.column = lines.front().column;
    place.from_library = !(lines.front() == module.locations[*instruction.location].line);
    for (std::size_t i = 1; i < lines.size(); ++i) {
      place.calls.push_back({std::string(module.file(lines[i].file)), lines[i].line});
    }
  }
  return place;
}

SourcePlace source_place(const Program& program, std::uint32_t op) {
  const FunctionCode& function = program.function_of(op);
  return source_place(program, function, function.ops[op - function.first_op]);
}

}  // namespace warpcheck::machine
