#include "base/text/demangle.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace warpcheck {

std::string demangle(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text && name.starts_with("_Z") ? text.get() : name;
}

}  // namespace warpcheck
