#include "device/virtual/counters/banks.hpp"

#include <algorithm>
#include <cstddef>

namespace warpcheck::counters {
namespace {

using machine::kLanes;
using machine::Mask;

constexpr unsigned kBanks = 32;
constexpr unsigned kBankBytes = 4;

constexpr std::size_t kMostNumbers = std::size_t{2} * kLanes;  // words of two parts of a request

/// A small set of numbers.
class Distinct {
 public:
  /// Adds a number. Returns true if it is new.
  bool add(std::uint64_t number) {
    const auto end = numbers_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (count_ != 0 && numbers_[count_ - 1] == number) return false;
    if (std::find(numbers_.begin(), end, number) != end) return false;
    numbers_[count_++] = number;
    return true;
  }
  [[nodiscard]] unsigned count() const { return static_cast<unsigned>(count_); }

 private:
  std::array<std::uint64_t, kMostNumbers> numbers_{};
  std::size_t count_ = 0;
};

/// The largest number of different words in one bank that these lanes access; the lanes form one or
/// two parts.
unsigned busiest_bank(const LaneAddresses& addresses, Mask lanes, unsigned words) {
  Distinct distinct;
  std::array<std::uint8_t, kBanks> load{};
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    for (unsigned i = 0; i < words; ++i) {
      const std::uint64_t word = addresses[lane] / kBankBytes + i;
      if (distinct.add(word)) ++load[word % kBanks];
    }
  }
  return *std::max_element(load.begin(), load.end());
}

/// `count` lanes, the first of which is `begin`; none if `begin` is beyond the last lane.
Mask run_of_lanes(unsigned begin, unsigned count) {
  if (begin >= kLanes) return 0;
  return (count == kLanes ? machine::kAllLanes : (Mask{1} << count) - 1) << begin;
}

/// True if each of the lanes has the same address as lane ^ flip, if that lane is also in `lanes`.
bool partners_agree(const LaneAddresses& addresses, Mask lanes, unsigned flip) {
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const bool both = (lanes >> lane & 1) != 0 && (lanes >> (lane ^ flip) & 1) != 0;
    if (both && addresses[lane] != addresses[lane ^ flip]) return false;
  }
  return true;
}

/// True if the hardware processes two parts of a vector load as one.
bool can_join(const LaneAddresses& addresses, Mask lanes, unsigned words) {
  if (!partners_agree(addresses, lanes, 1) && !partners_agree(addresses, lanes, 2)) return false;
  return busiest_bank(addresses, lanes, words) == 1;
}

}  // namespace

unsigned sectors(const LaneAddresses& addresses, Mask lanes) {
  Distinct distinct;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) != 0) distinct.add(addresses[lane] / kSectorBytes);
  }
  return distinct.count();
}

Wavefronts wavefronts(const LaneAddresses& addresses, Mask lanes, unsigned bytes, bool load) {
  const unsigned words = std::max(1U, bytes / kBankBytes);
  const unsigned part = kLanes / words;  // lanes that one part consists of
  Wavefronts result;
  for (unsigned begin = 0; begin < kLanes; begin += 2 * part) {
    const Mask first = lanes & run_of_lanes(begin, part);
    const Mask second = lanes & run_of_lanes(begin + part, part);
    if (load && first != 0 && second != 0 && can_join(addresses, first | second, words)) {
      ++result.total;
      ++result.ideal;
      continue;
    }
    for (const Mask served : {first, second}) {
      if (served == 0) continue;
      result.total += busiest_bank(addresses, served, words);
      ++result.ideal;
    }
  }
  return result;
}

}  // namespace warpcheck::counters
