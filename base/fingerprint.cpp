#include "base/fingerprint.hpp"

#include <array>
#include <cstring>

namespace warpcheck {

/// Adds four words at a time to four streams: in one stream each multiplication would wait for the
/// one before.
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
  if (count != 0) std::memcpy(&rest, from, count);  // `bytes` may be null if count is 0
  add(rest ^ count << 56);
}

}  // namespace warpcheck
