#include "campaign/generate/sampling/ptx_numbers.hpp"

#include <cstddef>

#include "campaign/generate/sampling/tiles.hpp"
#include "ptx/analysis/number_uses.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::campaign::generate {
namespace {

constexpr std::array<const char*, 3> kNames = {"m", "n", "k"};

using contract::ArgumentWord;
using ptx::analysis::kMostParameters;
using ptx::analysis::Origin;

constexpr std::int64_t kLeastNumber = 2;
constexpr std::int64_t kMostNumber = 8192;
constexpr std::int64_t kMostIterations = 32;

/// Returns the set of the parameters with this word, which Origin::parameters can contain.
std::uint64_t parameters_with(const contract::LaunchStep& launch, ArgumentWord word) {
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < launch.arguments.size() && i < kMostParameters; ++i) {
    set |= static_cast<std::uint64_t>(launch.arguments[i].word == word) << i;
  }
  return set;
}

/// Returns true if the value depends on a block index along an axis that depends on the extent.
bool is_block_of(const Origin& origin, const contract::LaunchStep& launch, const char* extent) {
  for (std::size_t axis = 0; axis < launch.grid.size(); ++axis) {
    if ((origin.block_axes >> axis & 1) != 0 && launch.grid.at(axis).names().contains(extent)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::array<PtxNumbers, 3> ptx_numbers(const ptx::Function& kernel,
                                      const contract::LaunchStep& launch) {
  const std::array parameters = {parameters_with(launch, ArgumentWord::m),
                                 parameters_with(launch, ArgumentWord::n),
                                 parameters_with(launch, ArgumentWord::k)};
  std::array<PtxNumbers, 3> numbers;
  for (const auto& use : ptx::analysis::number_uses(kernel, kLeastNumber, kMostNumber)) {
    Origin origin = use.other;
    origin.parameters &= parameters[0] | parameters[1] | parameters[2];
    for (std::size_t extent = 0; extent < numbers.size(); ++extent) {
      const bool uses_size = (origin.parameters & parameters.at(extent)) != 0;
      const bool uses_block = is_block_of(origin, launch, kNames.at(extent));
      const bool uses_counter =
          extent == 2 && origin == Origin{.counter = true} && use.number <= kMostIterations;
      if (uses_size || (uses_block && origin.thread) || uses_counter) {
        numbers.at(extent).elements.insert(use.number);
      }
      const bool uses_count = uses_size && use.compares && origin.quotient;
      if (((uses_block || uses_count) && !origin.thread) || uses_counter) {
        numbers.at(extent).tiles.insert(use.number);
        // An index above 31 exists from the 33rd block on: one tile beyond 32.
        if (uses_block && use.compares) numbers.at(extent).tiles.insert(use.number + 1);
      }
    }
  }
  return numbers;
}

}  // namespace warpcheck::campaign::generate
