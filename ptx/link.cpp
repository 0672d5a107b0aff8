#include "ptx/link.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/diagnostic.hpp"

namespace warpcheck::ptx {
namespace {

/// True for a variable that is declared without its bytes. Dynamic shared memory does not declare
/// another module's variable.
bool is_declaration(const Variable& variable) {
  return variable.linkage == Linkage::extern_ &&
         !(variable.space == StateSpace::shared && variable.is_unsized());
}
bool is_declaration(const Function& function) { return function.is_declaration; }

bool yields(Linkage linkage) { return linkage == Linkage::weak || linkage == Linkage::common; }

/// The variables or the functions of all modules.
template <typename Entity>
class Joined {
 public:
  /// `entities` holds one list for each module.
  explicit Joined(const std::vector<const std::vector<Entity>*>& entities) {
    for (const bool is_external : {true, false}) {  // names that modules share stay as they are
      for (std::size_t module = 0; module < entities.size(); ++module) {
        for (std::size_t i = 0; i < entities[module]->size(); ++i) {
          const Entity& entity = (*entities[module])[i];
          if (is_external == (entity.linkage != Linkage::none || is_declaration(entity))) {
            index_[{module, i}] =
                is_external ? merge(entity, module) : append(unused(entity.name), entity, module);
          }
        }
      }
    }
  }

  /// Changes the order: entity order[i] becomes number i.
  void reorder(const std::vector<unsigned>& order) {
    std::vector<unsigned> numbers(order.size());
    std::vector<Entity> all;
    std::vector<std::size_t> modules;
    for (const unsigned old : order) {
      numbers[old] = static_cast<unsigned>(all.size());
      all.push_back(std::move(all_[old]));
      modules.push_back(modules_[old]);
    }
    all_ = std::move(all);
    modules_ = std::move(modules);
    for (auto& [name, number] : names_) number = numbers[number];
    for (auto& [place, number] : index_) number = numbers[number];
  }

  /// The index in the result of an entity of a module.
  [[nodiscard]] unsigned index(std::size_t module, unsigned old) const {
    return index_.at({module, old});
  }
  [[nodiscard]] const std::vector<Entity>& all() const { return all_; }
  /// The module from which an entity of the result was taken.
  [[nodiscard]] std::size_t module_of(std::size_t index) const { return modules_[index]; }

 private:
  std::string unused(const std::string& name) const {
    std::string candidate = name;
    for (unsigned i = 1; names_.contains(candidate); ++i) candidate = fmt::format("{}${}", name, i);
    return candidate;
  }

  unsigned append(std::string name, const Entity& entity, std::size_t module) {
    const auto number = static_cast<unsigned>(all_.size());
    names_.emplace(name, number);
    all_.push_back(entity);
    all_.back().name = std::move(name);
    modules_.push_back(module);
    return number;
  }

  unsigned merge(const Entity& entity, std::size_t module) {
    const auto found = names_.find(entity.name);
    if (found == names_.end()) return append(entity.name, entity, module);
    Entity& known = all_[found->second];
    if (is_declaration(entity)) return found->second;
    if (is_declaration(known) || (yields(known.linkage) && !yields(entity.linkage))) {
      known = entity;
      modules_[found->second] = module;
    } else if (!yields(entity.linkage) && entity.linkage != Linkage::extern_) {
      throw request_error(fmt::format("two modules define {}", entity.name));
    }
    return found->second;
  }

  std::vector<Entity> all_;
  std::vector<std::size_t> modules_;
  std::map<std::string, unsigned> names_;
  std::map<std::pair<std::size_t, std::size_t>, unsigned> index_;
};

template <typename Entity>
std::vector<const std::vector<Entity>*> all_of(const std::vector<Module>& modules,
                                               std::vector<Entity> Module::*member) {
  std::vector<const std::vector<Entity>*> all;
  for (const Module& module : modules) all.push_back(&(module.*member));
  return all;
}

class Linker {
 public:
  explicit Linker(const std::vector<Module>& modules)
      : modules_(modules),
        variables_(all_of(modules, &Module::variables)),
        functions_(all_of(modules, &Module::functions)) {}

