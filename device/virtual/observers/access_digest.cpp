#include "device/virtual/observers/access_digest.hpp"

#include <algorithm>
#include <cstring>

namespace warpcheck::observers {
namespace {

using machine::kLanes;
using machine::Mask;

/// One step of a digest: a bijection of the state for every word, and of the word for every state.
constexpr std::uint64_t step(std::uint64_t state, std::uint64_t word) {
  state = (state ^ word) * 0x9e3779b97f4a7c15U;
  return state ^ state >> 32;
}

constexpr std::uint64_t header(Act act, std::uint64_t what) {
  return (what << 8 | static_cast<std::uint64_t>(act)) + 1;
}

template <class Next>
void for_each(Mask lanes, Next next) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) != 0) next(lane);
  }
}

}  // namespace

void AccessDigest::add(unsigned warp, Mask lanes, Act act, std::uint64_t what) {
  Lanes& digests = threads_[warp];
  const std::uint64_t word = header(act, what);
  for_each(lanes, [&](unsigned lane) { digests[lane] = step(digests[lane], word); });
}

void AccessDigest::add(unsigned warp, Mask lanes, Act act, const Addresses& addresses,
                       std::size_t bytes) {
  Lanes& digests = threads_[warp];
  const std::uint64_t word = header(act, bytes);
  for_each(lanes, [&](unsigned lane) {
    digests[lane] = step(step(digests[lane], word), addresses[lane]);
  });
}

void AccessDigest::add(unsigned warp, Mask lanes, Act act, const Addresses& addresses,
                       const Contents& contents, std::size_t bytes) {
  add(warp, lanes, act, addresses, bytes);
  Lanes& digests = threads_[warp];
  for (std::size_t begin = 0; begin < bytes; begin += sizeof(std::uint64_t)) {
    const std::size_t size = std::min(bytes - begin, sizeof(std::uint64_t));
    for_each(lanes, [&](unsigned lane) {
      std::uint64_t word = 0;
      std::memcpy(&word, contents[lane] + begin, size);
      digests[lane] = step(digests[lane], word);
    });
  }
}

std::uint64_t AccessDigest::sum(std::uint64_t block) const {
  std::uint64_t sum = 0;
  for (std::size_t warp = 0; warp < threads_.size(); ++warp) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const std::uint64_t digest = threads_[warp][lane];
      if (digest == 0) continue;  // a thread that did nothing, or none
      sum += step(step(step(0, block + 1), warp * kLanes + lane + 1), digest);
    }
  }
  return sum;
}

}  // namespace warpcheck::observers
