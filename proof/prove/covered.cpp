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

/// Elements that a store writes: `count` along the last axis, from the first one on.
struct StoredElements {
  std::vector<Polynomial> indices;
  Polynomial count;
  std::vector<Formula> path;
};

/// The number x whose quotient x / extent and remainder are the two indices from `axis` on; empty
/// if they are something else.
std::optional<Polynomial> joined_index(const Terms& terms, const StoredElements& stored,
                                       std::size_t axis, const Polynomial& extent) {
  const Polynomial& index = stored.indices[axis];
  const std::vector<SymbolId> symbols = index.symbols();
  const bool is_one = axis + 2 < stored.indices.size() || stored.count == Polynomial(1);
  if (symbols.size() != 1 || index != Polynomial::of(symbols.front()) || !is_one) return {};
  const auto* const quotient = std::get_if<Quotient>(&terms[symbols.front()].definition);
  if (quotient == nullptr || quotient->divisor != extent) return {};
  const Polynomial remainder = quotient->dividend - extent * index;
  return stored.indices[axis + 1] == remainder ? std::optional(quotient->dividend) : std::nullopt;
}

/// Joins two axes if each store computes both indices from one number. Returns false if none are.
bool join_two_axes(const Terms& terms, std::vector<StoredElements>& stores,
                   std::vector<Polynomial>& extents) {
  for (std::size_t axis = 0; axis + 1 < extents.size(); ++axis) {
    std::vector<Polynomial> joined;
    for (const StoredElements& stored : stores) {
      const auto index = joined_index(terms, stored, axis, extents[axis + 1]);
      if (index) joined.push_back(*index);
    }
    if (joined.size() != stores.size()) continue;
    const auto at = static_cast<std::ptrdiff_t>(axis);
    for (std::size_t i = 0; i < stores.size(); ++i) {
      stores[i].indices.erase(stores[i].indices.begin() + at);
      stores[i].indices[axis] = joined[i];
    }
    extents[axis + 1] = extents[axis] * extents[axis + 1];
    extents.erase(extents.begin() + at);
    return true;
  }
  return false;
}

class Coverage {
 public:
  explicit Coverage(const Kernel& kernel)
      : kernel_(kernel), terms_(kernel.terms), sets_(kernel.terms, exact_iterations(kernel)) {}

  void check(const Buffer& buffer, Gaps& gaps) {
    std::vector<StoredElements> stored;
    std::size_t last = 0;
    for (const Access& access : kernel_.lifted.accesses) {
      if (access.base != buffer.pointer || access.kind == AccessKind::read) continue;
      auto indices = position(terms_, access, buffer);
      if (!indices) continue;
      stored.push_back({std::move(*indices), elements(terms_, access, buffer), access.decisive});
      last = access.instruction;
    }
    if (stored.empty()) {
      gaps.push_back({fmt::format("no store to {} is found", buffer.name), 0});
      return;
    }
    Image box;
    for (const Axis& axis : buffer.axes) box.counts.push_back(axis.extent);
    while (join_two_axes(terms_, stored, box.counts)) {
    }
    box.indices.assign(box.counts.size(), 0);
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
    const Solver::Search found = sets_.uncovered(box, stores.images(), conditions);
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
