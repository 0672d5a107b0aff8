#include "device/virtual/machine/memory/reduction.hpp"

#include <cstring>

namespace warpcheck::machine {
namespace {

std::uint64_t read_element(const std::byte* from, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  return value;
}

}  // namespace

void combine_elements(const Reduction& reduction, Bytes to, const std::byte* data,
                      const std::byte* shadow) {
  const std::size_t bytes = reduction.element;
  for (std::size_t i = 0; i < to.size; i += bytes) {
    const std::uint64_t result =
        reduction.combine(read_element(to.data + i, bytes), read_element(data + i, bytes));
    std::memcpy(to.data + i, &result, bytes);
    const std::uint64_t known =
        read_element(to.shadow + i, bytes) & read_element(shadow + i, bytes);
    const bool defined = known == ~std::uint64_t{0} >> (64 - 8 * bytes);
    std::memset(to.shadow + i, defined ? 0xff : 0, bytes);
  }
}

}  // namespace warpcheck::machine