  Module run() {
    Module result;
    result.text_file = modules_.front().text_file;
    for (const Module& module : modules_) join_header(module, result);
    order_variables();
    result.variables = variables_.all();
    result.functions = functions_.all();
    for (std::size_t i = 0; i < result.variables.size(); ++i) {
      if (is_declaration(result.variables[i])) {
        throw request_error(
            fmt::format("no module defines the variable {}", result.variables[i].name));
      }
      module_ = variables_.module_of(i);
      move(result.variables[i]);
    }
    for (std::size_t i = 0; i < result.functions.size(); ++i) {
      module_ = functions_.module_of(i);
      move(result.functions[i]);
    }
    return result;
  }

 private:
  void join_header(const Module& module, Module& result) {
    const auto version = std::pair(module.version_major, module.version_minor);
    if (version > std::pair(result.version_major, result.version_minor)) {
      std::tie(result.version_major, result.version_minor) = version;
      result.target = module.target;
      result.target_options = module.target_options;
    }
    first_file_.push_back(static_cast<unsigned>(result.files.size()));
    first_location_.push_back(static_cast<unsigned>(result.locations.size()));
    result.files.insert(result.files.end(), module.files.begin(), module.files.end());
    for (SourceLocation location : module.locations) {
      location.line.file += first_file_.back();
      for (SourceLine& line : location.inlined_at) line.file += first_file_.back();
      result.locations.push_back(std::move(location));
    }
  }

  /// PTX declares a variable before an initializer that has its address.
  void order_variables() {
    std::vector<unsigned> order;
    std::vector<bool> seen(variables_.all().size());
    const std::function<void(unsigned)> visit = [&](unsigned number) {
      if (seen[number]) return;
      seen[number] = true;
      for (const Relocation& relocation : variables_.all()[number].relocations) {
        if (relocation.symbol.kind != Symbol::Kind::module_variable) continue;
        visit(variables_.index(variables_.module_of(number), relocation.symbol.index));
      }
      order.push_back(number);
    };
    for (unsigned number = 0; number < seen.size(); ++number) visit(number);
    variables_.reorder(order);
  }

  // These replace the indices of module `module_` by those of the result.

  void move(Symbol& symbol) const {
    if (symbol.kind == Symbol::Kind::module_variable) {
      symbol.index = variables_.index(module_, symbol.index);
    } else if (symbol.kind == Symbol::Kind::function) {
      symbol.index = functions_.index(module_, symbol.index);
    }
  }

  template <typename... Kinds>
  void move(std::variant<Kinds...>& one) const {
    std::visit([this](auto& value) { this->move_any(value); }, one);
  }

  template <typename Value>
  void move_any(Value& value) const {
    if constexpr (std::is_same_v<Value, Symbol>) {
      move(value);
    } else if constexpr (std::is_same_v<Value, Vector> || std::is_same_v<Value, ParameterList>) {
      for (Element& element : value.elements) move(element);
    } else if constexpr (std::is_same_v<Value, Address>) {
      move(value.base);
      for (Address::Base& base : value.more_bases) move(base);
      for (Element& element : value.coordinates) move(element);
    }
  }

  void move(Variable& variable) const {
    for (Relocation& relocation : variable.relocations) move(relocation.symbol);
  }

  void move(Function& function) const {
    if (function.alias_of) function.alias_of = functions_.index(module_, *function.alias_of);
    for (Variable& variable : function.variables) move(variable);
    for (CallTargetsDeclaration& targets : function.call_targets) {
      for (unsigned& target : targets.functions) target = functions_.index(module_, target);
    }
    for (Instruction& instruction : function.body) {
      if (instruction.location) *instruction.location += first_location_[module_];
      for (Operand& operand : instruction.operands) move(operand);
    }
  }

  const std::vector<Module>& modules_;
  Joined<Variable> variables_;
  Joined<Function> functions_;
  std::vector<unsigned> first_file_;
  std::vector<unsigned> first_location_;
  std::size_t module_ = 0;
};

}  // namespace

Module link(const std::vector<Module>& modules) { return Linker(modules).run(); }

}  // namespace warpcheck::ptx
