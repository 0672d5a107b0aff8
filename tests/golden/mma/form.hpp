// The instructions for products of matrices, mma.sync and wmma, and their recording: kernels,
// operands, layouts of fragments, and the expected results of the model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device/virtual/semantics/tensor.hpp"

namespace warpcheck::golden {

/// The type of an element. b1: a word with 32 bits along k.
enum class MmaType { f16, bf16, tf32, e4m3, e5m2, f64, s8, u8, s4, u4, b1, f32, s32 };

struct MmaTypeFacts {
  MmaType type;
  std::string name;  // the name in PTX
  unsigned bits;     // bits of an element in a register; b1: bits of the word
};
[[nodiscard]] const MmaTypeFacts& facts(MmaType type);

enum class MmaOperand { a, b, c, d };

struct MmaForm {
  std::string name;  // the instruction without operands
  bool wmma = false;
  semantics::MmaShape shape;  // k in elements of PTX: bits for b1
  MmaType a;
  MmaType b;
  MmaType c;
  MmaType d;
  bool satfinite = false;
  semantics::BitOperation bits = semantics::BitOperation::conjunction;  // the operation of b1
  /// 4 for m8n8k4 of f16, which computes four products, each in two groups of four lanes; the four
  /// matrices are stacked. `a_by_columns`, `b_by_columns`: the layouts of A and B.
  int products = 1;
  bool a_by_columns = false;
  bool b_by_columns = true;

  /// The number of elements along k; an element of b1 has 32 bits.
  [[nodiscard]] int depth() const { return a == MmaType::b1 ? shape.k / 32 : shape.k; }
  [[nodiscard]] MmaType type(MmaOperand operand) const;
  [[nodiscard]] int rows(MmaOperand operand) const;
  [[nodiscard]] int columns(MmaOperand operand) const;
};

/// Every form of PTX 8.7 that ptxas accepts for sm_90. wmma has row-major matrices unless the form
/// requires others.
[[nodiscard]] std::vector<MmaForm> all_mma_forms();

/// The elements of a row-major matrix, each in the low bits.
using Elements = std::vector<std::uint64_t>;

struct MmaInputs {
  Elements a;
  Elements b;
  Elements c;
};

/// The kinds of operands; fragment number i has kind i % size.
extern const std::vector<std::string> kMmaKinds;
[[nodiscard]] MmaInputs mma_inputs(const MmaForm& form, std::size_t fragment);

/// The kernel "f(a, b, c, d)": block i, one warp, computes fragment i. In memory a fragment of mma
/// has the registers of lane after lane; a fragment of wmma is a row-major matrix.
[[nodiscard]] std::string mma_module(const MmaForm& form);
/// All forms in one module with entries f0, f1 ..., to check them with an assembler.
[[nodiscard]] std::string mma_module(std::span<const MmaForm> forms);
[[nodiscard]] std::size_t fragment_bytes(const MmaForm& form, MmaOperand operand);
/// Converts elements to the bytes of a fragment, initially zeros, and back.
void pack(const MmaForm& form, MmaOperand operand, const Elements& elements, std::byte* bytes);
[[nodiscard]] Elements unpack_result(const MmaForm& form, const std::byte* bytes);

/// D according to the model.
[[nodiscard]] Elements expected(const MmaForm& form, const semantics::TensorModel& model,
                                const MmaInputs& inputs);

}  // namespace warpcheck::golden
