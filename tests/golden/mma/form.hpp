// The instructions that multiply matrices, mma.sync and wmma, with all that a recording of them
// needs: kernels, operands, where a fragment's elements lie, and what the model expects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "device/virtual/semantics/tensor.hpp"

namespace warpcheck::golden {

/// Of an element. b1 stands for 32 bits along k in a word.
enum class MmaType { f16, bf16, tf32, e4m3, e5m2, f64, s8, u8, s4, u4, b1, f32, s32 };

struct MmaTypeFacts {
  MmaType type;
  std::string name;  // as PTX spells it
  unsigned bits;     // of an element in a register; b1: of the word
};
[[nodiscard]] const MmaTypeFacts& facts(MmaType type);

enum class MmaOperand { a, b, c, d };

struct MmaForm {
  std::string name;  // the instruction without operands
  bool wmma = false;
  semantics::MmaShape shape;  // k in elements as PTX counts them, bits for b1
  MmaType a;
  MmaType b;
  MmaType c;
  MmaType d;
  bool satfinite = false;
  semantics::BitOperation bits = semantics::BitOperation::conjunction;  // of b1
  /// Of m8n8k4 of f16, which is four products at once, each by two groups of four lanes: the
  /// matrices of the four lie below one another. `a_by_columns`, `b_by_columns`: the layouts named.
  int products = 1;
  bool a_by_columns = false;
  bool b_by_columns = true;

  /// Elements along k: bits for b1 come 32 to an element.
  [[nodiscard]] int depth() const { return a == MmaType::b1 ? shape.k / 32 : shape.k; }
  [[nodiscard]] MmaType type(MmaOperand operand) const;
  [[nodiscard]] int rows(MmaOperand operand) const;
  [[nodiscard]] int columns(MmaOperand operand) const;
};

/// Every form of PTX 8.7 that ptxas takes for sm_90; of wmma with matrices stored by rows, unless
/// the form has no such.
[[nodiscard]] std::vector<MmaForm> all_mma_forms();

/// Elements of one matrix, row-major, each in the low bits.
using Elements = std::vector<std::uint64_t>;

struct MmaInputs {
  Elements a;
  Elements b;
  Elements c;
};

/// What the operands of fragment number i bring out; number i has kind i % size.
extern const std::vector<std::string> kMmaKinds;
[[nodiscard]] MmaInputs mma_inputs(const MmaForm& form, std::size_t fragment);

/// The kernel "f(a, b, c, d)": block i, one warp, does fragment i. A fragment of mma lies as its 32
/// lanes hold it, lane after lane, one of wmma as the row-major matrix.
[[nodiscard]] std::string mma_module(const MmaForm& form);
/// All forms in one module, entries f0, f1 ..., for an assembler to look at.
[[nodiscard]] std::string mma_module(std::span<const MmaForm> forms);
[[nodiscard]] std::size_t fragment_bytes(const MmaForm& form, MmaOperand operand);
/// Elements to the bytes of a fragment and back; `bytes` of packing starts as zeros.
void pack(const MmaForm& form, MmaOperand operand, const Elements& elements, std::byte* bytes);
[[nodiscard]] Elements unpack_result(const MmaForm& form, const std::byte* bytes);

/// D as the model has it.
[[nodiscard]] Elements expected(const MmaForm& form, const semantics::TensorModel& model,
                                const MmaInputs& inputs);

}  // namespace warpcheck::golden
