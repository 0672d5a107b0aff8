// A contract that is being guessed, with the reason of each value.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/scalar_type.hpp"

namespace warpcheck::workflows::init {

struct ElementTypes {
  ScalarType a = ScalarType::f32;
  ScalarType b = ScalarType::f32;
  ScalarType c = ScalarType::f32;
  ScalarType accumulate = ScalarType::f32;
};

/// True for the types of integers that a kernel usually takes as indices, rather than as numbers.
[[nodiscard]] constexpr bool holds_indices(ScalarType type) {
  return type == ScalarType::s32 || type == ScalarType::s64;
}

struct DraftTensor {
  std::string name;
  std::vector<std::string> shape;  // extents, and "1" for one element
  ScalarType type = ScalarType::f32;
  std::string updates;     // the input that is the output's memory before the launch; empty: none
  std::string range = {};  // limits of an input's elements, [0, "n - 1"]; empty: none
};

/// An operation that the contract defines.
struct DraftOperation {
  std::vector<std::string> extents;
  std::vector<DraftTensor> inputs;
  std::vector<DraftTensor> outputs;
  std::vector<std::string> scalars;
  std::string define;  // a line for each statement; empty: it is to be written
  std::vector<std::string> other_definitions;  // definitions that pass the same cases
};

struct Draft {
  std::string name;
  std::string kernel;
  std::array<bool, 3> column{};  // layouts of A, B and C
  ElementTypes types;
  std::vector<std::string> arguments;
  std::vector<std::string> block;  // numbers or expressions
  std::vector<std::string> grid;
  std::int64_t shared = 0;  // bytes of dynamic shared memory
  std::string shared_text;  // the expression of the launch; empty: `shared`
  std::vector<std::string> requires_;
  std::string workspace;  // a TOML table; empty: none
  std::int64_t split_k = 1;
  bool deterministic = true;
  bool tensor_cores = false;
  std::string architecture;
  bool fast_math = false;
  std::optional<DraftOperation> operation;   // empty: a matrix product
  std::map<std::string, std::string> notes;  // comments by key: "guessed from the parameter names"

  [[nodiscard]] bool takes(const std::string& word) const;
  /// Returns "gemm", or the name of the operation that the contract defines: that of the variant.
  [[nodiscard]] std::string operation_name() const;
  /// The keys whose values are guesses.
  [[nodiscard]] std::vector<std::string> guessed_keys() const;
};

/// The [[operation]] table, if the contract defines one, and the [[variant]] table. `notes` are
/// comments at the ends of the lines.
[[nodiscard]] std::string to_toml(const Draft& draft, bool with_notes = true);

}  // namespace warpcheck::workflows::init
