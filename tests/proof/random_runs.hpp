// Runs of a random kernel for small sizes, under all checks of the virtual device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "tests/proof/random_kernel.hpp"

namespace warpcheck::proof::test {

struct Sizes {
  int rows = 0;
  int columns = 0;
  int stride_x = 1;
  int stride_y = 1;
  int offset = 0;  // elements before each buffer

  [[nodiscard]] std::string text() const;
};

[[nodiscard]] contract::Variant variant_of(const RandomKernel& kernel);

/// Calls `use` with each small case of the contract, until it returns false.
void for_each_case(const contract::Variant& variant, const RandomKernel& kernel,
                   const std::function<bool(const Sizes&)>& use);

inline constexpr std::uint64_t kFewInstructions = 200'000;  // nested loops may need more
inline constexpr std::uint64_t kManyInstructions = 1'000 * kFewInstructions;

/// The outputs are zero before the run.
[[nodiscard]] device::Outcome run(device::Device& device, const device::Program& program,
                                  const contract::Variant& variant, const Sizes& sizes,
                                  std::uint64_t budget = kFewInstructions);

/// The largest element of the outputs of an outcome.
[[nodiscard]] std::uint32_t largest_output(const device::Outcome& outcome);

}  // namespace warpcheck::proof::test
