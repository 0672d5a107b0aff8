// Numbers that the environment gives to long runs of tests.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace warpcheck::proof::test {

inline std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

}  // namespace warpcheck::proof::test
