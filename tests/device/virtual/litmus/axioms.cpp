#include "tests/device/virtual/litmus/axioms.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "tests/device/virtual/litmus/candidate.hpp"
#include "tests/device/virtual/litmus/relation.hpp"

namespace warpcheck::litmus {
namespace {

/// The relations of one candidate, with one order of its fence.sc and of its writes.
class Checker {
 public:
  Checker(const Graph& graph, const Candidate& candidate, std::map<Outcome, Executions>& results)
      : graph_(graph), candidate_(candidate), results_(results) {
    for (unsigned node = 0; node < graph.nodes.size(); ++node) {
      if (!candidate.executed(node)) continue;
      const Instruction& instruction = graph.nodes[node].instruction;
      if (instruction.writes()) writes_[instruction.location].push_back(node);
      if (instruction.kind == Kind::fence && instruction.order == Order::sc)
        fences_.push_back(node);
    }
    set_program_order();
    set_strength();
    set_observation();
    set_patterns();
  }

  void check_all() {
    do {
      if (set_causality()) check_writes(0);
    } while (std::next_permutation(fences_.begin(), fences_.end()));
  }

 private:
  [[nodiscard]] const Instruction& at(unsigned node) const {
    return graph_.nodes[node].instruction;
  }
  [[nodiscard]] bool accesses(unsigned node) const {
    return candidate_.executed(node) && (at(node).reads() || at(node).writes());
  }

  void set_program_order() {
    for (const auto& steps : graph_.order) {
      for (std::size_t i = 0; i < steps.size(); ++i) {
        const unsigned node = steps[i].node;
        if (!candidate_.executed(node)) continue;
        for (unsigned location = 0; location < kLocations; ++location) program_.add(location, node);
        if (!steps[i].waits) continue;
        for (std::size_t j = i + 1; j < steps.size(); ++j) {
          if (is_ordered(node, steps[j].node)) program_.add(node, steps[j].node);
        }
      }
    }
  }

  /// True for two operations of a thread in this order. The write of a copy follows what comes
  /// before it, and comes before what follows a wait for the writes (PTX ISA 8.9.1, 9.7.9.25.4).
  [[nodiscard]] bool is_ordered(unsigned first, unsigned second) const {
    if (!candidate_.executed(first) || !candidate_.executed(second)) return false;
    return !graph_.nodes[first].asynchronous || (at(second).kind == Kind::wait && at(second).waits);
  }

  [[nodiscard]] bool includes(unsigned node, unsigned other) const {
    const unsigned own = graph_.placement[graph_.nodes[node].thread].block;
    const unsigned its = graph_.placement[graph_.nodes[other].thread].block;
    switch (at(node).reach) {
      case AccessScope::cta:
        return own == its;
      case AccessScope::cluster:
        return own == its || (graph_.in_clusters && own / kClusterBlocks == its / kClusterBlocks);
      case AccessScope::gpu:
      case AccessScope::sys:
        return true;
    }
    return false;
  }

  [[nodiscard]] bool overlap(unsigned a, unsigned b) const {
    return accesses(a) && accesses(b) && at(a).location == at(b).location &&
           at(a).offset < at(b).offset + at(b).bytes && at(b).offset < at(a).offset + at(a).bytes;
  }
  /// True for fences and for accesses of the same bytes.
  [[nodiscard]] bool overlap_completely(unsigned a, unsigned b) const {
    return !accesses(a) || !accesses(b) || !overlap(a, b) ||
           (at(a).offset == at(b).offset && at(a).bytes == at(b).bytes);
  }

  /// PTX ISA 8.7: morally strong operations.
  void set_strength() {
    for (unsigned a = 0; a < graph_.nodes.size(); ++a) {
      for (unsigned b = 0; b < graph_.nodes.size(); ++b) {
        if (a == b || !candidate_.executed(a) || !candidate_.executed(b)) continue;
        const bool scoped = at(a).strong() && at(b).strong() && includes(a, b) && includes(b, a) &&
                            overlap_completely(a, b);
        if (scoped || program_.has(a, b) || program_.has(b, a)) strong_.add(a, b);
      }
    }
  }

