// The contract of a kernel: what its author promises and expects.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/scalar_type.hpp"
#include "contract/build/build_options.hpp"
#include "contract/expression/expression.hpp"
#include "operation/host_function.hpp"
#include "operation/operation.hpp"

namespace warpcheck::contract {

enum class Layout { row, column };

/// The words of `arguments` for gemm. `literal` passes an integer or floating-point constant,
/// `expression` an integer that is computed for each case. `tensor` and `scalar` are those of an
/// operation of the language.
enum class ArgumentWord {
  a,
  b,
  c,
  d,
  m,
  n,
  k,
  lda,
  ldb,
  ldc,
  ldd,
  alpha,
  beta,
  batch,
  stride_a,
  stride_b,
  stride_c,
  stride_d,
  ta,
  tb,
  bias,
  workspace,
  tensor_map,
  literal,
  expression,
  tensor,
  scalar,
};

/// "a", "stride_a" ...; "literal" and the names below it are not words of a contract.
[[nodiscard]] std::string_view name(ArgumentWord word);

/// True for the words of addresses: a b c d bias workspace.
[[nodiscard]] bool is_buffer(ArgumentWord word);

struct Argument {
  ArgumentWord word = ArgumentWord::literal;
  std::string text;  // source text: the literal itself, "workspace.partials", "m * k"
  Location where;
  Expression value = {};  // the parsed text, if `word` is `expression`
};

/// The finding that a specimen, which is wrong on purpose, must produce. The finding must name a
/// line of its `.cu` that has the comment `// finding here`.
struct Expectation {
  std::vector<std::string> classes;  // the finding has one of these classes
  std::string smallest;  // condition on the fields of the smallest case: "m <= 2 and k <= 5"
};

/// Memory of the kernel besides the matrices.
struct Workspace {
  std::string name = "workspace";   // argument word, or "workspace.partials"
  std::optional<Expression> bytes;  // default: split_k * m * n elements of the accumulator
  bool zeroed = false;  // holds zeros before the launch; if not, a read before a write is a finding
};

/// A tensor map (CUtensorMap) of an operand: the memory of the matrix as a tensor of two
/// dimensions, or three with `batch`, the contiguous one first.
struct TensorMapArgument {
  std::string name;  // argument word: "tensor_map", or "tensor_map.a"
  ArgumentWord of = ArgumentWord::a;
  std::vector<Expression> box;  // elements that one copy transfers along each dimension
  unsigned swizzle = 0;         // bytes: 0, 32, 64 or 128
  bool fills_with_nan = false;  // true: NaN outside the matrix; false: zeros
};

/// One of the launches of a variant. Each ends before the next begins.
struct LaunchStep {
  std::string kernel;                                // C++ name: "ns::sgemm<128, 8>"
  std::vector<Argument> arguments;                   // the kernel's parameters in order
  std::array<Expression, 3> block;                   // threads; absent axes are 1
  std::array<Expression, 3> grid;                    // blocks
  Expression shared;                                 // dynamic shared memory, bytes
  std::optional<std::array<Expression, 3>> cluster;  // blocks; default: as the kernel declares
  std::optional<Expression> when;  // the launch is skipped for cases that do not satisfy it
  Location kernel_where;           // location of the value of `kernel`
  Location arguments_where;        // location of the value of `arguments`
};

/// An operation of the language as a kernel computes it.
struct TypedOperation {
  operation::Operation operation;
  std::vector<operation::Tensor> tensors;                // its inputs, then its outputs
  std::map<std::string, ScalarType, std::less<>> types;  // types of the inputs and outputs, by name
  /// Types of the other tensors that the kernel rounds.
  std::map<std::string, ScalarType, std::less<>> intermediate_types = {};
  std::vector<std::string> sizes;    // names of its extents; then "stride_x" for each tensor x of
                                     // two or more dimensions: elements between rows; and
                                     // "batch_stride_x" for three or more: elements between the
                                     // matrices of its last two dimensions; then "stride_x_0"
                                     // and so on, of each dimension
  std::vector<std::string> buffers;  // names of its tensors, and "workspace"
  /// Computes the operation, if it has no definition.
  std::shared_ptr<operation::HostFunction> host = {};
  /// `host` computes in double, sums of so many terms of factors of type `products`. Empty:
  /// it bounds its own errors.
  std::optional<Expression> terms = {};
  ScalarType products = ScalarType::f32;

