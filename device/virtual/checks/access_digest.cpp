#include "device/virtual/checks/access_digest.hpp"

#include <cstring>
#include <utility>

#include "base/hash.hpp"

namespace warpcheck::checks {
namespace {

using machine::kLanes;
using machine::Mask;

template <class Next>
void for_each(Mask lanes, Next next) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) != 0) next(lane);
  }
}

/// Accesses are split into pieces of this size: words if the access consists of whole words.
constexpr std::size_t piece_of(std::size_t bytes) { return bytes % 4 == 0 ? 4 : 1; }

constexpr std::uint64_t header(Act act, std::uint64_t what) {
  return (what << 8 | static_cast<std::uint64_t>(act)) + 1;
}

/// Calls `next` for each word of an access, or for each byte if the access has no whole words.
template <class Next>
void for_each_piece(std::size_t bytes, Next next) {
  const std::size_t piece = piece_of(bytes);
  for (std::size_t at = 0; at < bytes; at += piece) next(at, piece);
}

/// A number for each value of each byte of a word. The numbers of a word's bytes are added, so that
/// a word counts the same as its four bytes accessed one at a time.
constexpr auto kOfByte = [] {
  std::array<std::array<std::uint64_t, 256>, 4> numbers{};
  std::uint64_t state = 0;
  for (auto& place_numbers : numbers) {
    for (std::uint64_t& number : place_numbers) number = state = mixed(state);
  }
  return numbers;
}();

std::uint64_t word_hash(std::uint64_t begin, std::uint64_t address) {
  return folded(begin, address / 4);
}

std::uint64_t byte_hash(std::uint64_t address, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += kOfByte[(address + i) % 4].front();
  return sum;
}

std::uint64_t content_hash(std::uint64_t address, const std::byte* contents, std::size_t count) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    sum += kOfByte[(address + i) % 4][static_cast<std::size_t>(contents[i])];
  }
  return sum;
}

/// The `piece` bytes at `contents`.
std::uint32_t word_at(const std::byte* contents, std::size_t piece) {
  std::uint32_t word = 0;
  std::memcpy(&word, contents, piece);
  return word;
}

}  // namespace

void AccessDigest::end_polls(PerWarp& digests, Mask lanes) {
  for_each(lanes, [&](unsigned lane) {
    digests.since[lane] += std::exchange(digests.seen[lane], 0);
    digests.polled[lane] = 0;
  });
}

void AccessDigest::order(unsigned warp, Mask lanes, Act act, std::uint64_t what) {
  PerWarp& digests = warps_[warp];
  const std::uint64_t word = header(act, what);
  end_polls(digests, lanes);
  for_each(lanes, [&](unsigned lane) {
    digests.before[lane] = folded(folded(digests.before[lane], digests.since[lane]), word);
    digests.since[lane] = 0;
  });
}

void AccessDigest::access(unsigned warp, Mask lanes, Act act, const Addresses& addresses,
                          std::size_t bytes) {
  end_polls(warps_[warp], lanes);
  Lanes& sums = warps_[warp].since;
  const std::uint64_t begin = folded(0, header(act, 0));
  for_each_piece(bytes, [&](std::size_t at, std::size_t piece) {
    for_each(lanes, [&](unsigned lane) {
      const std::uint64_t address = addresses[lane] + at;
      sums[lane] += word_hash(begin, address) * byte_hash(address, piece);
    });
  });
}

void AccessDigest::access(unsigned warp, Mask lanes, Act act, const Addresses& addresses,
                          const Contents& contents, std::size_t bytes) {
  end_polls(warps_[warp], lanes);
  Lanes& sums = warps_[warp].since;
  const std::uint64_t begin = folded(0, header(act, 0));
  for_each_piece(bytes, [&](std::size_t at, std::size_t piece) {
    for_each(lanes, [&](unsigned lane) {
      const std::uint64_t address = addresses[lane] + at;
      sums[lane] += word_hash(begin, address) * content_hash(address, contents[lane] + at, piece);
    });
  });
}

void AccessDigest::poll(unsigned warp, Mask lanes, const Addresses& addresses,
                        const Contents& contents, std::size_t bytes) {
  PerWarp& digests = warps_[warp];
  const std::size_t piece = piece_of(bytes);
  const std::uint64_t begin = folded(0, header(Act::poll, bytes));
  for_each(lanes, [&](unsigned lane) {
    if (digests.polled[lane] != addresses[lane]) end_polls(digests, Mask{1} << lane);
    std::uint64_t seen = folded(begin, addresses[lane]);
    for (std::size_t at = 0; at < bytes; at += piece) {
      seen = folded(seen, word_at(contents[lane] + at, piece));
    }
    digests.polled[lane] = addresses[lane];
    digests.seen[lane] = seen;
  });
}

std::uint64_t AccessDigest::sum(std::uint64_t block) const {
  std::uint64_t sum = 0;
  for (std::size_t warp = 0; warp < warps_.size(); ++warp) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t before = warps_[warp].before[lane];
      const std::uint64_t since = warps_[warp].since[lane] + warps_[warp].seen[lane];
      if ((before | since) == 0) continue;  // there is no thread, or it accessed nothing
      sum += folded(folded(folded(folded(0, block + 1), warp * kLanes + lane + 1), before), since);
    }
  }
  return sum;
}

}  // namespace warpcheck::checks
