#include "workflows/mutate/operators/mutants.hpp"

#include <algorithm>
#include <utility>

#include "ptx/printer.hpp"

namespace warpcheck::workflows::mutate::operators {
namespace {

/// Marks the function and those that it may call.
void reach(const ptx::Module& module, std::size_t function, std::vector<bool>& reached) {
  if (reached[function]) return;
  reached[function] = true;
  const ptx::Function& caller = module.functions[function];
  if (caller.alias_of) reach(module, *caller.alias_of, reached);
  // A function is reached if its address is taken, because it may be called.
  for (const ptx::Instruction& instruction : caller.body) {
    for (const ptx::Operand& operand : instruction.operands) {
      if (const auto* symbol = std::get_if<ptx::Symbol>(&operand);
          symbol != nullptr && symbol->kind == ptx::Symbol::Kind::function) {
        reach(module, symbol->index, reached);
      } else if (const auto* targets = std::get_if<ptx::CallTargets>(&operand)) {
        for (const unsigned callee : caller.call_targets.at(targets->index).functions) {
          reach(module, callee, reached);
        }
      }
    }
  }
}

}  // namespace

std::vector<Mutant> mutants(const ptx::Module& module, std::span<const std::string> kernels) {
  std::vector<bool> reached(module.functions.size());
  for (std::size_t i = 0; i < module.functions.size(); ++i) {
    const std::string& name = module.functions[i].name;
    if (std::find(kernels.begin(), kernels.end(), name) != kernels.end()) reach(module, i, reached);
  }
  std::vector<Mutant> all;
  for (std::size_t f = 0; f < module.functions.size(); ++f) {
    if (!reached[f]) continue;
    const ptx::Function& function = module.functions[f];
    for (std::size_t i = 0; i < function.body.size(); ++i) {
      for (const Operator& planted : operators()) {
        for (Replacement& instead : planted.replacements({module, function, function.body[i]})) {
          all.push_back({&planted, f, i, std::move(instead)});
        }
      }
    }
  }
  return all;
}

ptx::Module mutated(ptx::Module module, const Mutant& mutant) {
  ptx::Function& function = module.functions.at(mutant.function);
  ptx::Instruction& instruction = function.body.at(mutant.instruction);
  if (mutant.instead) {
    instruction = *mutant.instead;
    return module;
  }
  function.body.erase(function.body.begin() + static_cast<std::ptrdiff_t>(mutant.instruction));
  for (ptx::LabelDeclaration& label : function.labels) {
    if (label.target > mutant.instruction) --label.target;
  }
  return module;
}

std::string text_after(const ptx::Module& module, const Mutant& mutant) {
  if (!mutant.instead) return {};
  return ptx::to_text(module, module.functions.at(mutant.function), *mutant.instead);
}

}  // namespace warpcheck::workflows::mutate::operators
