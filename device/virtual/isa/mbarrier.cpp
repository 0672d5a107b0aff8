// mbarrier objects (PTX ISA 9.7.13.15).
#include <array>

#include "device/virtual/isa/form.hpp"

namespace warpcheck::isa {

std::span<const Form> mbarrier_forms() { return {}; }

}  // namespace warpcheck::isa
