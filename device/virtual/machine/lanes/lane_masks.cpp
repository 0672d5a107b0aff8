#include "device/virtual/machine/lanes/lane_masks.hpp"

#include <fmt/format.h>

namespace warpcheck::machine {

bool LaneMasks::name_their_lanes(Warp& warp, const Op& op, std::string_view act) {
  Mask unnamed = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    unnamed |= warp.active() & ~masks_[lane] & Mask{1} << lane;
  }
  if (unnamed == 0) return true;
  const unsigned first = lowest(unnamed);
  if (!warp.goes_on_after(op, unnamed, FindingClass::barrier_divergence,
                          fmt::format("lane {} {} with mask {:#010x}, which does not name it",
                                      first, act, masks_[first]))) {
    return false;
  }
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    repaired_[lane] = masks_[lane];
    if ((unnamed >> lane & 1) == 0) continue;
    Mask group = 0;
    for (Mask rest = unnamed; rest != 0; rest &= rest - 1) {
      if (masks_[lowest(rest)] == masks_[lane]) group |= rest & (~rest + 1);
    }
    repaired_[lane] = group;
  }
  masks_ = repaired_.data();
  return true;
}

}  // namespace warpcheck::machine
