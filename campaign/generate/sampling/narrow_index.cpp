#include "campaign/generate/sampling/narrow_index.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "ptx/analysis/narrow_products.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::campaign::generate {
namespace {

using ptx::analysis::kMostParameters;

/// Returns the set of the parameters that count matrices, or elements from one to the next.
std::uint64_t parameters_of_batch(const contract::LaunchStep& launch) {
  using contract::ArgumentWord;
  constexpr std::array kWords = {ArgumentWord::batch, ArgumentWord::stride_a,
                                 ArgumentWord::stride_b, ArgumentWord::stride_c,
                                 ArgumentWord::stride_d};
  std::uint64_t set = 0;
  for (std::size_t i = 0; i < std::min(launch.arguments.size(), kMostParameters); ++i) {
    const bool is_one =
        std::find(kWords.begin(), kWords.end(), launch.arguments[i].word) != kWords.end();
    set |= static_cast<std::uint64_t>(is_one) << i;
  }
  return set;
}

NarrowIndex place_of(const ptx::Module& module, const ptx::Instruction& product,
                     const contract::Argument& buffer) {
  NarrowIndex found;
  found.buffer = buffer.word;
  if (buffer.word == contract::ArgumentWord::tensor) found.tensor = buffer.text;
  if (product.location) {
    const ptx::SourceLine& line = module.locations[*product.location].outermost();
    found.file = module.file(line.file);
    found.line = line.line;
  }
  return found;
}

}  // namespace

std::vector<NarrowIndex> narrow_indices(const ptx::Module& module, const ptx::Function& kernel,
                                        const contract::LaunchStep& launch) {
  const std::uint64_t batch_parameters = parameters_of_batch(launch);
  std::vector<NarrowIndex> all;
  for (const auto& one : ptx::analysis::narrow_products(kernel)) {
    for (std::size_t i = 0; i < std::min(launch.arguments.size(), kMostParameters); ++i) {
      const contract::Argument& argument = launch.arguments[i];
      const bool is_address =
          contract::is_buffer(argument.word) || argument.word == contract::ArgumentWord::tensor;
      if ((one.address_parameters >> i & 1) == 0 || !is_address) continue;
      NarrowIndex found = place_of(module, *one.product, argument);
      found.spans_batch = one.has_narrow_factor || one.has_block_z_factor ||
                          (one.factor_parameters & batch_parameters) != 0;
      if (std::find(all.begin(), all.end(), found) == all.end()) all.push_back(std::move(found));
    }
  }
  return all;
}

}  // namespace warpcheck::campaign::generate