  /// PTX ISA 8.9.2. The middle of a chain both reads and writes: it is an atomic.
  void set_observation() {
    for (const unsigned read : graph_.reads) {
      if (!candidate_.executed(read)) continue;
      for (std::size_t i = 0; i < graph_.units.size(); ++i) {
        if (graph_.units[i].read == read) returned_.add(candidate_.sources()[i], read);
      }
    }
    observation_ = (returned_ & strong_).closure();
  }

  /// PTX ISA 8.8: the first operation of each release pattern with its writes, and the last one of
  /// each acquire pattern with its reads.
  void set_patterns() {
    for (unsigned node = 0; node < graph_.nodes.size(); ++node) {
      if (!candidate_.executed(node) || graph_.nodes[node].initial) continue;
      const bool fence = at(node).kind == Kind::fence;
      for (unsigned other = 0; other < graph_.nodes.size(); ++other) {
        if (!accesses(other) || !at(other).strong()) continue;
        const bool here =
            node == other || fence || (overlap(node, other) && overlap_completely(node, other));
        if (!here) continue;
        if (at(node).releases() && (fence || at(node).writes()) && at(other).writes() &&
            (node == other || program_.has(node, other))) {
          releases_.add(node, other);
        }
        const bool reads = at(other).reads() && at(other).result.has_value();
        if (at(node).acquires() && (fence || at(node).reads()) && reads &&
            (node == other || program_.has(other, node))) {
          acquires_.add(other, node);
        }
      }
    }
  }

  /// PTX ISA 8.9.3 to 8.9.5. False if the order of the fences contradicts causality (8.10.2), or
  /// causality is cyclic.
  [[nodiscard]] bool set_causality() {
    Relation fences;
    for (std::size_t i = 0; i < fences_.size(); ++i) {
      for (std::size_t j = i + 1; j < fences_.size(); ++j) {
        if (strong_.has(fences_[i], fences_[j])) fences.add(fences_[i], fences_[j]);
      }
    }
    const Relation by_flags = releases_.then(observation_).then(acquires_) & strong_;
    synchronizes_ = fences | by_flags;
    causality_ = causality_of(synchronizes_, observation_);
    causality_by_flags_ = causality_of(by_flags, by_results());
    return causality_.irreflexive() && returned_.then(causality_).irreflexive();
  }

  /// Observations by reads whose thread uses the value.
  [[nodiscard]] Relation by_results() const {
    Relation results;
    for (const unsigned read : graph_.reads) {
      if (!at(read).result) continue;
      for (unsigned node = 0; node < graph_.nodes.size(); ++node) results.add(node, read);
    }
    return observation_ & results;
  }

  [[nodiscard]] Relation causality_of(const Relation& synchronizes,
                                      const Relation& observation) const {
    const Relation base = (program_ | synchronizes).closure();
    return base | observation.then(base);
  }

  [[nodiscard]] bool are_related(unsigned a, unsigned b, const Relation& causality) const {
    return strong_.has(a, b) || causality.has(a, b) || causality.has(b, a);
  }

  /// Tries every order of the writes to each location from `location` on. The initial write comes
  /// first.
  void check_writes(unsigned location) {
    if (location == kLocations) return check();
    std::vector<unsigned>& writes = writes_[location];
    std::sort(writes.begin(), writes.end());
    do {
      check_writes(location + 1);
    } while (std::next_permutation(writes.begin() + 1, writes.end()));
  }

