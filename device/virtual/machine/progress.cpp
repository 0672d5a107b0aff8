#include "device/virtual/machine/progress.hpp"

#include <cstring>

namespace warpcheck::machine {

void Fingerprint::add(const void* bytes, std::size_t count) {
  const auto* from = static_cast<const unsigned char*>(bytes);
  for (; count >= sizeof(std::uint64_t); count -= sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof word);
    add(word);
    from += sizeof word;
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, from, count);
  add(rest ^ count << 56);
}

}  // namespace warpcheck::machine
