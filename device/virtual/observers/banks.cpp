#include "device/virtual/observers/banks.hpp"

#include <algorithm>
#include <cstddef>

namespace warpcheck::observers {
namespace {

using machine::kLanes;
using machine::Mask;

constexpr unsigned kBanks = 32;
constexpr unsigned kBankBytes = 4;

/// A set of few numbers.
class Distinct {
 public:
  /// Whether the number is new.
  bool add(std::uint64_t number) {
    const auto end = numbers_.begin() + static_cast<std::ptrdiff_t>(count_);
    if (count_ != 0 && numbers_[count_ - 1] == number) return false;
    if (std::find(numbers_.begin(), end, number) != end) return false;
    numbers_[count_++] = number;
    return true;
  }
  [[nodiscard]] unsigned count() const { return static_cast<unsigned>(count_); }

 private:
  std::array<std::uint64_t, kLanes> numbers_{};
  std::size_t count_ = 0;
};

/// The most different words that a bank has to serve to these lanes, at most 128 bytes in all.
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

}  // namespace

unsigned sectors(const LaneAddresses& addresses, Mask lanes) {
  Distinct distinct;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((lanes >> lane & 1) != 0) distinct.add(addresses[lane] / kSectorBytes);
  }
  return distinct.count();
}

Wavefronts wavefronts(const LaneAddresses& addresses, Mask lanes, unsigned bytes) {
  const unsigned words = std::max(1U, bytes / kBankBytes);
  const unsigned part = kLanes / words;  // lanes that are served together
  const Mask first = part == kLanes ? machine::kAllLanes : (Mask{1} << part) - 1;
  Wavefronts result;
  for (unsigned begin = 0; begin < kLanes; begin += part) {
    const Mask served = lanes & first << begin;
    if (served == 0) continue;
    result.total += busiest_bank(addresses, served, words);
    ++result.ideal;
  }
  return result;
}

}  // namespace warpcheck::observers
