#include "base/text/demangle.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace warpcheck {

std::string demangle(const std::string& name) {
  // A static kernel of relocatable device code has a prefix that names its source file.
  const std::size_t at = name.starts_with("__nv_static_") ? name.find("__Z") : std::string::npos;
  const char* const mangled = name.c_str() + (at == std::string::npos ? 0 : at + 1);
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  return status == 0 && text && mangled[0] == '_' && mangled[1] == 'Z' ? text.get() : name;
}

}  // namespace warpcheck
