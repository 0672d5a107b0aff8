#include <fmt/format.h>

#include "proof/domain/domain.hpp"
#include "proof/proof.hpp"

namespace warpcheck::proof {

std::string theorem() {
  return fmt::format(
      "A property that is proved holds for the PTX with the printed hash and for every case of the "
      "contract: extents up to {}, strides below 2^31, buffers that do not overlap, and launches "
      "that the device admits. A proof states nothing about values or the machine code. It assumes "
      "that this program, {} and the assembler are correct.",
      kMostExtent, solver_version());
}

}  // namespace warpcheck::proof
