#include "base/content_hash.hpp"

#include <fmt/format.h>

namespace warpcheck {

void ContentHash::add_byte(unsigned char byte) {
  constexpr Word kPrime = (Word{1} << 88) + 0x13b;
  state_ = (state_ ^ byte) * kPrime;
}

void ContentHash::add(std::string_view text) {
  for (const char c : text) add_byte(static_cast<unsigned char>(c));
  for (unsigned i = 0; i < 8; ++i) add_byte(static_cast<unsigned char>(text.size() >> (8 * i)));
}

std::string ContentHash::digits() const {
  return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(state_ >> 64),
                     static_cast<std::uint64_t>(state_));
}

}  // namespace warpcheck
