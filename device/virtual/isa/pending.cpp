#include "device/virtual/isa/form.hpp"
namespace warpcheck::isa {
std::span<const Form> half_forms() { return {}; }
std::span<const Form> convert_forms() { return {}; }
std::span<const Form> atomic_forms() { return {}; }
}  // namespace warpcheck::isa
