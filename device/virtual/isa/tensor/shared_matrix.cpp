#include "device/virtual/isa/tensor/shared_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "device/virtual/machine/block/observe.hpp"
#include "device/virtual/machine/lanes/access.hpp"

namespace warpcheck::isa {
namespace {

using machine::ChunkRead;
using machine::kLanes;
using machine::Op;
using machine::Warp;

constexpr unsigned kChunk = 16;  // bytes that are read together

/// Defined zeros that replace a chunk which does not exist.
constexpr std::array<std::byte, kChunk> kZeros{};
const std::array<std::byte, kChunk> kOnes = [] {
  std::array<std::byte, kChunk> ones{};
  ones.fill(std::byte{0xff});
  return ones;
}();

/// Sets elements first, first + step ... of the tile to the elements of a chunk, each extended to a
/// word.
template <typename Element>
void set_elements(const std::byte* data, const std::byte* shadow, std::size_t first,
                  std::size_t step, Tile& tile) {
  std::array<Element, kChunk / sizeof(Element)> elements;
  std::memcpy(elements.data(), data, kChunk);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    tile.value[first + i * step] = static_cast<std::uint32_t>(elements[i]);
  }
  const bool all_defined = std::memcmp(shadow, kOnes.data(), kChunk) == 0;
  if (all_defined && tile.known) return;  // no element is marked as undefined
  if (tile.known) std::fill_n(tile.undefined.get(), tile.elements, static_cast<unsigned char>(0));
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const bool defined =
        std::memcmp(shadow + i * sizeof(Element), kOnes.data(), sizeof(Element)) == 0;
    tile.undefined[first + i * step] = defined ? 0 : 1;
    tile.known = tile.known && defined;
  }
}

/// The function for the elements of a matrix.
auto setter_for(const SharedMatrix& matrix) {
  if (matrix.bytes == 4) return set_elements<std::uint32_t>;
  if (matrix.bytes == 2) return set_elements<std::uint16_t>;
  return matrix.by_sign ? set_elements<std::int8_t> : set_elements<std::uint8_t>;
}

}  // namespace

SharedOperands::SharedOperands(Warp& warp, const Op& op) : warp_(warp), op_(op) {
  shared_.space = machine::Space::shared;
}

SharedOperands::Chunk SharedOperands::chunk(std::uint64_t address) {
  const machine::Container* const stored = machine::find_container(warp_, shared_, address);
  const machine::Container located =
      stored != nullptr ? machine::Container{} : machine::locate(warp_, shared_, address);
  const machine::Container& found = stored != nullptr ? *stored : located;
  const std::uint64_t offset = address - found.base;
  if (found.name == nullptr || found.bytes.size < kChunk || offset > found.bytes.size - kChunk) {
    report(address, found);
    return {kZeros.data(), kOnes.data()};
  }
  reads_.push_back({&found, offset});
  return {found.bytes.data + offset, found.bytes.shadow + offset};
}

void SharedOperands::report(std::uint64_t address, const machine::Container& found) {
  if (found.name == nullptr) {
    static_cast<void>(
        warp_.goes_on_after(op_, machine::kAllLanes, FindingClass::out_of_bounds,
                            fmt::format("the descriptor leads to byte {:#x} of shared memory, "
                                        "where nothing is allocated",
                                        address)));
    return;
  }
  const std::uint64_t offset = address - found.base;
  static_cast<void>(warp_.goes_on_after(
      op_, machine::kAllLanes, FindingClass::out_of_bounds,
      fmt::format("the descriptor leads to bytes {} to {} of {}, which has {} bytes", offset,
                  offset + kChunk - 1, *found.name, found.bytes.size),
      MemoryPlace{*found.name, static_cast<std::ptrdiff_t>(offset), kChunk, false,
                  found.bytes.size}));
}

bool SharedOperands::read(const SharedMatrix& matrix, std::size_t line_step, std::size_t k_step,
                          Tile& tile) {
  const unsigned each = kChunk / matrix.bytes;
  const unsigned depth = kBytesOfK / matrix.bytes;
  // Chunks lie along the lines, or along k.
  const unsigned along_lines = matrix.by_lines ? each : 1;
  const unsigned along_k = matrix.by_lines ? 1 : each;
  const auto set = setter_for(matrix);
  for (unsigned line = 0; line < matrix.lines; line += along_lines) {
    for (unsigned k = 0; k < depth; k += along_k) {
      const unsigned number = matrix.first + line;
      const Chunk found =
          chunk(matrix.by_lines ? matrix.descriptor.line_major_offset(number / each, k)
                                : matrix.descriptor.k_major_offset(number, k / each));
      if (warp_.block().faulted()) return false;
      const std::size_t first = line * line_step + k * k_step;
      set(found.data, found.shadow, first, matrix.by_lines ? line_step : k_step, tile);
    }
  }
  return true;
}

void SharedOperands::observe() {
  machine::Block& block = warp_.block();
  for (std::size_t first = 0; first < reads_.size();) {
    const machine::Container& container = *reads_[first].container;
    machine::LaneOffsets offsets;
    offsets.fill(static_cast<std::uint32_t>(reads_[first].offset));
    machine::Mask lanes = 0;
    for (unsigned lane = 0; lane < kLanes && first + lane < reads_.size(); ++lane) {
      const ChunkRead& read = reads_[first + lane];
      if (read.container != &container) break;
      offsets[lane] = static_cast<std::uint32_t>(read.offset);
      lanes |= machine::Mask{1} << lane;
    }
    const machine::ResolvedAccess resolved{container.bytes.data, container.bytes.shadow,
                                           offsets.data(), &container, machine::Pattern::scattered};
    if (block.digests()) {
      machine::digest_access(warp_, resolved, lanes, kChunk, checks::Act::read);
    }
    if (block.looks_for_races()) {
      machine::observe_async_copies(warp_, op_, resolved, lanes, kChunk, false);
      machine::observe_shared_look(warp_, op_, resolved, lanes, kChunk);
    }
    first += static_cast<std::size_t>(std::popcount(lanes));
  }
  for (const ChunkRead& read : reads_) {
    machine::check_proxy_writes(warp_, op_, *read.container, read.offset, kChunk, 0);
  }
}

}  // namespace warpcheck::isa
