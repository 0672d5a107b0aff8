// Each element of an output is written: the box of its indices without the images of all stores is
// empty.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "proof/prove/kernel.hpp"
#include "proof/prove/stored_elements.hpp"
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

class Coverage {
 public:
  explicit Coverage(const Kernel& kernel)
      : kernel_(kernel), terms_(kernel.terms), sets_(kernel.terms, exact_iterations(kernel)) {}

  void check(const Buffer& buffer, Gaps& gaps) {
    std::vector<StoredElements> stored;
    std::vector<Image> boxes;
    std::size_t last = 0;
    for (const Access& access : kernel_.lifted.accesses) {
      if (access.base != buffer.pointer || access.kind == AccessKind::read) continue;
      last = access.instruction;
      if (access.is_box()) {
        add_box(access, boxes);
        continue;
      }
      auto indices = position(terms_, access, buffer);
      if (!indices) continue;
      stored.push_back({std::move(*indices), elements(terms_, access, buffer), access.decisive});
    }
    if (stored.empty() && boxes.empty()) {
      gaps.push_back({fmt::format("no store to {} is found", buffer.name), 0});
      return;
    }
    Image box;
    for (const Axis& axis : buffer.axes) box.counts.push_back(axis.extent);
    if (boxes.empty()) {
      join_divided_axes(terms_, stored, box.counts);
      split_product_axes(kernel_.domain, stored, box.counts);
    }
    box.indices.assign(box.counts.size(), 0);
    std::vector<Image> written = std::move(boxes);
    std::ranges::move(take_tiles(kernel_, sets_, stored, box.counts), std::back_inserter(written));
    Stores stores(kernel_, sets_);
    for (StoredElements& one : stored) {
      stores.add(std::move(one.indices), std::move(one.count), std::move(one.path));
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
    std::ranges::move(stores.images(), std::back_inserter(written));
    const Solver::Search found = sets_.uncovered(box, written, conditions);
    if (found.result == Satisfiability::impossible) return;
    Gap gap{fmt::format("an element of {} may not be written", buffer.name), last};
    if (found.result == Satisfiability::possible && kernel_.search_witnesses) {
      gap.witnesses.push_back(make_witness(terms_, found.model, kernel_.domain));
    }
    gaps.push_back(std::move(gap));
  }

 private:
  /// A copy through a tensor map writes the elements of its box that exist. One that depends on
  /// more than linear conditions may not write them.
  void add_box(const Access& access, std::vector<Image>& boxes) const {
    const auto is_linear = [&](const auto& part) { return sets_.is_linear(part); };
    if (!std::ranges::all_of(access.box_indices, is_linear) ||
        !std::ranges::all_of(access.decisive, is_linear)) {
      return;
    }
    boxes.push_back({access.box_indices, {access.box.begin(), access.box.end()}, access.decisive});
  }

  const Kernel& kernel_;
  Terms& terms_;
  IntegerSets sets_;
};

}  // namespace

bool covers(const Kernel& kernel, const Buffer& buffer) {
  Gaps gaps;
  Coverage(kernel).check(buffer, gaps);
  return gaps.empty();
}

Gaps prove_covered(const Kernel& kernel) {
  Gaps gaps;
  Coverage coverage(kernel);
  for (const Buffer& buffer : kernel.domain.buffers) {
    if (!buffer.is_output || buffer.is_covered_elsewhere || buffer.is_covered_before) continue;
    coverage.check(buffer, gaps);
    if (are_enough(kernel, gaps)) break;
  }
  return gaps;
}

}  // namespace warpcheck::proof
