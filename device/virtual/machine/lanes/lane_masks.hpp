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

  /// Reports the running lanes that their own mask does not name. If the launch goes on, those with
  /// the same mask take part as a group without the lanes that the mask names. False if it ends.
  [[nodiscard]] bool name_their_lanes(Warp& warp, const Op& op, std::string_view act);

  [[nodiscard]] Mask operator[](unsigned lane) const { return masks_[lane]; }
  [[nodiscard]] const std::uint32_t* data() const { return masks_; }

 private:
  const std::uint32_t* masks_;
  std::array<std::uint32_t, kLanes> repaired_;
};

}  // namespace warpcheck::machine
