// A kernel whose contract may define an operation, and the roles of its parameters.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ptx/entry_usage.hpp"
#include "workflows/init/draft/argument_words.hpp"
#include "workflows/init/draft/draft.hpp"
#include "workflows/init/draft/geometry_guess.hpp"
#include "workflows/init/source/source_text.hpp"

namespace warpcheck::workflows::init {

struct OperationKernel {
  Draft base;  // the values that do not depend on the operation
  std::vector<NamedParameter> parameters;
  Tokens body;
  ptx::EntryUsage usage;
  // The geometry of the launch, if the parameters of integers have these words; empty: no launch.
  std::function<std::optional<Geometry>(const std::vector<std::string>&)> launched;
};

/// The parameters by their roles. Positions are those of the parameters.
struct Roles {
  std::vector<std::string> names;  // names of all parameters, usable in a contract
  std::vector<std::size_t> buffers;
  std::vector<std::size_t> writable;  // buffers
  std::vector<std::size_t> extents;
  std::vector<std::size_t> strides;
  std::vector<std::size_t> scalars;
  std::string rows;       // an extent that only the grid has; empty: none
  std::string positions;  // the extent of a table, which the kernel does not take; empty: none

  [[nodiscard]] std::vector<std::string> extent_names() const;
};

/// Empty if a parameter has no role, or if there is no output or no extent.
[[nodiscard]] std::optional<Roles> roles_of(const std::vector<NamedParameter>& parameters);

/// The name, with '_' at its end until the contract may have it and no other one has it.
[[nodiscard]] std::string usable_name(std::string name, const std::vector<std::string>& taken);

/// The buffers that may be the output, the most likely one first.
[[nodiscard]] std::vector<std::size_t> possible_outputs(const Roles& roles);

}  // namespace warpcheck::workflows::init