  /// PTX ISA 8.9.6 and 8.9.7, and the axioms of 8.10.
  void check() {
    Relation total;
    Relation related;
    for (const auto& writes : writes_) {
      for (std::size_t i = 0; i < writes.size(); ++i) {
        for (std::size_t j = i + 1; j < writes.size(); ++j) {
          if (!overlap(writes[i], writes[j])) continue;
          if (causality_.has(writes[j], writes[i])) return;
          total.add(writes[i], writes[j]);
          if (are_related(writes[i], writes[j], causality_)) related.add(writes[i], writes[j]);
        }
      }
    }
    const Relation coherence = related.closure();
    const Relation overwritten = overwritten_by(coherence);
    const Relation communication = returned_ | coherence | overwritten;
    const bool per_location = (same_location(program_) | (communication & strong_)).acyclic();
    const bool atomic = (overwritten & strong_)
                            .then(coherence & strong_)
                            .irreflexive();  // atomicity: no write comes between those of an atomic
    if (!per_location || !atomic || !overwritten.then(causality_).irreflexive()) return;
    const Relation all = program_ | synchronizes_ | returned_ | total | overwritten_by(total);
    record(all.acyclic());
  }

  /// From each read to the writes that follow the one that it returned.
  [[nodiscard]] Relation overwritten_by(const Relation& coherence) const {
    Relation result;
    for (std::size_t i = 0; i < graph_.units.size(); ++i) {
      const Unit& unit = graph_.units[i];
      if (!candidate_.executed(unit.read)) continue;
      for (const unsigned write : writes_[at(unit.read).location]) {
        const bool follows =
            graph_.writes_unit(write, unit) && coherence.has(candidate_.sources()[i], write);
        if (follows) result.add(unit.read, write);
      }
    }
    return result;
  }

  [[nodiscard]] Relation same_location(const Relation& relation) const {
    Relation result;
    for (unsigned a = 0; a < graph_.nodes.size(); ++a) {
      for (unsigned b = 0; b < graph_.nodes.size(); ++b) {
        if (overlap(a, b) && relation.has(a, b)) result.add(a, b);
      }
    }
    return result;
  }

  /// PTX ISA 8.7.1.
  [[nodiscard]] bool races(const Relation& causality) const {
    for (unsigned a = 0; a < graph_.nodes.size(); ++a) {
      for (unsigned b = a + 1; b < graph_.nodes.size(); ++b) {
        if (!overlap(a, b)) continue;
        if (!at(a).writes() && !at(b).writes()) continue;
        if (!are_related(a, b, causality)) return true;
      }
    }
    return false;
  }

  void record(bool interleaved) {
    const bool race = races(causality_);
    Executions& executions = results_[candidate_.outcome()];
    executions.any_races = executions.any_races || race;
    executions.any_races_without_sc |= races(causality_by_flags_);
    if (!interleaved) return;
    executions.any_interleaved = true;
    executions.any_interleaved_races = executions.any_interleaved_races || race;
    executions.all_interleaved_race = executions.all_interleaved_race && race;
  }

  const Graph& graph_;
  const Candidate& candidate_;
  std::map<Outcome, Executions>& results_;
  std::array<std::vector<unsigned>, kLocations> writes_;  // the initial one first
  std::vector<unsigned> fences_;                          // fence.sc
  Relation program_;
  Relation strong_;
  Relation returned_;  // relates a write to the reads of its value
  Relation observation_;
  Relation releases_;
  Relation acquires_;
  Relation synchronizes_;
  Relation causality_;
  Relation causality_by_flags_;  // ignores the order of fence.sc
};

}  // namespace

std::map<Outcome, Executions> allowed_executions(const Program& program,
                                                 const Placement& placement) {
  const Graph graph = graph_of(program, placement);
  std::map<Outcome, Executions> results;
  std::vector<unsigned> sources(graph.units.size());
  const auto choose = [&](const auto& self, std::size_t next) -> void {
    if (next == graph.units.size()) {
      Candidate candidate(graph, sources);
      if (candidate.resolve()) Checker(graph, candidate, results).check_all();
      return;
    }
    for (unsigned write = 0; write < graph.nodes.size(); ++write) {
      if (!graph.writes_unit(write, graph.units[next])) continue;
      sources[next] = write;
      self(self, next + 1);
    }
  };
  choose(choose, 0);
  return results;
}

}  // namespace warpcheck::litmus
