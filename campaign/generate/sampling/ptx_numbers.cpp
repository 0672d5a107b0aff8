#include "campaign/generate/sampling/ptx_numbers.hpp"

#include <cstddef>
#include <string>

#include "ptx/analysis/number_uses.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::campaign::generate {
namespace {

using ptx::analysis::kMostParameters;
using ptx::analysis::Origin;

constexpr std::int64_t kLeastNumber = 2;
constexpr std::int64_t kMostNumber = 8192;
constexpr std::int64_t kMostIterations = 32;

/// Returns the set of the parameters with this text, which Origin::parameters can contain.
std::uint64_t parameters_with(const contract::LaunchStep& launch, const std::string& text) {
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < launch.arguments.size() && i < kMostParameters; ++i) {
    set |= static_cast<std::uint64_t>(launch.arguments[i].text == text) << i;
  }
  return set;
}

/// Returns true if the value depends on a block index along an axis that depends on the extent.
bool is_block_of(const Origin& origin, const contract::LaunchStep& launch,
                 const std::string& extent) {
  for (std::size_t axis = 0; axis < launch.grid.size(); ++axis) {
    if ((origin.block_axes >> axis & 1) != 0 && launch.grid.at(axis).names().contains(extent)) {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<PtxNumbers> ptx_numbers(const ptx::Function& kernel, const contract::LaunchStep& launch,
                                    const std::vector<CaseField>& extents) {
  std::vector<std::uint64_t> parameters;
  std::uint64_t sizes = 0;
  for (const CaseField& extent : extents) {
    sizes |= parameters.emplace_back(parameters_with(launch, extent.name));
  }
  std::vector<PtxNumbers> numbers(extents.size());
  for (const auto& use : ptx::analysis::number_uses(kernel, kLeastNumber, kMostNumber)) {
    Origin origin = use.other;
    origin.parameters &= sizes;
    for (std::size_t extent = 0; extent < extents.size(); ++extent) {
      const bool uses_size = (origin.parameters & parameters[extent]) != 0;
      const bool uses_block = is_block_of(origin, launch, extents[extent].name);
      const bool uses_counter = extents[extent].is_reduced && origin == Origin{.counter = true} &&
                                use.number <= kMostIterations;
      if (uses_size || (uses_block && origin.thread) || uses_counter) {
        numbers[extent].elements.insert(use.number);
      }
      const bool uses_count = uses_size && use.compares && origin.quotient;
      if (((uses_block || uses_count) && !origin.thread) || uses_counter) {
        numbers[extent].tiles.insert(use.number);
        // An index above 31 exists from the 33rd block on: one tile beyond 32.
        if (uses_block && use.compares) numbers[extent].tiles.insert(use.number + 1);
      }
    }
  }
  return numbers;
}

}  // namespace warpcheck::campaign::generate
