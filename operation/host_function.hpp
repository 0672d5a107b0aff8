// A function of the host that computes an operation, in place of its statements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/scalar_type.hpp"

namespace warpcheck::operation {

/// The arithmetic of a kernel, whose rounding errors the function bounds.
struct KernelArithmetic {
  ScalarType type = ScalarType::f32;  // type in which the kernel computes
  bool fast_math = false;             // functions and divisions have the errors of fast math
  bool tensor_cores = false;          // sums have the errors of tensor cores with these bits
  int fraction_bits = 0;
  int result_bits = 0;
  bool has_subnormals = false;  // operands may be subnormal
};

struct HostInput {
  bool integer = false;
  std::vector<double> values;
};

/// Tensors are dense; the last dimension varies fastest. All lists are in the order of the
/// operation.
struct HostCall {
  std::vector<HostInput> inputs;
  std::vector<std::size_t> outputs;  // number of elements of each output
  std::vector<std::int64_t> extents;
  std::vector<double> scalars;
  /// Empty: the function computes in double, and has no errors.
  std::optional<KernelArithmetic> arithmetic;
};

/// The elements of one output. `errors` is empty if the function has none.
struct HostOutput {
  std::vector<double> values;
  std::vector<double> errors;
};

class HostFunction {
 public:
  HostFunction() = default;
  HostFunction(const HostFunction&) = delete;
  HostFunction& operator=(const HostFunction&) = delete;
  virtual ~HostFunction() = default;

  /// Several threads may call it. Throws InputError if the function fails: it crashes, throws,
  /// takes too long, or leaves an element without a value.
  [[nodiscard]] virtual std::vector<HostOutput> compute(const HostCall& call) = 0;
};

}  // namespace warpcheck::operation
