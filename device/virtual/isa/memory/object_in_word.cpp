#include "device/virtual/isa/memory/object_in_word.hpp"

#include <algorithm>

#include "ptx/analysis/object_in_word.hpp"

namespace warpcheck::isa {
void recognize_object_in_word(Lowering& lowering, const ptx::Address& address) {
  const std::size_t word = ptx::bytes(lowering.selection.type());
  const auto found = ptx::analysis::object_in_word(lowering.function.function(), address, word);
  if (!found) return;
  machine::ObjectInWord& object = lowering.detail().object;
  object.pointer = lowering.function.register_slot(found->pointer);
  object.is_wide = bits_of(lowering.function.register_type(found->pointer)) == 64;
  object.word = static_cast<std::uint8_t>(word);
  object.bytes = found->bytes;
  lowering.result.scalar_bytes = object.bytes;
  if (lowering.result.space != machine::Space::global) {
    std::size_t& unit = lowering.function.code().shared_unit;
    unit = std::min<std::size_t>(unit, object.bytes);
  }
}

ObjectAccess::ObjectAccess(const machine::Warp& warp, const machine::Op& op,
                           const machine::ResolvedAccess& word)
    : word_(word) {
  const machine::ObjectInWord& object = op.detail->object;
  const std::uint64_t first = (std::uint64_t{1} << 8 * object.bytes) - 1;
  for (unsigned lane = 0; lane < machine::kLanes; ++lane) {
    const std::uint64_t pointer = object.is_wide ? warp.lanes<std::uint64_t>(object.pointer)[lane]
                                                 : warp.lanes<std::uint32_t>(object.pointer)[lane];
    const std::uint64_t place = pointer & (object.word - 1) & ~std::uint64_t{object.bytes - 1U};
    offsets_[lane] = word.offset[lane] + static_cast<std::uint32_t>(place);
    bits_[lane] = first << 8 * place;
  }
}

machine::ResolvedAccess ObjectAccess::resolved() const {
  return {word_.data, word_.shadow, offsets_.data(), word_.container, machine::Pattern::scattered,
          word_.begin};
}

}  // namespace warpcheck::isa
