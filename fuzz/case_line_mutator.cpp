// Mutates fields of case lines, because rng bytes are hardly ever a valid line.
#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

#include "fuzz/target.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t limit);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t limit, unsigned seed);

namespace {

using Rng = std::minstd_rand;

constexpr std::array<std::string_view, 14> kSizes{
    "m",        "n",        "k",        "batch", "lda",   "ldb",   "ldc",
    "stride_a", "stride_b", "stride_c", "off_a", "off_b", "off_c", "off_bias"};
constexpr std::array<std::string_view, 6> kOthers{"alpha", "beta", "seed", "ta", "tb", "data"};
constexpr std::array<std::string_view, 11> kNumbers{"0",
                                                    "1",
                                                    "2",
                                                    "3",
                                                    "64",
                                                    "127",
                                                    "4096",
                                                    "4294967297",
                                                    "1e9",
                                                    "3037000500",
                                                    "9223372036854775807"};
constexpr std::array<std::string_view, 17> kValues{
    "t",  "n",   "0",   "-0",     "1.5",    "-1e300",       "5e-324", "nan",    "inf",
    "42", "1e9", "t=t", "normal", "spikes", "cancellation", "onehot", "lattice"};

template <std::size_t size>
std::string one_of(const std::array<std::string_view, size>& values, Rng& rng) {
  return std::string(values[rng() % size]);
}

std::string field(Rng& rng) {
  if (rng() % 3 != 0) return one_of(kSizes, rng) + '=' + one_of(kNumbers, rng);
  return one_of(kOthers, rng) + '=' + one_of(kValues, rng);
}

/// Replaces the field of the same name, or appends the field.
void set_field(std::string& text, Rng& rng) {
  const std::string added = field(rng);
  const std::size_t found = text.find(' ' + added.substr(0, added.find('=') + 1));
  if (found == std::string::npos) {
    text.erase(text.find_last_not_of(" \n") + 1);
    text += ' ' + added;
    return;
  }
  const std::size_t end = std::min(text.find_first_of(" \n", found + 1), text.size());
  text.replace(found + 1, end - found - 1, added);
}

}  // namespace

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t limit,
                                    unsigned seed) {
  Rng rng(seed);
  if (rng() % 4 == 0) return LLVMFuzzerMutate(data, size, limit);
  std::string text(warpcheck::fuzz::text_of(data, size));
  set_field(text, rng);
  const std::size_t kept = std::min(text.size(), limit);
  std::memcpy(data, text.data(), kept);
  return kept;
}
