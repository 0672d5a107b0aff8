// The events of a litmus test, and the choice of the writes whose values its reads return.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tests/device/virtual/litmus/program.hpp"

namespace warpcheck::litmus {

/// An instruction of a thread; or the initial write of a location; or a barrier of threads of a
/// block; or the write of a bulk copy, which is no instruction of the thread.
struct Node {
  Instruction instruction;
  unsigned thread = 0;  // thread of an instruction that is no barrier
  bool initial = false;
  bool asynchronous = false;
};

/// A place of a thread in program order. After an arrival at a barrier, the thread goes on.
struct Step {
  unsigned node = 0;
  bool waits = true;
};

/// Bytes of a location that every access contains as a whole or not at all, and that a read takes
/// from one write.
struct Unit {
  unsigned read = 0;  // node
  unsigned begin = 0;
  unsigned bytes = 0;
};

struct Graph {
  std::vector<Node> nodes;
  std::vector<std::vector<Step>> order;  // steps of each thread, in program order
  std::vector<unsigned> reads;
  std::vector<Unit> units;  // units of all reads
  Placement placement;
  bool in_clusters = false;

  [[nodiscard]] bool writes_unit(unsigned node, const Unit& unit) const;
};

[[nodiscard]] Graph graph_of(const Program& program, const Placement& placement);

/// A choice of the writes that each read returns, with what follows from it.
class Candidate {
 public:
  /// `sources`: by unit, the write that it is read from.
  Candidate(const Graph& graph, const std::vector<unsigned>& sources);

  /// Computes which instructions are executed, and with which values. False if the choice is
  /// impossible, or depends on itself (the axiom "no thin air", PTX ISA 8.10.4).
  [[nodiscard]] bool resolve();

  [[nodiscard]] bool executed(unsigned node) const { return (executed_ >> node & 1) != 0; }
  [[nodiscard]] const std::vector<unsigned>& sources() const { return sources_; }
  [[nodiscard]] Outcome outcome() const;

 private:
  using Value = std::optional<std::int64_t>;

  bool step();
  void resolve_node(unsigned node, std::vector<Value>& registers);
  [[nodiscard]] Value read_value(unsigned node) const;
  [[nodiscard]] bool resolved(unsigned node) const { return (resolved_ >> node & 1) != 0; }
  void finish(unsigned node);
  [[nodiscard]] bool sources_are_executed() const;

  const Graph& graph_;
  const std::vector<unsigned>& sources_;
  std::vector<Value> read_;
  std::vector<Value> written_;
  std::uint32_t executed_ = 0;
  std::uint32_t resolved_ = 0;
  unsigned known_ = 0;
};

}  // namespace warpcheck::litmus
