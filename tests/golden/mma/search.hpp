// Searches the model of a tensor core that reproduces the results of a GPU.
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

/// All combinations of the parameters of the model for the form, the best first. Empty for f64 and
/// integer forms.
[[nodiscard]] std::vector<Candidate> search(const MmaForm& form,
                                            const std::vector<Fragment>& fragments);

/// The number of results of the fragment that differ from the model.
[[nodiscard]] std::size_t count_differing(const MmaForm& form, const semantics::TensorModel& model,
                                          const Fragment& fragment);

}  // namespace warpcheck::golden
