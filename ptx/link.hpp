// Joins modules of relocatable device code.
#pragma once

#include <vector>

#include "ptx/module.hpp"

namespace warpcheck::ptx {

/// One module with the variables and functions of all, as nvlink joins them: a declaration stands
/// for the definition of its name in another module, and a weak definition yields to a visible one.
/// A name without linkage that another module has too gets a suffix. A function without definition
/// stays declared. Requires at least one module.
///
/// Throws InputError for a variable that no module defines and for a name that two modules define.
[[nodiscard]] Module link(const std::vector<Module>& modules);

}  // namespace warpcheck::ptx
