// Draws adversarial cases inside a contract's domain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/contract/contract.hpp"
#include "properties/case.hpp"
#include "properties/generate/solve.hpp"
#include "properties/generate/tiles.hpp"

namespace warpcheck::properties {

struct Drawn {
  Case problem;                            // inside the domain, normalized
  std::optional<std::string> excluded_by;  // the conjunct that the wish, drawn without regard to
                                           // `requires`, broke; empty: it was inside already
};

/// Case number i is a pure function of the seed, the contract and i. Sizes lie around multiples of
/// the contract's tiles, small, prime, or far from one another; leading dimensions are tight, odd
/// or padded, and so are the strides of a batch of up to five; bases up to three elements off.
/// Every case draws its own budget of work, so that large shapes are as likely among the first
/// cases as among the last. In every hundred, one case each passes a limit of the grid that the
/// domain lets it pass, and, where `far_lines`, one case each has a leading dimension that takes
/// more than 32 bits to walk along, which needs a device that is sparse.
class CaseGenerator {
 public:
  CaseGenerator(const kernels::Contract& contract, std::uint64_t seed, bool far_lines = false);

  /// Throws InputError, located at the contract, where `requires` admits no case that the search
  /// finds.
  [[nodiscard]] Drawn draw(std::int64_t index) const;

 private:
  const kernels::Contract& contract_;
  std::uint64_t seed_;
  Tiles tiles_;
  Solver solver_;
  std::vector<Case> beyond_grid_limits_;
  std::vector<kernels::ArgumentWord> far_words_;  // of leading dimensions
};

}  // namespace warpcheck::properties
