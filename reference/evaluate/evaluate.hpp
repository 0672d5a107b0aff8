// The reference of an operation of the language: the value and the tolerance of each element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/scalar_type.hpp"
#include "operation/host_function.hpp"
#include "operation/operation.hpp"
#include "reference/evaluate/arithmetic.hpp"

namespace warpcheck::reference {

/// Dense, the last dimension fastest.
struct TensorData {
  std::vector<std::int64_t> extents;
  std::vector<double> values;
};

struct TensorProblem {
  const operation::Operation* operation = nullptr;
  std::map<std::string, std::int64_t, std::less<>> extents;
  std::map<std::string, TensorData, std::less<>> inputs;  // values of their storage types
  std::map<std::string, double, std::less<>> scalars;     // values of `accumulate`
  /// Types of inputs and outputs, by default f32; and of the other tensors that kernels may keep in
  /// a type, which is one more rounding of their elements.
  std::map<std::string, ScalarType, std::less<>> types;
  ScalarType accumulate = ScalarType::f32;  // the type in which kernels compute
  bool fast_math = false;                   // see Arithmetic
  bool tensor_cores = false;                // sums are those of tensor cores
  operation::HostFunction* host = nullptr;  // computes the operation; null: its statements do
  /// `host` computes in double, sums of at most so many terms; empty: it bounds its errors.
  std::optional<double> terms = {};
  ScalarType products = ScalarType::f32;  // the type of the factors in the sums of `terms`
};

struct ExpectedTensor {
  TensorData value;               // rounded to the type of the output where the tolerance is 0
  std::vector<double> tolerance;  // absolute; 0: equality; infinity: any value is correct
  /// Elements with several correct values that are not an interval: positions of equal elements,
  /// both operands of `either`, and special values of a partial result that may overflow. Their
  /// tolerance covers all numbers among them.
  std::map<std::size_t, std::vector<Bounded>> alternatives;

  /// True if `got` is a correct value of this element. NaN requires NaN, and an infinity the same
  /// infinity, unless the element has special values besides.
  [[nodiscard]] bool accepts(std::size_t element, double got) const;

  /// The value of the element and its tolerance; of several alternatives, one that accepts `got`,
  /// otherwise the first.
  [[nodiscard]] Bounded nearest(std::size_t element, double got) const;

  /// The value of the element, its tolerance, and the special values of all alternatives.
  [[nodiscard]] Bounded all_values(std::size_t element) const;
};

using ExpectedTensors = std::map<std::string, ExpectedTensor, std::less<>>;

/// Throws InputError, at the operation, if it has no statements.
void require_definition(const operation::Operation& operation);

/// Computes the outputs in double, and for each element the largest distance of a correct kernel:
/// it evaluates the tree in `accumulate`, fused or not, with sums in any order. arithmetic.hpp has
/// the rules. Throws InputError for a read outside of a tensor, a function of the host that fails,
/// and an operation with neither statements nor function; and std::invalid_argument if an input is
/// missing or its extents disagree with those of the problem.
[[nodiscard]] ExpectedTensors evaluate(const TensorProblem& problem);

}  // namespace warpcheck::reference
