// The alternatives of a guessed contract, and the search for one that the kernel satisfies.
#pragma once

#include <cstdint>
#include <vector>

#include "workflows/init/draft/argument_words.hpp"
#include "workflows/init/draft/draft.hpp"
#include "workflows/init/draft/geometry_guess.hpp"
#include "workflows/init/draft/trial.hpp"
#include "workflows/init/layout_guess.hpp"

namespace warpcheck::workflows::init {

/// Everything that is known of an instance of a kernel. Each list has the most likely guess first.
struct Guesses {
  Draft base;  // the values that have no alternatives
  std::vector<ArgumentGuess> arguments;
  std::vector<std::vector<std::array<bool, 3>>> layouts;  // one for each guess of the arguments
  std::vector<Geometry> geometries;
  std::vector<ScalarType> accumulators;
  std::vector<std::int64_t> shared;   // bytes of dynamic shared memory
  bool geometry_known = false;        // the first geometry is that of a launch
  std::size_t launch_geometries = 0;  // the first ones have expressions of a launch
};

struct SearchResult {
  Draft draft;
  Geometry geometry;
  int passed = 0;  // screening shapes, out of Trial::kShapes
  int tried = 0;   // contracts
  Trial::Screening screening;
};

/// The contract of the most likely guesses.
[[nodiscard]] SearchResult first_guess(const Guesses& guesses);

/// Tries the alternatives in the order of their likelihood until one passes every screening shape.
/// Returns the best one. `most` limits the number of contracts.
/// After `most_seconds`, no further contract is tried.
[[nodiscard]] SearchResult search(const Guesses& guesses, const Trial& trial, int most,
                                  double most_seconds);

}  // namespace warpcheck::workflows::init
