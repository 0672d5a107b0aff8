#include "ptx/module.hpp"

#include <algorithm>

namespace warpcheck::ptx {

std::size_t Variable::bytes() const {
  std::size_t size = ptx::bytes(type) * vector;
  for (std::size_t dimension : dimensions) size *= dimension;
  return size;
}

std::string_view Module::file(unsigned index) const {
  return index < files.size() ? std::string_view(files[index]) : std::string_view();
}

const Function* Module::find_function(std::string_view name) const {
  const auto found = std::find_if(functions.begin(), functions.end(),
                                  [&](const Function& function) { return function.name == name; });
  return found == functions.end() ? nullptr : &*found;
}

bool operator==(const Module& left, const Module& right) {
  return left.version_major == right.version_major && left.version_minor == right.version_minor &&
         left.target == right.target && left.target_options == right.target_options &&
         left.address_size == right.address_size && left.files == right.files &&
         left.locations == right.locations && left.variables == right.variables &&
         left.functions == right.functions;
}

const Variable& variable(const Module& module, const Function& function, const Symbol& symbol) {
  switch (symbol.kind) {
    case Symbol::Kind::parameter:
      return function.parameters.at(symbol.index);
    case Symbol::Kind::return_parameter:
      return function.return_parameters.at(symbol.index);
    case Symbol::Kind::function_variable:
      return function.variables.at(symbol.index);
    case Symbol::Kind::module_variable:
    case Symbol::Kind::function:
      break;
  }
  return module.variables.at(symbol.index);
}

}  // namespace warpcheck::ptx
