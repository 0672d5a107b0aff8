// Accesses to the word around an object of 1 or 2 bytes, see ptx/analysis/object_in_word.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "device/virtual/isa/lowering.hpp"
#include "device/virtual/machine/block/observe.hpp"

namespace warpcheck::isa {

/// Sets OpDetail::object if a strong access, or a compare-and-swap, is one to such an object.
void recognize_object_in_word(Lowering& lowering, const ptx::Address& address);

/// The access of the lanes to their objects in the words of `word`.
class ObjectAccess {
 public:
  ObjectAccess(const machine::Warp& warp, const machine::Op& op,
               const machine::ResolvedAccess& word);

  /// Valid as long as this object.
  [[nodiscard]] machine::ResolvedAccess resolved() const;
  /// The bits of the lane's object in its word.
  [[nodiscard]] std::uint64_t bits(unsigned lane) const { return bits_[lane]; }

 private:
  machine::LaneOffsets offsets_;
  machine::ResolvedAccess word_;
  std::array<std::uint64_t, machine::kLanes> bits_{};
};

/// Empty if the op accesses whole words.
inline std::optional<ObjectAccess> objects_of(const machine::Warp& warp, const machine::Op& op,
                                              const machine::ResolvedAccess& word) {
  if (op.detail->object.bytes == 0) return std::nullopt;
  return ObjectAccess(warp, op, word);
}

}  // namespace warpcheck::isa
