// The words of contracts, and the form of their names.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "contract/contract.hpp"

namespace warpcheck::contract {

inline constexpr std::array<std::string_view, 1> kOperations = {"gemm"};
inline constexpr std::array<std::string_view, 2> kLayouts = {"row", "col"};
// Those of FindingClass, which is a word of devices; a test compares the two lists.
inline constexpr std::array<std::string_view, 17> kFindingClasses = {"wrong-result",
                                                                     "out-of-bounds",
                                                                     "misaligned",
                                                                     "uninitialized-read",
                                                                     "race",
                                                                     "barrier-divergence",
                                                                     "deadlock",
                                                                     "guard-overwritten",
                                                                     "input-modified",
                                                                     "nondeterministic",
                                                                     "illegal-instruction",
                                                                     "launch-failure",
                                                                     "timeout",
                                                                     "invalid-call",
                                                                     "use-after-free",
                                                                     "api-misuse",
                                                                     "leak"};
inline constexpr std::array<std::string_view, 2> kZeroFactors = {"ignores", "reads"};
inline constexpr std::array<std::string_view, 16> kSizes = {
    "m",    "n",     "k",        "lda",      "ldb",      "ldc",      "ldd", "alpha",
    "beta", "batch", "stride_a", "stride_b", "stride_c", "stride_d", "ta",  "tb"};
/// The sizes that are whole numbers in every case: those that an argument may compute with.
inline constexpr std::array<std::string_view, 14> kWholeSizes = {
    "m",     "n",        "k",        "lda",      "ldb",      "ldc", "ldd",
    "batch", "stride_a", "stride_b", "stride_c", "stride_d", "ta",  "tb"};
inline constexpr std::array<std::string_view, 6> kBuffers = {"a", "b",    "c",
                                                             "d", "bias", "workspace"};
inline constexpr std::array<std::string_view, 19> kCaseFields = {
    "m",     "n",        "k",        "lda",      "ldb",      "ldc",   "ta",
    "tb",    "batch",    "stride_a", "stride_b", "stride_c", "off_a", "off_b",
    "off_c", "off_bias", "alpha",    "beta",     "seed"};
inline constexpr Vocabulary kContractVocabulary{kSizes, kBuffers};
inline constexpr Vocabulary kArgumentVocabulary{kWholeSizes, {}};
inline constexpr Vocabulary kCaseVocabulary{kCaseFields, {}};

/// True for the name of a tensor, an extent or a scalar of an operation: no word of its language.
[[nodiscard]] bool is_operation_name(std::string_view text);

/// The names that the expressions of a contract may use. Refers to its operation.
class ExpressionNames {
 public:
  /// Null: those of gemm.
  explicit ExpressionNames(const TypedOperation* operation);
  // A copy would have views of the strings of the original.
  ExpressionNames(const ExpressionNames&) = delete;
  ExpressionNames& operator=(const ExpressionNames&) = delete;
  ExpressionNames(ExpressionNames&&) = default;
  ExpressionNames& operator=(ExpressionNames&&) = default;
  ~ExpressionNames() = default;

  [[nodiscard]] Vocabulary contract_vocabulary() const;
  [[nodiscard]] Vocabulary argument_vocabulary() const;
  [[nodiscard]] Vocabulary case_vocabulary() const;

 private:
  bool is_gemm_;
  std::vector<std::string> fields_;
  std::vector<std::string_view> sizes_;
  std::vector<std::string_view> buffers_;
  std::vector<std::string_view> case_fields_;
};

/// "stride_x", "stride_x_0" of dimension 0, "batch_stride_x", "order_x", "off_x": the fields of a
/// case about tensor x.
[[nodiscard]] std::string stride_field(std::string_view tensor);
[[nodiscard]] std::string stride_field(std::string_view tensor, std::size_t dimension);
[[nodiscard]] std::string order_field(std::string_view tensor);
[[nodiscard]] std::string batch_stride_field(std::string_view tensor);
[[nodiscard]] std::string offset_field(std::string_view tensor);

/// The names of the number formats, in the order of ScalarType.
[[nodiscard]] std::vector<std::string_view> type_words();

/// All but `literal`, in the order of ArgumentWord.
[[nodiscard]] std::vector<std::string_view> argument_words();

/// Letters, digits and '_'.
[[nodiscard]] bool is_workspace_name(std::string_view text);

/// "workspace.partials": the argument word of a workspace that has a name.
[[nodiscard]] bool is_workspace_word(std::string_view text);

/// "tensor_map.a": the argument word of a tensor map that has a name.
[[nodiscard]] bool is_tensor_map_word(std::string_view text);

/// "-1", "0.5", "1e-3".
[[nodiscard]] bool is_number(std::string_view text);

/// Letters, digits, '_', '-' and '.', so that a name is one word of a case line and of a shell.
[[nodiscard]] bool is_variant_name(std::string_view text);

/// True if a text can be the C++ name of a kernel. It becomes part of a C++ text, so it must not
/// contain anything but a name.
[[nodiscard]] bool is_kernel_name(std::string_view text);

/// "sm_80", "sm_90a", "sm_100f".
[[nodiscard]] bool is_architecture(std::string_view text);

}  // namespace warpcheck::contract
