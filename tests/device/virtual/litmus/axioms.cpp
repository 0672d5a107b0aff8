#include "tests/device/virtual/litmus/axioms.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "tests/device/virtual/litmus/relation.hpp"

namespace warpcheck::litmus {
namespace {

/// An instruction of a thread; or the initial write of a location; or a barrier of all threads of a
/// block.
struct Node {
  Instruction instruction;
  unsigned thread = 0;  // of an instruction that is no barrier
  bool initial = false;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<std::vector<unsigned>> order;  // nodes of each thread, in program order
  std::vector<unsigned> reads;
  Placement placement;
};

Graph graph_of(const Program& program, const Placement& placement) {
  Graph graph;
  graph.placement = placement;
  for (unsigned location = 0; location < kLocations; ++location) {
    Node initial;
    initial.initial = true;
    initial.instruction.kind = Kind::store;
    initial.instruction.location = location;
    graph.nodes.push_back(initial);
  }
  std::map<std::pair<unsigned, unsigned>, unsigned> barriers;  // by block and number
  for (unsigned thread = 0; thread < program.threads.size(); ++thread) {
    graph.order.emplace_back();
    unsigned passed = 0;
    for (const Instruction& instruction : program.threads[thread]) {
      auto number = static_cast<unsigned>(graph.nodes.size());
      if (instruction.kind == Kind::barrier) {
        number = barriers.try_emplace({placement[thread].block, passed++}, number).first->second;
      }
      graph.order.back().push_back(number);
      if (number == graph.nodes.size()) graph.nodes.push_back({instruction, thread});
      if (instruction.reads()) graph.reads.push_back(number);
    }
  }
  if (graph.nodes.size() > kMostEvents) throw std::runtime_error(program.name + " is too long");
  return graph;
}

/// A choice of the write that each read returns, with what follows from it.
class Candidate {
 public:
  /// `sources`: by node, the write that a read returns.
  Candidate(const Graph& graph, const std::vector<unsigned>& sources)
      : graph_(graph), sources_(sources), read_(graph.nodes.size()), written_(graph.nodes.size()) {}

  /// Computes which instructions are executed, and with which values. False if the choice is
  /// impossible, or depends on itself (the axiom "no thin air", PTX ISA 8.10.4).
  [[nodiscard]] bool resolve() {
    for (unsigned location = 0; location < kLocations; ++location) {
      written_[location] = 0;
      executed_ |= 1U << location;
    }
    while (step()) {
    }
    return known_ + kLocations == graph_.nodes.size() && sources_are_executed();
  }

  [[nodiscard]] bool executed(unsigned node) const { return (executed_ >> node & 1) != 0; }
  [[nodiscard]] unsigned source(unsigned node) const { return sources_[node]; }
  [[nodiscard]] Outcome outcome() const {
    Outcome outcome;
    outcome.fill(kUnset);
    for (const unsigned read : graph_.reads) {
      const auto& result = graph_.nodes[read].instruction.result;
      if (result && executed(read)) outcome[*result] = *read_[read];
    }
    return outcome;
  }

 private:
  /// Resolves what the resolved nodes determine. Returns false if nothing is new.
  bool step() {
    const unsigned before = known_;
    for (const auto& nodes : graph_.order) {
      std::array<std::optional<int>, kRegisters> registers;
      registers.fill(kUnset);
      for (const unsigned node : nodes) resolve_node(node, registers);
    }
    return known_ != before;
  }

  void resolve_node(unsigned node, std::array<std::optional<int>, kRegisters>& registers) {
    const Instruction& instruction = graph_.nodes[node].instruction;
    const bool writes_known = !instruction.writes() || written_[node].has_value();
    const bool reads_known = !instruction.reads() || read_[node].has_value();
    if (resolved(node)) {
      if (instruction.result && executed(node)) registers[*instruction.result] = read_[node];
      return;
    }
    std::optional<bool> runs = true;
    if (instruction.only_if) {
      const auto& value = registers[instruction.only_if->reg];
      runs = value ? std::optional(*value == instruction.only_if->value) : std::nullopt;
    }
    if (runs == false) {
      finish(node);
      return;
    }
    if (instruction.result) registers[*instruction.result] = std::nullopt;
    if (!runs) return;
    if (!reads_known) read_[node] = written_[sources_[node]];
    if (instruction.reads() && !read_[node]) return;
    if (!writes_known) {
      std::optional<int> value = instruction.value;
      if (instruction.source) value = registers[*instruction.source];
      if (!value) return;
      written_[node] = instruction.adds ? *read_[node] + *value : *value;
    }
    if (instruction.result) registers[*instruction.result] = read_[node];
    executed_ |= 1U << node;
    finish(node);
  }

  [[nodiscard]] bool resolved(unsigned node) const { return (resolved_ >> node & 1) != 0; }
  void finish(unsigned node) {
    resolved_ |= 1U << node;
    ++known_;
  }

  /// A read that is not executed has the initial write as its source, so that it counts once.
  [[nodiscard]] bool sources_are_executed() const {
    return std::all_of(graph_.reads.begin(), graph_.reads.end(), [&](unsigned read) {
      return executed(read) ? executed(sources_[read]) : graph_.nodes[sources_[read]].initial;
    });
  }

