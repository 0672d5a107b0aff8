#include "device/virtual/isa/declared_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <type_traits>
#include <vector>

namespace warpcheck::isa {
namespace {

using ptx::StateSpace;
using ptx::Symbol;

/// Limits of constant memory, and of local memory of a thread (CUDA C++ Programming Guide, compute
/// capabilities).
constexpr std::size_t kMostConstant = 64 << 10;
constexpr std::size_t kMostLocal = 512 << 10;
/// ptxas 13 stores the size of a variable in 32 bits: a larger size loses its upper bits.
constexpr std::size_t kMostGlobal = 0xffff'ffff;
/// Limits of ptxas 13 for the parameters of a kernel: before PTX ISA 8.1 or sm_70, and since.
constexpr std::size_t kMostOldParameters = 4352;
constexpr std::size_t kMostParameters = 32764;

/// Calls body(symbol) for each symbol in an operand.
template <class Body>
void for_each_symbol(const ptx::Operand& operand, const Body& body) {
  const auto visit_one = [&](const auto& part) {
    if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Symbol>) body(part);
  };
  std::visit(
      [&](const auto& value) {
        using T = std::decay_t<decltype(value)>;
        visit_one(value);
        if constexpr (std::is_same_v<T, ptx::Address>) {
          std::visit(visit_one, value.base);
          for (const auto& base : value.more_bases) std::visit(visit_one, base);
        }
        if constexpr (requires { value.elements; }) {
          for (const auto& element : value.elements) std::visit(visit_one, element);
        }
      },
      operand);
}

template <class Body>
void for_each_symbol(const ptx::Function& function, const Body& body) {
  for (const ptx::Instruction& instruction : function.body) {
    for (const ptx::Operand& operand : instruction.operands) for_each_symbol(operand, body);
  }
}

/// The functions that a function names: it may call them, directly or through their addresses.
std::set<unsigned> named_functions(const ptx::Function& function) {
  std::set<unsigned> named;
  for_each_symbol(function, [&](const Symbol& symbol) {
    if (symbol.kind == Symbol::Kind::function) named.insert(symbol.index);
  });
  return named;
}

std::size_t own_bytes(const ptx::Function& function, StateSpace space) {
  std::size_t sum = 0;
  for (const ptx::Variable& variable : function.variables) {
    if (variable.space == space) sum += variable.bytes();
  }
  return sum;
}

/// The functions that a kernel may run, and the variables that they name.
class CallTree {
 public:
  CallTree(const ptx::Module& module, const ptx::Function& kernel) : module_(module) {
    visit(kernel);
  }

  /// The largest sum of the functions' own variables along a chain of calls, in bytes.
  [[nodiscard]] std::size_t deepest(const ptx::Function& function, StateSpace space) {
    const auto [known, added] = deepest_.try_emplace(&function, 0);  // a recursive call adds 0
    if (!added) return known->second;
    std::size_t below = 0;
    for (const unsigned callee : callees_[&function]) {
      below = std::max(below, deepest(module_.functions[callee], space));
    }
    return deepest_[&function] = own_bytes(function, space) + below;
  }

  [[nodiscard]] std::size_t module_shared() const {
    std::size_t sum = 0;
    for (const unsigned index : variables_) {
      const ptx::Variable& variable = module_.variables[index];
      if (variable.space == StateSpace::shared) sum += variable.bytes();
    }
    return sum;
  }

  /// The largest local memory that one function declares.
  [[nodiscard]] std::size_t largest_local() const {
    std::size_t largest = 0;
    for (const auto& [function, callees] : callees_) {
      std::size_t sum = own_bytes(*function, StateSpace::local);
      sum += own_bytes(*function, StateSpace::param);
      if (!function->is_entry) {
        for (const auto* list : {&function->parameters, &function->return_parameters}) {
          for (const ptx::Variable& parameter : *list) sum += parameter.bytes();
        }
      }
      largest = std::max(largest, sum);
    }
    return largest;
  }

 private:
  void visit(const ptx::Function& first) {
    std::vector<const ptx::Function*> open = {&first};
    while (!open.empty()) {
      const ptx::Function& function = *open.back();
      open.pop_back();
      if (callees_.contains(&function)) continue;
      callees_[&function] = named_functions(function);
      for_each_symbol(function, [&](const Symbol& symbol) {
        if (symbol.kind == Symbol::Kind::module_variable) variables_.insert(symbol.index);
      });
      for (const unsigned callee : callees_[&function]) open.push_back(&module_.functions[callee]);
    }
  }

  const ptx::Module& module_;
  std::map<const ptx::Function*, std::set<unsigned>> callees_;
  std::map<const ptx::Function*, std::size_t> deepest_;
  std::set<unsigned> variables_;  // variables of the module, by index
};

std::size_t most_parameter_bytes(const ptx::Module& module) {
  const bool has_old_version =
      module.version_major < 8 || (module.version_major == 8 && module.version_minor < 1);
  return has_old_version || architecture_of(module.target) < 70 ? kMostOldParameters
                                                                : kMostParameters;
}

/// The bytes of a kernel's parameters, including the gaps for their alignment.
std::size_t parameter_bytes(const ptx::Function& kernel) {
  std::size_t end = 0;
  for (const ptx::Variable& parameter : kernel.parameters) {
    end = (end + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
    end += parameter.bytes();
  }
  return end;
}

std::string too_large(std::string_view what, std::size_t bytes, std::size_t limit) {
  if (bytes <= limit) return {};
  return fmt::format("{} takes {} bytes; at most {} are possible", what, bytes, limit);
}

}  // namespace

unsigned architecture_of(std::string_view target) {
  unsigned number = 0;
  target.remove_prefix(std::min(target.find_first_of("0123456789"), target.size()));
  std::from_chars(target.data(), target.data() + target.size(), number);
  return number;
}

std::size_t static_shared_bytes(const ptx::Module& module, const ptx::Function& kernel) {
  CallTree tree(module, kernel);
  return tree.deepest(kernel, StateSpace::shared) + tree.module_shared();
}

std::string refused_module(const ptx::Module& module) {
  std::size_t constant = 0;
  std::size_t global = 0;
  for (const ptx::Variable& variable : module.variables) {
    if (variable.space == StateSpace::const_) constant += variable.bytes();
    if (variable.space == StateSpace::global || variable.space == StateSpace::local) {
      global += variable.bytes();
    }
  }
  for (const ptx::Function& function : module.functions) {
    constant += own_bytes(function, StateSpace::const_);
    global += own_bytes(function, StateSpace::global);
  }
  std::string reason = too_large("the constant memory of the module", constant, kMostConstant);
  if (reason.empty()) reason = too_large("the global memory of the module", global, kMostGlobal);
  return reason;
}

std::string refused_kernel(const ptx::Module& module, const ptx::Function& kernel) {
  const std::size_t shared = static_shared_bytes(module, kernel);
  if (shared > kMostStaticShared) {
    return fmt::format(
        "the static shared memory of a block takes {} bytes; at most {} are possible, larger "
        "blocks "
        "need dynamic shared memory",
        shared, kMostStaticShared);
  }
  std::string reason = too_large("the local memory of a thread",
                                 CallTree(module, kernel).largest_local(), kMostLocal);
  if (!reason.empty()) return reason;
  return too_large("the list of kernel parameters", parameter_bytes(kernel),
                   most_parameter_bytes(module));
}

}  // namespace warpcheck::isa
