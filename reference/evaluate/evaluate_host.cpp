#include "reference/evaluate/evaluate_host.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "operation/extent.hpp"
#include "reference/format.hpp"

namespace warpcheck::reference {
namespace {

using operation::HostCall;
using operation::HostOutput;
using operation::Tensor;

/// Roundings of a result besides those of its sum: of operands, scaling, functions such as exp().
constexpr double kFurtherRoundings = 16.0;

std::vector<std::int64_t> extents_of(const TensorProblem& problem, const Tensor& tensor) {
  std::vector<std::int64_t> extents;
  for (const std::string& extent : tensor.shape) {
    extents.push_back(operation::extent_value(
        extent, [&](std::string_view name) { return problem.extents.find(name)->second; }));
  }
  return extents;
}

HostCall call_of(const TensorProblem& problem) {
  HostCall call;
  const operation::Operation& operation = *problem.operation;
  for (const Tensor& input : operation.inputs) {
    call.inputs.push_back({input.integer, problem.inputs.find(input.name)->second.values});
  }
  for (const Tensor& output : operation.outputs) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : extents_of(problem, output)) elements *= extent;
    call.outputs.push_back(static_cast<std::size_t>(elements));
  }
  for (const std::string& extent : operation.extents) {
    call.extents.push_back(problem.extents.find(extent)->second);
  }
  for (const std::string& scalar : operation.scalars) {
    call.scalars.push_back(problem.scalars.find(scalar)->second);
  }
  return call;
}

/// The call with the magnitudes of numbers. Positions stay what they are.
HostCall magnitude_call(const operation::Operation& operation, HostCall call) {
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    const Tensor& input = operation.inputs[i];
    if (input.integer && input.range) continue;
    for (double& value : call.inputs[i].values) value = std::abs(value);
  }
  for (double& scalar : call.scalars) scalar = std::abs(scalar);
  return call;
}

std::vector<double> declared_errors(const TensorProblem& problem, const Tensor& output,
                                    const std::vector<double>& values,
                                    const std::vector<double>& magnitudes) {
  std::vector<double> errors(values.size(), 0.0);
  const auto declared = problem.types.find(output.name);
  const ScalarType type = declared == problem.types.end() ? ScalarType::f32 : declared->second;
  if (format(type).integer) return errors;
  const double growth = *problem.terms * unit_roundoff(problem.accumulate) +
                        kFurtherRoundings * unit_roundoff(problem.products);
  const double least = std::ldexp(1.0, format(problem.accumulate).smallest_exponent);
  const double beyond = format(problem.accumulate).overflow_threshold();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double magnitude = std::isfinite(magnitudes[i]) ? std::abs(magnitudes[i]) : 0.0;
    const double scale = std::max(std::abs(values[i]), magnitude);
    if (std::isfinite(values[i])) errors[i] = growth * scale + least;
    // Partial results may overflow in the type of the kernel.
    if (std::isinf(values[i]) || scale * (1.0 + growth) >= beyond) errors[i] = kInfinity;
  }
  return errors;
}

}  // namespace

std::map<std::string, BoundedTensor, std::less<>> evaluate_host(
    const TensorProblem& problem, const operation::KernelArithmetic& arithmetic) {
  HostCall call = call_of(problem);
  if (!problem.terms) call.arithmetic = arithmetic;
  std::vector<HostOutput> outputs = problem.host->compute(call);
  std::vector<HostOutput> magnitudes;
  if (problem.terms) {
    magnitudes = problem.host->compute(magnitude_call(*problem.operation, std::move(call)));
  }
  std::map<std::string, BoundedTensor, std::less<>> tensors;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tensor& output = problem.operation->outputs[i];
    if (problem.terms) {
      outputs[i].errors = declared_errors(problem, output, outputs[i].values, magnitudes[i].values);
    }
    tensors[output.name] = {extents_of(problem, output), std::move(outputs[i].values),
                            std::move(outputs[i].errors)};
  }
  return tensors;
}

}  // namespace warpcheck::reference
