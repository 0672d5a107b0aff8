// CUDA arrays and mipmapped arrays: images in device memory, whose layout is hidden from the
// program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "device/texture.hpp"
#include "runtime/cuda_api.hpp"
#include "runtime/memory.hpp"

namespace warpcheck::runtime {

/// An array, with all levels of a mipmapped one. A cudaArray_t of a level is an array of its own.
struct Array {
  device::Image image;
  cudaChannelFormatDesc format{};
  cudaExtent extent{};  // passed by the program; 0 for an axis that the array does not have
  unsigned flags = 0;
  bool mipmapped = false;
  bool freed = false;
  const Array* level_of = nullptr;  // null: not of a mipmapped array

  [[nodiscard]] std::uint64_t address() const { return image.levels.front().address; }
};

/// The format of texels; empty if no texel has it.
[[nodiscard]] std::optional<device::TexelFormat> texel_format(const cudaChannelFormatDesc& format);

/// The array that a handle stands for; null if there never was one.
[[nodiscard]] Array* array_of(const void* handle);

/// True if the address is that of a texel.
[[nodiscard]] bool is_in_array(std::uint64_t address);

/// The array that a handle stands for; null after a report unless it is alive and, as `mipmapped`
/// requires, of one level.
[[nodiscard]] Array* live_array(Runtime& runtime, const char* function, const void* handle,
                                bool mipmapped = false);

/// The place of a region in an array. `x`, `bytes`: in bytes. Empty after a report if the region
/// is not within the array.
[[nodiscard]] std::optional<RegionPlace> place_in_array(Runtime& runtime, const char* function,
                                                        const Array& array, std::size_t x,
                                                        std::size_t y, std::size_t z,
                                                        const Region& region);

struct ArrayCopy {
  RegionPlace to;
  RegionPlace from;
  Region region;
};

/// Sets the places of a cudaMemcpy3D() in which an array takes part. `function`: the name of the
/// runtime's function, for messages.
cudaError_t read_array_copy(Runtime& runtime, const char* function,
                            const cudaMemcpy3DParms& parameters, ArrayCopy& copy);

}  // namespace warpcheck::runtime
