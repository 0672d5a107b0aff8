// Evaluates an operation by its function of the host.
#pragma once

#include <map>
#include <string>

#include "reference/evaluate/evaluate.hpp"
#include "reference/evaluate/row.hpp"

namespace warpcheck::reference {

/// Computes the outputs of `problem.host`, before they are rounded to their types. With
/// `problem.terms`, the error of an element is
///   (terms u(accumulate) + 16 u(products)) s,
/// where s is the larger of its magnitude and the function of the magnitudes of the inputs. Any
/// value is correct where the function is infinite: a factor that is tiny in double may be 0 in the
/// type of the kernel, which makes the product NaN. Without `terms`, the function bounds its error
/// itself.
[[nodiscard]] std::map<std::string, BoundedTensor, std::less<>> evaluate_host(
    const TensorProblem& problem, const operation::KernelArithmetic& arithmetic);

}  // namespace warpcheck::reference
