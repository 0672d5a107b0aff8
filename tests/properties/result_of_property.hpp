// A property on a kernel that is a C++ function.
#pragma once

#include <string>
#include <vector>

#include "campaign/minimize_and_confirm.hpp"
#include "properties/law.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::testing {

/// The result on the case of this line, changed as the property needs it. `invariant` is the key
/// `batch_invariant` of the contract.
inline checks::CheckResult result_of_property(const std::string& name, const Kernel& kernel,
                                              const std::string& line,
                                              const std::vector<std::string>& invariant = {
                                                  "m", "batch"}) {
  contract::Variant variant = blas_variant();
  variant.contract.batch_invariant = invariant;
  GemmDevice device(variant, kernel);
  const auto program = device.load("", "");
  const run::Context context{variant, device, *program};
  const properties::Law& entry = properties::law(name);
  return check_law(entry, context, properties::adapted(entry, variant.contract, parse_case(line)),
                   true);
}

}  // namespace warpcheck::campaign::testing
