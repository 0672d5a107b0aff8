#include "device/virtual/isa/layout.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "device/virtual/isa/declared_sizes.hpp"

namespace warpcheck::isa {
namespace {

/// "_ZZ5tiledILi16EEvPKfS1_PfiiiE2As" -> "As": the name in the source.
std::string source_name(const std::string& mangled) {
  // A name like "f" is not mangled, but the demangler would read it as a type: "float".
  if (!mangled.starts_with("_Z")) return mangled;
  const std::unique_ptr<char, void (*)(void*)> demangled(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, nullptr), std::free);
  if (!demangled) return mangled;
  const std::string name = demangled.get();
  const std::size_t scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

std::uint64_t address_of(const ptx::Module& module, const Layout& layout,
                         const ptx::Relocation& relocation) {
  const ptx::Symbol& symbol = relocation.symbol;
  if (symbol.kind == ptx::Symbol::Kind::function) return function_address(symbol.index);
  const bool shared = module.variables[symbol.index].space == ptx::StateSpace::shared;
  return layout.module_variables[symbol.index] + static_cast<std::uint64_t>(symbol.addend) +
         (relocation.generic && shared ? machine::kSharedWindow : 0);
}

/// The first bytes of a variable; the others are zero.
std::vector<std::byte> initial_bytes(const ptx::Module& module, const Layout& layout,
                                     const ptx::Variable& variable) {
  std::vector<std::byte> bytes = variable.initial;
  for (const ptx::Relocation& relocation : variable.relocations) {
    const std::uint64_t address = (address_of(module, layout, relocation) & relocation.mask) >>
                                  std::countr_zero(relocation.mask);
    std::memcpy(bytes.data() + relocation.offset, &address, relocation.size);
  }
  return bytes;
}

/// Places a variable of .global or .const memory and returns its address.
std::uint64_t place_global(const ptx::Variable& variable, GlobalPlaces& places,
                           machine::Program& program) {
  machine::GlobalVariable placed{
      source_name(variable.name), {}, variable.bytes(), variable.space == ptx::StateSpace::const_};
  placed.managed = variable.managed && !places.managed.empty();
  if (placed.managed) {
    placed.address = places.managed.front();
    places.managed = places.managed.subspan(1);
  } else {
    placed.address = machine::global_address(places.next_slot++);
  }
  program.global_variables.push_back(placed);
  return placed.address;
}

/// Places the global variables of a function, which exist once, as those of the module do (PTX ISA
/// 5.1.4).
void place_function_globals(const ptx::Module& module, Layout& layout, GlobalPlaces& places,
                            machine::Program& program) {
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Variable& variable : function.variables) {
      if (!is_global(variable)) continue;
      layout.function_variables[&variable] = place_global(variable, places, program);
    }
  }
}

/// True if an instruction reads a register %reserved_smem_offset_...
bool uses_reserved_shared(const ptx::Module& module) {
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Instruction& instruction : function.body) {
      for (const ptx::Operand& operand : instruction.operands) {
        const auto* special = std::get_if<ptx::SpecialRegister>(&operand);
        if (special != nullptr && special->name.starts_with("reserved_smem_offset")) return true;
      }
    }
  }
  return false;
}

void place_function_shared(const ptx::Function& function, Layout& layout) {
  for (const ptx::Variable& variable : function.variables) {
    if (variable.space != ptx::StateSpace::shared) continue;
    layout.function_variables[&variable] = place_shared(variable, layout.shared_end, layout.shared);
  }
}

}  // namespace

std::uint64_t place_shared(const ptx::Variable& variable, std::uint64_t& end,
                           std::vector<machine::PlacedVariable>& placed) {
  constexpr std::size_t kDistance = 256;  // a multiple of the 128 bytes of all banks
  const std::uint64_t address =
      round_up(round_up(end, 128), std::min(variable.alignment, kMostAlignment));
  // A kernel that names a larger variable is refused. The variable takes no memory of the other
  // kernels.
  const std::size_t bytes = variable.bytes() <= kMostStaticShared ? variable.bytes() : 0;
  placed.push_back({source_name(variable.name), address, bytes, variable.alignment});
  end = address + bytes + kDistance;
  return address;
}

Layout lay_out(const ptx::Module& module, GlobalPlaces places, machine::Program& program) {
  Layout layout;
  if (uses_reserved_shared(module)) {
    program.reserved_shared = machine::kReservedShared;
    layout.shared.push_back(
        {"reserved shared memory", 0, machine::kReservedShared, machine::kReservedShared});
    layout.shared_end = 2 * machine::kReservedShared;
  }
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space == ptx::StateSpace::shared) {
      layout.module_variables.push_back(
          variable.is_unsized() ? 0 : place_shared(variable, layout.shared_end, layout.shared));
      continue;
    }
    layout.module_variables.push_back(place_global(variable, places, program));
  }
  place_function_globals(module, layout, places, program);
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry) place_function_shared(function, layout);
  }
  std::uint64_t end = layout.shared_end;  // end of the kernel with the largest variables
  for (const ptx::Function& function : module.functions) {
    if (!function.is_entry) continue;
    Layout with_kernel;
    with_kernel.shared_end = layout.shared_end;
    place_function_shared(function, with_kernel);
    end = std::max(end, with_kernel.shared_end);
  }
  layout.dynamic_shared = round_up(end, 1024);
  program.dynamic_shared = layout.dynamic_shared;
  std::size_t slot = 0;
  for (std::size_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (variable.space == ptx::StateSpace::shared) {
      if (variable.is_unsized()) {
        layout.module_variables[i] = layout.dynamic_shared;
        program.dynamic_alignment = std::max(program.dynamic_alignment, variable.alignment);
      }
      continue;
    }
    program.global_variables[slot++].initial = initial_bytes(module, layout, variable);
  }
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Variable& variable : function.variables) {
      if (!is_global(variable)) continue;
      program.global_variables[slot++].initial = initial_bytes(module, layout, variable);
    }
  }
  return layout;
}

}  // namespace warpcheck::isa
