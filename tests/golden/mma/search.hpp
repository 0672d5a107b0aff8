// Which model of a tensor core gives the results that a GPU gave.
#pragma once

#include <string>
#include <vector>

#include "tests/golden/mma/form.hpp"

namespace warpcheck::golden {

struct Fragment {
  MmaInputs inputs;
  Elements result;
};

struct Candidate {
  semantics::TensorModel model;
  std::string text;           // "F 25, L 16, ..."
  std::size_t differing = 0;  // results
};

/// Every combination of the model's parameters that the form knows, the best first. Floating-point
/// forms but f64; of others empty.
[[nodiscard]] std::vector<Candidate> search(const MmaForm& form,
                                            const std::vector<Fragment>& fragments);

/// Results of the fragment that differ from the model's.
[[nodiscard]] std::size_t count_differing(const MmaForm& form, const semantics::TensorModel& model,
                                          const Fragment& fragment);

}  // namespace warpcheck::golden
