// D = A B + C as tensor cores compute it (PTX ISA 9.7.14 and 9.7.15). Results are equal bit by bit.
//
// Matrices are row-major arrays with one element per word, which has the bits of the element and
// zeros above them. a is m x k, b is k x n, c and d are m x n. d may be the same array as c.
#pragma once

#include <cstdint>

namespace warpcheck::semantics {

struct MmaShape {
  int m = 0;
  int n = 0;
  int k = 0;
};

enum class MmaInput : std::uint8_t { f16, bf16, tf32, e4m3, e5m2 };
enum class MmaAccumulator : std::uint8_t { f16, f32 };

/// A sum of products and the accumulator, in blocks of `block_length` products in the order of k;
/// the result of a block is the accumulator of the next one. The products are exact and not
/// normalised. They and the accumulator are truncated to `fraction_bits` below the largest exponent
/// among them and added exactly. The sum is truncated to `result_fraction_bits` (f32) or rounded to
/// nearest even (f16).
struct BlockSum {
  int fraction_bits = 0;
  int block_length = 0;
  int result_fraction_bits = 23;
};

/// The execution of an instruction with 8-bit inputs.
enum class Fp8Path : std::uint8_t {
  tensor_core,
  /// The inputs are converted to f16. The products with k mod 4 below 2 are summed from zero, then
  /// the others are added to them, and C is added last, rounded to nearest. ptxas generates this
  /// code for mma.sync on sm_90.
  through_f16,
};

/// The tensor cores of an architecture: Xie et al., "MMA-Sim" (arXiv 2511.10909), and Khattak and
/// Mikaitis (arXiv 2512.07004).
struct TensorModel {
  BlockSum half;  // f16, bf16
  BlockSum tf32;
  BlockSum wmma_tf32;  // shape m16n16k8, which only wmma has: blocks of 4
  BlockSum fp8;
  Fp8Path fp8_path = Fp8Path::tensor_core;
  /// The largest exponent is never below this one; a zero accumulator does not raise it.
  int least_exponent = -133;
  /// True: a product with a zero factor counts for the largest exponent, the zero with the exponent
  /// of the subnormal numbers of its format.
  bool zero_factor_has_exponent = false;
  /// True: the result is -0 if all products and the accumulator are -0. False: it is +0.
  bool negative_zero = false;
  /// True: a negative result too small for the output is -0. False: it is +0.
  bool negative_underflow = false;
  /// True: an f32 result too large is infinite. False: it is the largest finite number.
  bool overflow_to_infinity = true;
};

/// The model of sm_`architecture` (80, 90, ...), or of the newest older one with a model.
[[nodiscard]] TensorModel tensor_model(unsigned architecture);

/// The model of wgmma, which exists only on sm_90. It equals tensor_model(90), but the tensor core
/// sums 8-bit inputs with 13 bits (recorded: tests/golden/sm_90/wgmma.txt).
[[nodiscard]] TensorModel warpgroup_tensor_model();

/// D = A B + C of floating-point types. The types of A and B may differ only if both have 8 bits. A
/// NaN result is 0x7fffffff (f32) or 0x7fff (f16). The low 13 bits of tf32 operands are ignored.
void mma(const TensorModel& model, MmaShape shape, MmaInput a_type, const std::uint32_t* a,
         MmaInput b_type, const std::uint32_t* b, MmaAccumulator type, const std::uint32_t* c,
         std::uint32_t* d);

/// f64: a chain of fused multiply-adds in the order of k, starting from C.
void mma(MmaShape shape, const double* a, const double* b, const double* c, double* d);

/// m8n8k4 of f16, which ptxas translates to f32 arithmetic for GPUs after Volta. With an f32
/// result: a chain of fused multiply-adds in the order of k from zero, then C is added. With an f16
/// result: (C + (a0 b0 + a1 b1)) + (a2 b2 + a3 b3). C and D have the bits of f32: the caller widens
/// and rounds f16.
void mma_by_fma(MmaShape shape, const std::uint32_t* a, const std::uint32_t* b,
                MmaAccumulator result, const std::uint32_t* c, std::uint32_t* d);

/// s8, u8, s4 and u4, extended to 32 bits: exact, modulo 2^32; with `satfinite` the total sum is
/// clamped to the range of s32.
void mma(MmaShape shape, const std::int32_t* a, const std::int32_t* b, const std::int32_t* c,
         std::int32_t* d, bool satfinite);

enum class BitOperation : std::uint8_t { exclusive_or, conjunction };

/// b1: C plus the number of ones in a op b along k, modulo 2^32. Words of 32 bits along k: a is m x
/// k/32, b is k/32 x n.
void mma(MmaShape shape, BitOperation operation, const std::uint32_t* a, const std::uint32_t* b,
         const std::int32_t* c, std::int32_t* d);

}  // namespace warpcheck::semantics
