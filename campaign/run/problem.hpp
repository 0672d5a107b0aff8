// A case with its values, its buffers and the launches of the contract.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/case/layout.hpp"
#include "campaign/run/buffer_role.hpp"
#include "campaign/run/operands.hpp"
#include "contract/compile/variant.hpp"
#include "device/device.hpp"
#include "reference/evaluate/evaluate.hpp"
#include "reference/gemm.hpp"

namespace warpcheck::campaign::run {

/// The bytes in places that hold no value.
struct Poison {
  std::byte padding{0xFF};  // fills the gaps between lines; NaN in every format that has it
  std::byte output{0xFF};   // fills the elements of D that the kernel must not read
  bool output_reads_are_findings = true;  // false: the poison of D counts as initialized
};

inline constexpr std::byte kNanPoison{0xFF};
inline constexpr std::byte kLargePoison{0x4B};  // 0x4B4B4B4B is 1.3e7 in f32; 75 in s8

/// Returns the poison of an ordinary run: NaN in D for an even seed, a large number for an odd one.
[[nodiscard]] Poison usual_poison(const Case& problem);

struct Problem {
  const contract::Variant* variant = nullptr;
  Case line;  // normalized
  Layouts layouts;
  Operands operands;
  double alpha = 1.0;  // alpha and beta are the values that the kernel receives
  double beta = 0.0;
  // Scalars of an operation other than gemm, as the kernel receives them.
  std::map<std::string, double, std::less<>> scalars;
  Poison poison;
  device::Job job;                // has no launches if m or n is 0
  std::vector<BufferRole> roles;  // roles of the buffers of the job
  std::size_t output = 0;         // number of D's buffer in the job; A and B are numbers 0 and 1
  // Buffer numbers of the other outputs, if there are several.
  std::vector<std::size_t> other_outputs = {};

  [[nodiscard]] bool reads_c() const { return beta != 0.0; }
  /// Returns true if the kernel may read C: also with beta = 0 if the contract states it.
  [[nodiscard]] bool may_read_c() const {
    return reads_c() || variant->contract.reads_c_at_beta_zero;
  }
  /// Returns true if C holds the values of the operands. If the kernel multiplies C by beta = 0, C
  /// holds either these values or a large number.
  [[nodiscard]] bool c_has_values() const {
    return reads_c() || (may_read_c() && poison.output == kNanPoison);
  }
};

/// Returns the bytes that each kernel transfers: the elements of an operand once if it reads them,
/// and once if it writes them.
[[nodiscard]] std::uint64_t compulsory_bytes(const Problem& problem);

inline constexpr std::size_t kBufferLimitBytes = std::size_t{1} << 30;

/// The warp instructions that a launch for this case may execute. Every kernel needs far fewer: a
/// single thread that computes D executes about eight instructions for each multiply-add.
[[nodiscard]] std::uint64_t instruction_budget(const contract::Contract& contract,
                                               const Case& problem);

/// Throws InputError if the case cannot be laid out, a size does not fit its parameter, alpha or
/// beta is not finite, or an expression of the contract has no value.
[[nodiscard]] Problem make_problem(const contract::Variant& variant, const Case& line,
                                   Operands operands, const Poison& poison,
                                   std::size_t limit_bytes = kBufferLimitBytes);

/// Returns the problem with the operands and the poison of an ordinary run.
[[nodiscard]] Problem usual_problem(const contract::Variant& variant, const Case& line);

/// Returns both problems in one job. The launches of `earlier` precede those of `problem`, so that
/// the state of the module survives. The output is that of `problem`.
[[nodiscard]] Problem with_earlier_call(Problem earlier, Problem problem);

/// Returns the reference's problem of an operation of the language.
[[nodiscard]] reference::TensorProblem tensor_problem(const Problem& problem);

/// Returns the reference's problem for one product of the batch.
[[nodiscard]] reference::Gemm reference_problem(const Problem& problem, std::int64_t number = 0);

/// The same. The matrices of a single product move out of the problem, which has them no longer.
[[nodiscard]] reference::Gemm take_reference_problem(Problem& problem, std::int64_t number);

}  // namespace warpcheck::campaign::run
