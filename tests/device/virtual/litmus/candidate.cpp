#include "tests/device/virtual/litmus/candidate.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

#include "tests/device/virtual/litmus/relation.hpp"

namespace warpcheck::litmus {
namespace {

bool overlaps(const Instruction& access, unsigned location, unsigned begin, unsigned bytes) {
  return (access.reads() || access.writes()) && access.location == location &&
         access.offset < begin + bytes && begin < access.offset + access.bytes;
}

/// Adds the units of a read: the smallest accesses that overlap it divide it.
void add_units(Graph& graph, unsigned read) {
  const Instruction& own = graph.nodes[read].instruction;
  unsigned bytes = own.bytes;
  for (const Node& node : graph.nodes) {
    const Instruction& other = node.instruction;
    if (overlaps(other, own.location, own.offset, own.bytes)) bytes = std::min(bytes, other.bytes);
  }
  for (unsigned at = 0; at < own.bytes; at += bytes) {
    graph.units.push_back({read, own.offset + at, bytes});
  }
}

}  // namespace

bool Graph::writes_unit(unsigned node, const Unit& unit) const {
  const Instruction& write = nodes[node].instruction;
  return node != unit.read && write.writes() &&
         overlaps(write, nodes[unit.read].instruction.location, unit.begin, unit.bytes);
}

Graph graph_of(const Program& program, const Placement& placement) {
  Graph graph;
  graph.placement = placement;
  graph.in_clusters = program.in_clusters;
  for (unsigned location = 0; location < kLocations; ++location) {
    Node initial;
    initial.initial = true;
    initial.instruction.kind = Kind::store;
    initial.instruction.location = location;
    initial.instruction.bytes = kLocationBytes;
    graph.nodes.push_back(initial);
  }
  std::map<std::array<unsigned, 3>, unsigned> barriers;  // the key is block, barrier and number
  for (unsigned thread = 0; thread < program.threads.size(); ++thread) {
    graph.order.emplace_back();
    std::map<unsigned, unsigned> passed;  // the key is a barrier
    for (const Instruction& instruction : program.threads[thread]) {
      auto number = static_cast<unsigned>(graph.nodes.size());
      if (instruction.kind == Kind::barrier) {
        const std::array key = {placement[thread].block, instruction.barrier,
                                passed[instruction.barrier]++};
        number = barriers.try_emplace(key, number).first->second;
      }
      graph.order.back().push_back(
          {number, instruction.kind != Kind::barrier || instruction.waits});
      if (number == graph.nodes.size()) {
        graph.nodes.push_back({instruction, thread, false, instruction.kind == Kind::bulk});
      }
      if (instruction.reads()) graph.reads.push_back(number);
    }
  }
  if (graph.nodes.size() > kMostEvents) throw std::runtime_error(program.name + " is too long");
  for (const unsigned read : graph.reads) add_units(graph, read);
  return graph;
}

Candidate::Candidate(const Graph& graph, const std::vector<unsigned>& sources)
    : graph_(graph), sources_(sources), read_(graph.nodes.size()), written_(graph.nodes.size()) {}

bool Candidate::resolve() {
  for (unsigned location = 0; location < kLocations; ++location) {
    written_[location] = 0;
    executed_ |= 1U << location;
  }
  while (step()) {
  }
  return known_ + kLocations == graph_.nodes.size() && sources_are_executed();
}

Outcome Candidate::outcome() const {
  Outcome outcome;
  outcome.fill(kUnset);
  for (const unsigned read : graph_.reads) {
    const Instruction& instruction = graph_.nodes[read].instruction;
    if (!instruction.result || !executed(read)) continue;
    outcome[*instruction.result] = static_cast<int>(instruction.folded(*read_[read]));
  }
  return outcome;
}

/// Resolves what the resolved nodes determine. Returns false if nothing is new.
bool Candidate::step() {
  const unsigned before = known_;
  for (const auto& steps : graph_.order) {
    std::vector<Value> registers(kRegisters, kUnset);
    for (const Step& step : steps) resolve_node(step.node, registers);
  }
  return known_ != before;
}

/// The bytes from the sources of all units, the lowest first.
Candidate::Value Candidate::read_value(unsigned node) const {
  const Instruction& own = graph_.nodes[node].instruction;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < graph_.units.size(); ++i) {
    const Unit& unit = graph_.units[i];
    if (unit.read != node) continue;
    const unsigned write = sources_[i];
    if (!written_[write]) return std::nullopt;
    const unsigned shift = 8 * (unit.begin - graph_.nodes[write].instruction.offset);
    const auto written = static_cast<std::uint64_t>(*written_[write]);
    const std::uint64_t part = shift < 64 ? written >> shift : 0;
    const std::uint64_t mask = ~std::uint64_t{0} >> (64 - 8 * unit.bytes);
    value |= (part & mask) << 8 * (unit.begin - own.offset);
  }
  return static_cast<std::int64_t>(value);
}

void Candidate::resolve_node(unsigned node, std::vector<Value>& registers) {
  const Instruction& instruction = graph_.nodes[node].instruction;
  const auto set_result = [&] {
    if (!instruction.result) return;
    auto& result = registers[*instruction.result];
    result = read_[node] ? Value(instruction.folded(*read_[node])) : std::nullopt;
  };
  if (resolved(node)) {
    if (executed(node)) set_result();
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
  if (instruction.reads() && !read_[node]) read_[node] = read_value(node);
  if (instruction.reads() && !read_[node]) return;
  if (instruction.writes() && !written_[node]) {
    Value value = instruction.value;
    if (instruction.source) value = registers[*instruction.source];
    if (!value) return;
    written_[node] = instruction.adds ? *read_[node] + *value : *value;
  }
  set_result();
  executed_ |= 1U << node;
  finish(node);
}

void Candidate::finish(unsigned node) {
  resolved_ |= 1U << node;
  ++known_;
}

/// A read that is not executed has the initial write as its source, so that it counts once.
bool Candidate::sources_are_executed() const {
  for (std::size_t i = 0; i < graph_.units.size(); ++i) {
    const bool fits =
        executed(graph_.units[i].read) ? executed(sources_[i]) : graph_.nodes[sources_[i]].initial;
    if (!fits) return false;
  }
  return true;
}

}  // namespace warpcheck::litmus
