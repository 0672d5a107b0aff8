// What a kernel's author promises and expects.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "base/scalar_type.hpp"
#include "contract/expression/expression.hpp"

namespace warpcheck::contract {

enum class Layout { row, column };

/// The words that `arguments` may use for gemm. `literal` passes an integer or floating constant.
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
  literal,
};

/// "a", "stride_a" ...
[[nodiscard]] std::string_view name(ArgumentWord word);

/// Whether the word stands for an address: a b c d bias workspace.
[[nodiscard]] bool is_buffer(ArgumentWord word);

struct Argument {
  ArgumentWord word = ArgumentWord::literal;
  std::string text;  // as written: the literal itself, "workspace.partials"
  Location where;
};

/// The finding that a specimen, wrong on purpose, must produce. The line of its `.cu` that the
/// finding must name carries the comment `// finding here` (several lines may; any one will do).
struct Expectation {
  std::vector<std::string> classes;  // any one of these
  std::string smallest;  // expression over the smallest case's fields: "m <= 2 and k <= 5"
};

/// Memory beside the matrices.
struct Workspace {
  std::string name = "workspace";   // the argument that it is handed as; "workspace.partials"
  std::optional<Expression> bytes;  // not given: split_k * m * n elements of the accumulator
  bool zeroed = false;  // holds zeros before the launch; otherwise reading it before it is written
                        // is a finding
};

/// One of the launches that make a variant, each complete before the next.
struct LaunchStep {
  std::string kernel;               // as C++ names it: "ns::sgemm<128, 8>"
  std::vector<Argument> arguments;  // the kernel's parameters in order
  std::array<Expression, 3> block;  // threads; absent axes are 1
  std::array<Expression, 3> grid;   // blocks
  Expression shared;                // dynamic shared memory, bytes
  Location kernel_where;            // of the value of `kernel`
  Location arguments_where;         // of the value of `arguments`
};

struct Contract {
  std::string name;       // unique among variants
  std::string operation;  // "gemm"
  Layout layout_a = Layout::row;
  Layout layout_b = Layout::row;
  Layout layout_c = Layout::row;  // also D's
  ScalarType type_a = ScalarType::f32;
  ScalarType type_b = ScalarType::f32;
  ScalarType type_c = ScalarType::f32;
  ScalarType accumulate = ScalarType::f32;
  bool tensor_cores = false;          // they sum the products, truncating as they do
  std::vector<LaunchStep> launches;   // at least one
  std::vector<Workspace> workspaces;  // those that some launch takes
  std::vector<Expression> requires_;  // the domain: all must hold
  std::int64_t split_k = 1;
  bool deterministic = true;
  std::string architecture;  // "sm_90a"; empty: the default, sm_80
  std::optional<Expectation> expect;
  Location where;  // of the [[variant]] table

  /// Whether some launch is handed this word. No `lda` means a tight one, no `alpha`/`beta` 1 and
  /// 0.
  [[nodiscard]] bool takes(ArgumentWord word) const;
};

/// Reads every [[variant]] of a TOML text, with the values of its [defaults]. `where` is the place
/// of the text's first line, so that a contract in a comment of a `.cu` is located in the `.cu`.
/// Throws InputError with all errors found.
[[nodiscard]] std::vector<Contract> parse_contracts(std::string_view toml, const Location& where);

/// The text between `/* warpcheck`, which must open a line, and `*/` in a `.cu`, with its place;
/// empty if there is none. Throws InputError where the comment does not end, or where there is a
/// second one.
struct EmbeddedContract {
  std::string toml;
  Location where;
};
[[nodiscard]] std::optional<EmbeddedContract> embedded_contract(std::string_view source,
                                                                const std::string& file);

}  // namespace warpcheck::contract