  const Graph& graph_;
  const std::vector<unsigned>& sources_;
  std::vector<std::optional<int>> read_;
  std::vector<std::optional<int>> written_;
  std::uint32_t executed_ = 0;
  std::uint32_t resolved_ = 0;
  unsigned known_ = 0;
};

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
    for (const auto& nodes : graph_.order) {
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!candidate_.executed(nodes[i])) continue;
        for (unsigned location = 0; location < kLocations; ++location)
          program_.add(location, nodes[i]);
        for (std::size_t j = i + 1; j < nodes.size(); ++j) {
          if (candidate_.executed(nodes[j])) program_.add(nodes[i], nodes[j]);
        }
      }
    }
  }

  [[nodiscard]] bool includes(unsigned node, unsigned other) const {
    const Place& own = graph_.placement[graph_.nodes[node].thread];
    return at(node).reach != AccessScope::cta ||
           own.block == graph_.placement[graph_.nodes[other].thread].block;
  }

  /// PTX ISA 8.7: morally strong operations.
  void set_strength() {
    for (unsigned a = 0; a < graph_.nodes.size(); ++a) {
      for (unsigned b = 0; b < graph_.nodes.size(); ++b) {
        if (a == b || !candidate_.executed(a) || !candidate_.executed(b)) continue;
        const bool scoped = at(a).strong() && at(b).strong() && includes(a, b) && includes(b, a);
        if (scoped || program_.has(a, b) || program_.has(b, a)) strong_.add(a, b);
      }
    }
  }

  /// PTX ISA 8.9.2. The middle of a chain both reads and writes: it is an atomic.
  void set_observation() {
    for (const unsigned read : graph_.reads) {
      if (!candidate_.executed(read)) continue;
      returned_.add(candidate_.source(read), read);
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
        const bool here = node == other || fence || at(node).location == at(other).location;
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
    causality_ = causality_of(synchronizes_);
    causality_by_flags_ = causality_of(by_flags);
    return causality_.irreflexive() && returned_.then(causality_).irreflexive();
  }

  [[nodiscard]] Relation causality_of(const Relation& synchronizes) const {
    const Relation base = (program_ | synchronizes).closure();
    return base | observation_.then(base);
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
    const bool atomic =
        (overwritten & strong_).then(coherence & strong_).irreflexive();  // of each atomic
    if (!per_location || !atomic || !overwritten.then(causality_).irreflexive()) return;
    const Relation all = program_ | synchronizes_ | returned_ | total | overwritten_by(total);
    record(all.acyclic());
  }

  /// From each read to the writes that follow the one that it returned.
  [[nodiscard]] Relation overwritten_by(const Relation& coherence) const {
    Relation result;
    for (const unsigned read : graph_.reads) {
      if (!candidate_.executed(read)) continue;
      for (const unsigned write : writes_[at(read).location]) {
        if (write != read && coherence.has(candidate_.source(read), write)) result.add(read, write);
      }
    }
    return result;
  }

  [[nodiscard]] Relation same_location(const Relation& relation) const {
    Relation result;
    for (unsigned a = 0; a < graph_.nodes.size(); ++a) {
      for (unsigned b = 0; b < graph_.nodes.size(); ++b) {
        const bool both = accesses(a) && accesses(b) && at(a).location == at(b).location;
        if (both && relation.has(a, b)) result.add(a, b);
      }
    }
    return result;
  }

  /// PTX ISA 8.7.1.
  [[nodiscard]] bool races(const Relation& causality) const {
    for (unsigned a = 0; a < graph_.nodes.size(); ++a) {
      for (unsigned b = a + 1; b < graph_.nodes.size(); ++b) {
        if (!accesses(a) || !accesses(b) || at(a).location != at(b).location) continue;
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
  Relation returned_;  // from a write to the reads of its value
  Relation observation_;
  Relation releases_;
  Relation acquires_;
  Relation synchronizes_;
  Relation causality_;
  Relation causality_by_flags_;  // without the order of fence.sc
};

}  // namespace

std::map<Outcome, Executions> allowed_executions(const Program& program,
                                                 const Placement& placement) {
  const Graph graph = graph_of(program, placement);
  std::map<Outcome, Executions> results;
  std::vector<unsigned> sources(graph.nodes.size());
  const auto choose = [&](const auto& self, std::size_t next) -> void {
    if (next == graph.reads.size()) {
      Candidate candidate(graph, sources);
      if (candidate.resolve()) Checker(graph, candidate, results).check_all();
      return;
    }
    const unsigned read = graph.reads[next];
    for (unsigned write = 0; write < graph.nodes.size(); ++write) {
      const Instruction& instruction = graph.nodes[write].instruction;
      const bool fits = instruction.writes() && write != read &&
                        instruction.location == graph.nodes[read].instruction.location;
      if (!fits) continue;
      sources[read] = write;
      self(self, next + 1);
    }
  };
  choose(choose, 0);
  return results;
}

}  // namespace warpcheck::litmus
