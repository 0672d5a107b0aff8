// A case made concrete: values, buffers and the launches that the contract describes.
#pragma once

#include <cstddef>

#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "properties/case/case.hpp"
#include "properties/case/layout.hpp"
#include "properties/generate/data.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::properties::run {

/// Values of the storage types; the matrices of a batch stand one below the other. C is drawn
/// whether or not the kernel may read it.
struct Operands {
  reference::Matrix a;          // batch m x k
  reference::Matrix b;          // batch k x n
  reference::Matrix c;          // batch m x n
  reference::Matrix bias = {};  // 1 x n; empty where the contract takes none
};

[[nodiscard]] generate::DataTypes data_types(const contract::Contract& contract);

/// The case of one of the products of a batch, whose data has a seed of its own; product 0 has the
/// batch's.
[[nodiscard]] Case product_of(const Case& problem, std::int64_t number);

/// The operands that a case's recipe and seed describe.
[[nodiscard]] Operands operands(const contract::Contract& contract, const Case& problem);

/// The bytes where no value belongs.
struct Poison {
  std::byte padding{0xFF};  // between the lines of every matrix; NaN in every format that has it
  std::byte output{0xFF};   // in the elements of D that the kernel must not read
  bool output_reads_are_findings = true;  // false: D's poison passes for values that were written
};

inline constexpr std::byte kNanPoison{0xFF};
inline constexpr std::byte kLargePoison{0x4B};  // 0x4B4B4B4B is 1.3e7 in f32; 75 in s8

/// The poison of an ordinary run: NaN or a large number in D, as the parity of the seed has it.
[[nodiscard]] Poison usual_poison(const Case& problem);

struct Problem {
  const contract::Variant* variant = nullptr;
  Case line;  // normalized
  Layouts layouts;
  Operands operands;
  double alpha = 1.0;  // as the kernel is handed them
  double beta = 0.0;
  Poison poison;
  device::Job job;         // without launches where m or n is 0: there is nothing to do
  std::size_t output = 0;  // number of D's buffer in the job; A and B are numbers 0 and 1

  [[nodiscard]] bool reads_c() const { return beta != 0.0; }
};

inline constexpr std::size_t kBufferLimitBytes = std::size_t{1} << 30;

/// Throws InputError where the case cannot be laid out, a size does not fit its parameter, alpha or
/// beta is not finite, or an expression of the contract has no value.
[[nodiscard]] Problem make_problem(const contract::Variant& variant, const Case& line,
                                   Operands operands, const Poison& poison,
                                   std::size_t limit_bytes = kBufferLimitBytes);

/// Some rows of a matrix.
[[nodiscard]] reference::Matrix rows_of(const reference::Matrix& matrix, std::int64_t first,
                                        std::int64_t count);

/// What the reference is asked of one product of the batch.
[[nodiscard]] reference::Gemm reference_problem(const Problem& problem, std::int64_t number = 0);

}  // namespace warpcheck::properties::run
