#include "device/virtual/machine/block/progress.hpp"

#include <array>
#include <cstring>

namespace warpcheck::machine {

/// Four words at a time, each into a stream of its own: one multiplication would wait for another.
void Fingerprint::add(const void* bytes, std::size_t count) {
  std::array<Fingerprint, 4> streams;
  const auto* from = static_cast<const unsigned char*>(bytes);
  const auto next = [&] {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof word);
    from += sizeof word;
    return word;
  };
  for (; count >= sizeof streams; count -= sizeof streams) {
    for (Fingerprint& stream : streams) stream.add(next());
  }
  for (const Fingerprint& stream : streams) add(stream.value());
  for (; count >= sizeof(std::uint64_t); count -= sizeof(std::uint64_t)) add(next());
  std::uint64_t rest = 0;
  if (count != 0) std::memcpy(&rest, from, count);  // of no bytes there may be no address
  add(rest ^ count << 56);
}

}  // namespace warpcheck::machine
