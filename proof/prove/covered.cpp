// Each element of an output is written: the box of its indices without the images of all stores is
// empty.
#include <fmt/format.h>

#include "proof/prove/kernel.hpp"
#include "proof/prove/stores.hpp"
#include "proof/witness/witness.hpp"

namespace warpcheck::proof {
namespace {

/// The symbols of iterations that are all executed, up to a last one that is known.
std::set<SymbolId> exact_iterations(const Kernel& kernel) {
  std::set<SymbolId> found;
  for (const LoopForm& form : kernel.lifted.loops) {
    if (form.runs_all) found.insert(*form.iteration);
  }
  return found;
}

Image box(const Buffer& buffer) {
  Image image;
  for (const Axis& axis : buffer.axes) {
    image.indices.emplace_back(0);
    image.counts.push_back(axis.extent);
  }
  return image;
}

class Coverage {
 public:
  explicit Coverage(const Kernel& kernel)
      : kernel_(kernel), terms_(kernel.terms), sets_(kernel.terms, exact_iterations(kernel)) {}

  void check(const Buffer& buffer, Gaps& gaps) {
    Stores stores(kernel_, sets_);
    std::size_t last = 0;
    for (const Access& access : kernel_.lifted.accesses) {
      if (access.base != buffer.pointer || access.kind == AccessKind::read) continue;
      auto indices = position(terms_, access, buffer);
      if (!indices) continue;
      stores.add(std::move(*indices), elements(terms_, access, buffer), access.decisive);
      last = access.instruction;
    }
    if (stores.is_empty()) {
      gaps.push_back({fmt::format("no store to {} is found", buffer.name), 0});
      return;
    }
    if (!stores.write_in_any_case()) {
      gaps.push_back({fmt::format("whether a thread writes an element of {} depends on data or on "
                                  "an address",
                                  buffer.name),
                      last});
      return;
    }
    std::vector<Formula> conditions;
    for (const Formula condition : kernel_.domain.conditions) {
      if (sets_.is_linear(condition)) conditions.push_back(condition);
    }
    const Solver::Search found = sets_.uncovered(box(buffer), stores.images(), conditions);
    if (found.result == Satisfiability::impossible) return;
    Gap gap{fmt::format("an element of {} may not be written", buffer.name), last};
    if (found.result == Satisfiability::possible && kernel_.search_witnesses) {
      gap.witnesses.push_back(make_witness(terms_, found.model, kernel_.domain));
    }
    gaps.push_back(std::move(gap));
  }

 private:
  const Kernel& kernel_;
  Terms& terms_;
  IntegerSets sets_;
};

}  // namespace

Gaps prove_covered(const Kernel& kernel) {
  Gaps gaps;
  Coverage coverage(kernel);
  for (const Buffer& buffer : kernel.domain.buffers) {
    if (!buffer.is_output) continue;
    coverage.check(buffer, gaps);
    if (are_enough(kernel, gaps)) break;
  }
  return gaps;
}

}  // namespace warpcheck::proof
