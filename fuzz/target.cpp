#include "fuzz/target.hpp"

#include <cstdio>
#include <cstdlib>

namespace warpcheck::fuzz {

void fail(std::string_view message) {
  std::fprintf(stderr, "fuzz: %.*s\n", static_cast<int>(message.size()), message.data());
  std::abort();
}

}  // namespace warpcheck::fuzz
