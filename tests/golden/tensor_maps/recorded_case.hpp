// One line of what record.cu wrote on a GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "device/tensor_map.hpp"
#include "device/virtual/semantics/atomics.hpp"
#include "device/virtual/semantics/tensor_box.hpp"

namespace warpcheck::golden::tensor_maps {

/// In the order of the recorder.
enum class Kind {
  tile,
  tile_swizzled_32,
  tile_swizzled_64,
  tile_swizzled_128,
  slices_16,
  slices_32,
  im2col,
  im2col_slices,
  store,
  store_im2col,
  reduce,
  encode_tiled,
  encode_im2col,
};

struct RecordedCase {
  Kind kind{};
  device::TensorMap map;  // the address is relative to the observed global memory
  semantics::TensorPlace place;
  semantics::BulkReduction reduction{};
  int result = 0;     // status of the driver: 0 if it accepts the arguments
  std::string state;  // "done", "late" if the copy transferred another number of bytes, "-" if none
  std::string hash;   // hash of the observed memory after the copy
  std::string line;
};

/// Reads `file`. Lines that begin with '#' are comments.
[[nodiscard]] std::vector<RecordedCase> read_cases(const std::string& file);

/// The observed memory after the copy.
[[nodiscard]] std::vector<std::byte> memory_after(const RecordedCase& recorded);

/// FNV-1a of 64 bits, in hexadecimal digits.
[[nodiscard]] std::string hash_of(const std::vector<std::byte>& bytes);

}  // namespace warpcheck::golden::tensor_maps
