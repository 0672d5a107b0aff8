// The code between two barriers, and the iterations in which it runs.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "proof/lift/lifted.hpp"
#include "proof/poly/substitution.hpp"

namespace warpcheck::proof {

/// Knowledge of the iteration of a loop.
struct Progress {
  enum class Kind : std::uint8_t {
    free,      // nothing
    absolute,  // iteration `count`
    relative,  // `count` iterations after that of the barrier at the beginning of the segment
  };
  Kind kind = Kind::free;
  int count = 0;
  bool has_left = false;  // the loop was left in that iteration

  friend auto operator<=>(const Progress&, const Progress&) = default;
};

/// By the number of the loop. Loops that are absent have not been entered, or are over.
using ProgressMap = std::map<std::size_t, Progress>;

/// The progress after an edge. Counts above `most` are free.
[[nodiscard]] ProgressMap after_edge(const Flow& flow, BlockNumber from, BlockNumber to,
                                     const ProgressMap& progress, int most, Scope scope);

struct Segment {
  std::optional<BlockNumber> barrier;  // its beginning; empty: the beginning of the kernel
  /// For each block, the possible progress of its loops, with conditions on the way to it.
  std::map<BlockNumber, std::map<ProgressMap, std::set<Formula>>> blocks;
};

/// The segments of a kernel: all code that a thread may execute before the next barrier.
/// Scope::warp: before the next barrier of its warp or block.
[[nodiscard]] std::vector<Segment> segments(const Terms& terms, const Lifted& lifted, Scope scope);

/// The progress of loops around a barrier or an access, relative to itself.
[[nodiscard]] ProgressMap progress_at(const Flow& flow, BlockNumber block, Scope scope);

/// States the progress of one execution. `start(loop)`: the iteration to which `relative` refers.
template <class Image, class Start>
std::vector<Formula> progress_formulas(Terms& terms, const Lifted& lifted,
                                       const ProgressMap& progress, Image& image, Start&& start) {
  std::vector<Formula> formulas;
  for (const auto& [loop, known] : progress) {
    if (known.kind == Progress::Kind::free) continue;
    const LoopForm& form = lifted.loops[loop];
    if (!form.iteration) continue;
    Polynomial iteration = Polynomial::of(*form.iteration);
    if (known.has_left) {
      if (!form.last && !form.last_iteration) continue;
      iteration = form.last ? *form.last : Polynomial::of(*form.last_iteration);
    }
    const Polynomial first = known.kind == Progress::Kind::relative ? start(loop) : Polynomial(0);
    formulas.push_back(terms.equal(image(iteration), first + known.count));
  }
  return formulas;
}

}  // namespace warpcheck::proof
