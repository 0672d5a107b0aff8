#include "ptx/analysis/object_in_word.hpp"

#include <algorithm>

#include "ptx/analysis/registers.hpp"

namespace warpcheck::ptx::analysis {
namespace {

/// True if the function computes the position of the pointer's object in bits.
bool computes_position(const Function& function, const Definitions& definitions, unsigned pointer) {
  return std::any_of(function.body.begin(), function.body.end(), [&](const auto& instruction) {
    const auto* const by = operand<Integer>(instruction, 2);
    const auto* const source = operand<Register>(instruction, 1);
    return mnemonic(instruction) == "shl" && by != nullptr && by->bits == 3 && source != nullptr &&
           definitions.original(source->index) == pointer;
  });
}

/// The bytes of the object in a word of 4 bytes: 1 or 2, by the first mask of this width after the
/// computation of the word's address.
std::uint8_t bytes_of_object(const Function& function, std::size_t from) {
  constexpr std::size_t kNear = 64;
  const std::size_t end = std::min(function.body.size(), from + kNear);
  for (std::size_t at = from; at < end; ++at) {
    for (std::size_t i = 1; i < function.body[at].operands.size(); ++i) {
      const auto* const mask = operand<Integer>(function.body[at], i);
      if (mask != nullptr && mask->bits == 0xff) return 1;
      if (mask != nullptr && mask->bits == 0xffff) return 2;
    }
  }
  return 1;
}

}  // namespace

std::optional<PackedObject> object_in_word(const Function& function, const Address& address,
                                           std::size_t word) {
  const auto* const base = std::get_if<Register>(&address.base);
  if (base == nullptr || address.offset != 0 || (word != 2 && word != 4)) return std::nullopt;
  const Definitions definitions(function);
  const auto aligned = definitions.of(definitions.original(base->index));
  if (!aligned || mnemonic(function.body[*aligned]) != "and") return std::nullopt;
  const auto* const source = operand<Register>(function.body[*aligned], 1);
  const auto* const mask = operand<Integer>(function.body[*aligned], 2);
  const bool is_aligned =
      source != nullptr && mask != nullptr && mask->bits == ~std::uint64_t{word - 1};
  if (!is_aligned) return std::nullopt;
  const unsigned pointer = definitions.original(source->index);
  if (!definitions.of(pointer) || !computes_position(function, definitions, pointer)) {
    return std::nullopt;
  }
  return PackedObject{pointer, word == 2 ? std::uint8_t{1} : bytes_of_object(function, *aligned)};
}

}  // namespace warpcheck::ptx::analysis
