// What tensor cores make of D = A B + C (PTX ISA 9.7.14 and 9.7.15), bit for bit.
//
// Matrices are row-major arrays, one element a word, which holds the bits of the element's storage
// in its low end and zeros above: a is m x k, b is k x n, c and d are m x n. d may be c.
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

/// One sum of products and the accumulator: `block_length` products at a time in the order of k,
/// each block's result the next one's accumulator. The products are exact and not normalised; they
/// and the accumulator are cut to `fraction_bits` below the largest exponent among them, added
/// exactly, and cut once more to `result_fraction_bits` (f32) or rounded to nearest even (f16).
struct BlockSum {
  int fraction_bits = 0;
  int block_length = 0;
  int result_fraction_bits = 23;
};

/// How an instruction with 8-bit inputs is carried out.
enum class Fp8Path : std::uint8_t {
  tensor_core,
  /// Converted to f16; the products with k mod 4 below 2 are summed from zero, then the others onto
  /// them, and C is added last, rounded to nearest. So ptxas writes mma.sync for sm_90.
  through_f16,
};

/// The tensor cores of an architecture: Xie et al., "MMA-Sim" (arXiv 2511.10909), and Khattak and
/// Mikaitis (arXiv 2512.07004).
struct TensorModel {
  BlockSum half;  // f16, bf16
  BlockSum tf32;
  BlockSum wmma_tf32;  // of m16n16k8, which only wmma has: steps along k of 4
  BlockSum fp8;
  Fp8Path fp8_path = Fp8Path::tensor_core;
  /// The largest exponent is never below this one; a zero accumulator does not raise it.
  int least_exponent = -133;
  /// Whether a product with a zero factor takes part in the largest exponent, the zero with the
  /// exponent of its format's subnormal numbers.
  bool zero_factor_has_exponent = false;
  /// Whether the result is -0 where all products and the accumulator are -0; otherwise it is +0.
  bool negative_zero = false;
  /// Whether a negative result too small for the output is -0; otherwise it is +0.
  bool negative_underflow = false;
  /// Whether an f32 result too large is infinity; otherwise it is the largest finite number.
  bool overflow_to_infinity = true;
};

/// The model of sm_`architecture` (80, 90, ...): that of the newest known one that is not newer.
[[nodiscard]] TensorModel tensor_model(unsigned architecture);

/// a and b may differ in type only when both are 8 bits wide. A NaN result is 0x7fffffff (f32) or
/// 0x7fff (f16); tf32 operands lose their low 13 bits.
void mma(const TensorModel& model, MmaShape shape, MmaInput a_type, const std::uint32_t* a,
         MmaInput b_type, const std::uint32_t* b, MmaAccumulator type, const std::uint32_t* c,
         std::uint32_t* d);

/// f64: a chain of fused multiply-adds in the order of k, onto C.
void mma(MmaShape shape, const double* a, const double* b, const double* c, double* d);

/// m8n8k4 of f16, which ptxas writes in f32 arithmetic for GPUs after Volta. Where the result is
/// f32: a chain of fused multiply-adds in the order of k from zero, then C is added. Where it is
/// f16: (C + (a0 b0 + a1 b1)) + (a2 b2 + a3 b3). C and D are the bits of f32; those of f16 are
/// widened before and rounded afterwards.
void mma_by_fma(MmaShape shape, const std::uint32_t* a, const std::uint32_t* b,
                MmaAccumulator result, const std::uint32_t* c, std::uint32_t* d);

/// s8, u8, s4 and u4, already extended to 32 bits: exact; modulo 2^32, or with `satfinite` the sum
/// of all limited to the range of s32.
void mma(MmaShape shape, const std::int32_t* a, const std::int32_t* b, const std::int32_t* c,
         std::int32_t* d, bool satfinite);

enum class BitOperation : std::uint8_t { exclusive_or, conjunction };

/// b1: the number of ones in a op b along k, onto C modulo 2^32. Words of 32 bits along k: a is m x
/// k/32, b is k/32 x n.
void mma(MmaShape shape, BitOperation operation, const std::uint32_t* a, const std::uint32_t* b,
         const std::int32_t* c, std::int32_t* d);

}  // namespace warpcheck::semantics