  [[nodiscard]] bool is_output(std::string_view tensor) const;
};

/// Operands that the preceding kernel of a programmatic dependent launch uses until it completes.
struct Predecessor {
  std::vector<std::string> writes;
  std::vector<std::string> reads;

  [[nodiscard]] bool any() const { return !writes.empty() || !reads.empty(); }
};

struct Contract {
  std::string name;                               // unique among variants
  std::string operation;                          // "gemm", or the name of `tensors`
  std::shared_ptr<const TypedOperation> tensors;  // null: gemm, which the next fields describe
  Layout layout_a = Layout::row;
  Layout layout_b = Layout::row;
  Layout layout_c = Layout::row;  // the layout of C and D
  ScalarType type_a = ScalarType::f32;
  ScalarType type_b = ScalarType::f32;
  ScalarType type_c = ScalarType::f32;
  ScalarType accumulate = ScalarType::f32;
  bool tensor_cores = false;          // tensor cores sum the products, and truncate the sums
  std::vector<LaunchStep> launches;   // never empty
  std::vector<Workspace> workspaces;  // workspaces that a launch takes
  std::vector<TensorMapArgument> tensor_maps;
  std::vector<Expression> requires_;  // the domain: all are true
  // Number of the conditions at the end of requires_ that follow from other keys.
  std::size_t implied = 0;
  std::int64_t split_k = 1;
  bool deterministic = true;
  /// Extents along which the bits of a slice of the outputs depend neither on the number of slices
  /// nor on the others. Of gemm: "m" and "batch".
  std::vector<std::string> batch_invariant;
  /// The kernel waits for the preceding one before it accesses these operands.
  Predecessor predecessor;
  // True: the kernel uses approximate functions and division. Always false for gemm.
  bool fast_math = false;
  bool strict_barriers = false;         // a barrier that exited threads miss is a finding
  bool reads_c_at_beta_zero = false;    // computes 0 * C, which needs a finite C
  bool reads_ab_at_alpha_zero = false;  // computes 0 * A B, which needs finite A and B
  std::string architecture;             // "sm_90a"; empty: the default, sm_80
  BuildOptions build;                   // further options of nvcc
  std::string instance_of;  // the name of the [[variant]], if it has `instances`; otherwise empty
  /// True for the cases that a launch with the output applies to; empty: each case. It is also one
  /// of `requires_`.
  std::optional<Expression> is_launched;
  Location architecture_where;  // location of the text of `architecture`, if there is one
  std::optional<Expectation> expect;
  Location where;  // location of the [[variant]] table

  /// True if a launch has this argument, alone, in an expression or in a tensor map. The default of
  /// a stride such as `lda` is packed; that of `alpha` is 1, of `beta` 0.
  [[nodiscard]] bool takes(ArgumentWord word) const;

  /// The tensor map that is an argument. It has a description.
  [[nodiscard]] const TensorMapArgument& tensor_map(const Argument& argument) const;

  /// Adds a condition that follows from another key than `requires`.
  void imply(Expression condition);

  /// States that a launch with the output applies, if each of these launches has a condition.
  void imply_launch();

  /// States that no size of a tensor is a quotient by 0.
  void imply_divisors();

  /// Removes the conditions of the key `requires`.
  void clear_declared_requires();
};

/// The arguments of nvcc for a contract, without its architecture.
[[nodiscard]] std::vector<std::string> nvcc_arguments(const Contract& contract);

/// The architecture and the other options of nvcc. Equal for contracts whose kernels one run of
/// nvcc can compile. Does not depend on the folder of the contract.
[[nodiscard]] std::vector<std::string> build_key(const Contract& contract);

/// True if the launch writes the output: it takes `d`, or `c` in a contract without `d`, or an
/// output of an operation of the language.
[[nodiscard]] bool takes_output(const Contract& contract, const LaunchStep& step);

/// Reads every [[variant]] of a TOML text, with the values of its [defaults]. `where` is the place
/// of the first line of the text: errors in a contract in a comment of a `.cu` have places in the
/// `.cu`. Throws InputError with all errors.
[[nodiscard]] std::vector<Contract> parse_contracts(std::string_view toml, const Location& where);

/// The text between `/* warpcheck`, which must begin a line, and `*/` in a `.cu`, with its place;
/// empty if there is none. Throws InputError if the comment does not end, or if there is a second
/// one.
struct EmbeddedContract {
  std::string toml;
  Location where;
};
[[nodiscard]] std::optional<EmbeddedContract> embedded_contract(std::string_view source,
                                                                const std::string& file);

}  // namespace warpcheck::contract
