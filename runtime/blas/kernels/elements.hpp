// The elements of operands: their formats in memory, and the numbers that functions compute with.
#pragma once

#include <library_types.h>

#include <complex>
#include <cstddef>
#include <cstdint>
#include <string>

namespace warpcheck::runtime {

/// "CUDA_R_16F", or the number of a format that no function here reads.
[[nodiscard]] std::string describe(cudaDataType type);
/// Bytes of an element; 0: a format that no function here reads.
[[nodiscard]] std::size_t size_of(cudaDataType type);
[[nodiscard]] bool is_complex(cudaDataType type);
/// CUDA_R_32F for CUDA_C_32F.
[[nodiscard]] cudaDataType real_type(cudaDataType type);

// `Number`: float, double, std::complex of these, or std::int32_t, which contain every element of
// the formats with which functions combine them.

template <class Number>
void load_elements(cudaDataType type, const std::byte* from, std::size_t count, Number* to);
/// Rounds once, to the nearest. Formats of 8 bits saturate. Complex numbers lose their imaginary
/// part if the format is real.
template <class Number>
void store_elements(cudaDataType type, const Number* from, std::size_t count, std::byte* to);

}  // namespace warpcheck::runtime
