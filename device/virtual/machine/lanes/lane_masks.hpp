// Masks of lanes that take part in an exchange or a barrier of the warp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "device/virtual/machine/block/warp.hpp"

namespace warpcheck::machine {

class LaneMasks {
 public:
  LaneMasks(const Warp& warp, Slot slot) : masks_(warp.lanes<std::uint32_t>(slot)) {}
  LaneMasks(const LaneMasks&) = delete;
  LaneMasks& operator=(const LaneMasks&) = delete;

  /// Reports the running lanes that are not in their own mask. If the launch continues, running
  /// lanes with the same mask then form a group without the other lanes of the mask. Returns false
  /// if the launch ends.
  [[nodiscard]] bool name_their_lanes(Warp& warp, const Op& op, std::string_view act);

  [[nodiscard]] Mask operator[](unsigned lane) const { return masks_[lane]; }
  [[nodiscard]] const std::uint32_t* data() const { return masks_; }

 private:
  const std::uint32_t* masks_;
  std::array<std::uint32_t, kLanes> repaired_;
};

}  // namespace warpcheck::machine
