#include <algorithm>

#include "proof/lift/executor.hpp"
#include "proof/lift/lift.hpp"

namespace warpcheck::proof {
namespace {

/// Conditions that all states share, and for each state the conjunction of its others.
struct Paths {
  std::vector<Formula> common;
  std::vector<Formula> others;
};

Paths compare_paths(const std::vector<State>& states, Terms& terms) {
  Paths paths;
  const auto has = [](const State& state, Formula condition) {
    return std::find(state.path.begin(), state.path.end(), condition) != state.path.end();
  };
  for (const Formula condition : states.front().path) {
    if (std::all_of(states.begin(), states.end(),
                    [&](const State& state) { return has(state, condition); })) {
      paths.common.push_back(condition);
    }
  }
  for (const State& state : states) {
    std::vector<Formula> others;
    for (const Formula condition : state.path) {
      if (std::find(paths.common.begin(), paths.common.end(), condition) == paths.common.end()) {
        others.push_back(condition);
      }
    }
    paths.others.push_back(terms.all(others));
  }
  return paths;
}

}  // namespace

const Array* Lifted::array_at(SymbolId base) const {
  const auto found = std::find_if(arrays.begin(), arrays.end(),
                                  [&](const Array& one) { return one.base == base; });
  return found == arrays.end() ? nullptr : &*found;
}

Lifted::Sizes Lifted::sizes() const {
  return {accesses.size(),          observations.size(),     warp_points.size(), copy_events.size(),
          blocks_of_cluster.size(), cluster_barriers.size(), waits.size()};
}

void Lifted::resize(const Sizes& sizes) {
  accesses.resize(sizes.accesses);
  observations.resize(sizes.observations);
  warp_points.resize(sizes.warp_points);
  copy_events.resize(sizes.copy_events);
  blocks_of_cluster.resize(sizes.blocks_of_cluster);
  cluster_barriers.resize(sizes.cluster_barriers);
  waits.resize(sizes.waits);
}

bool State::is_unreachable() const {
  return std::find(path.begin(), path.end(), kFalse) != path.end();
}

void State::assume(const Terms& terms, Formula condition) {
  for (const Formula part : terms.conjuncts(condition)) {
    if (part == kTrue || std::find(path.begin(), path.end(), part) != path.end()) continue;
    path.push_back(part);
  }
}

void State::assume_given(const Terms& terms, Formula condition) {
  const std::size_t known = path.size();
  assume(terms, condition);
  given.insert(path.begin() + static_cast<std::ptrdiff_t>(known), path.end());
}

std::vector<Formula> State::decisive_path() const {
  std::vector<Formula> decisive = path;
  std::erase_if(decisive, [&](Formula condition) { return given.contains(condition); });
  return decisive;
}

Executor::Executor(const ptx::Module& module, const ptx::Function& kernel, const Domain& domain,
                   Terms& terms, Solver& solver)
    : module_(module), kernel_(kernel), domain_(domain), terms_(terms), solver_(solver) {
  lifted_.flow = flow_of(kernel);
  lifted_.loops.resize(lifted_.flow.loops.size());
}

Lifted Executor::run() {
  const std::set<BlockNumber> all(lifted_.flow.order.begin(), lifted_.flow.order.end());
  try {
    (void)run_blocks(all, 0, {}, std::nullopt);
  } catch (const NotLifted&) {
    throw;
  } catch (const Unsupported& error) {
    throw NotLifted(error.what(), instruction_);
  }
  require_unwritten_limits();
  return std::move(lifted_);
}

/// The limits of integers that the contract states hold as long as no thread writes others.
void Executor::require_unwritten_limits() const {
  for (const Access& access : lifted_.accesses) {
    if (access.kind == AccessKind::read || access.space != MemorySpace::global) continue;
    for (const Buffer& buffer : domain_.buffers) {
      if (!buffer.limits || (access.base && *access.base != buffer.pointer)) continue;
      throw NotLifted("the kernel may write to " + buffer.name + ", an input of limited integers",
                      access.instruction);
    }
  }
}

/// The value is a choice among those of the states by their conditions, which exclude each other.
std::optional<Value> Executor::merged_value(unsigned reg, const std::vector<State>& states,
                                            const std::vector<Formula>& conditions) {
  std::vector<const Value*> values;
  for (const State& state : states) {
    const auto found = state.registers.find(reg);
    if (found == state.registers.end()) return unknown_value(reg);
    values.push_back(&found->second);
  }
  const auto same = [&](const Value* value) { return *value == *values.front(); };
  if (std::all_of(values.begin(), values.end(), same)) return *values.front();
  const auto all_are = [&](auto* kind) {
    using Kind = std::remove_pointer_t<decltype(kind)>;
    return std::all_of(values.begin(), values.end(),
                       [](const Value* value) { return std::holds_alternative<Kind>(*value); });
  };
  if (all_are(static_cast<Polynomial*>(nullptr))) {
    const bool is_wide = kernel_.registers[reg].type == ptx::Type::b64;
    Polynomial merged = std::get<Polynomial>(*values.back());
    for (std::size_t i = values.size() - 1; i-- > 0;) {
      const Polynomial& value = std::get<Polynomial>(*values[i]);
      // Such as 0, the number of whole groups of 4, where there are fewer than 4.
      if (value.constant() && implies(states[i], terms_.equal(value, merged))) continue;
      merged = terms_.choice(conditions[i], value, merged, is_wide);
    }
    return merged;
  }
  if (all_are(static_cast<Formula*>(nullptr))) {
    Formula merged = std::get<Formula>(*values.back());
    for (std::size_t i = values.size() - 1; i-- > 0;) {
      merged = terms_.any({terms_.all({conditions[i], std::get<Formula>(*values[i])}),
                           terms_.all({terms_.negate(conditions[i]), merged})});
    }
    return merged;
  }
  return unknown_value(reg);
}

State Executor::merge(const std::vector<State>& states, BlockNumber block) {
  if (states.size() == 1) return states.front();
  const Paths paths = compare_paths(states, terms_);
  State merged;
  merged.path = paths.common;
  merged.given = states.front().given;
  for (const State& state : states) {
    std::erase_if(merged.given, [&](Formula given) { return !state.given.contains(given); });
  }
  for (const unsigned reg : lifted_.flow.blocks[block].live) {
    const bool is_known = std::any_of(states.begin(), states.end(), [&](const State& state) {
      return state.registers.contains(reg);
    });
    if (!is_known) continue;
    if (auto value = merged_value(reg, states, paths.others)) merged.registers.emplace(reg, *value);
  }
  const Formula either = terms_.any(paths.others);
  if (solver_.implies(paths.common, either)) return merged;
  if (lifted_.flow.blocks[block].joins_all) {
    merged.assume_given(terms_, either);
  } else {
    merged.assume(terms_, either);
  }
  return merged;
}

void Executor::run_block(BlockNumber number, State& state) {
  block_ = number;
  const BasicBlock& block = lifted_.flow.blocks[number];
  for (std::size_t i = block.begin; i < block.end; ++i) {
    instruction_ = i;
    step(kernel_.body[i], state);
  }
  if (block.barrier && !is_guessing()) {
    std::vector<Formula> path = state.decisive_path();
    const auto known = lifted_.barriers.find(number);
    if (is_unrolling_ && known != lifted_.barriers.end()) {
      path = {terms_.any({terms_.all(known->second.path), terms_.all(path)})};
    }
    lifted_.barriers[number] = {std::move(path), loops_, *block.barrier};
  }
}

/// The state after an edge; empty if no thread takes it.
std::optional<State> Executor::follow(const Edge& edge, const State& state) {
  State next;
  next.path = state.path;
  next.given = state.given;
  if (edge.target) {
    for (const unsigned reg : lifted_.flow.blocks[*edge.target].live) {
      const auto found = state.registers.find(reg);
      if (found != state.registers.end()) next.registers.insert(*found);
    }
  }
  if (!edge.guard) return next;
  Formula condition = predicate(*edge.guard, state);
  if (condition != kTrue && condition != kFalse && !is_guessing()) {
    if (implies(state, terms_.negate(condition))) {
      condition = kFalse;
    } else if (implies(state, condition)) {
      condition = kTrue;
    }
  }
  const auto contradicts =
      std::find(state.path.begin(), state.path.end(), terms_.negate(condition)) != state.path.end();
  if (condition == kFalse || contradicts) return std::nullopt;
  next.assume(terms_, condition);
  return next;
}

/// Values of the thread, of the block and of the grid are the same during the life of a thread;
/// those of iterations and from memory are not.
void Executor::record_edge(BlockNumber number, BlockNumber target, const State& before,
                           const State& after) {
  std::vector<Formula> constant;
  const auto is_constant = [&](SymbolId id) {
    const Symbol& symbol = terms_[id];
    if (symbol.kind == SymbolKind::iteration) return false;
    return symbol.kind != SymbolKind::unknown || symbol.level == Level::grid;
  };
  for (std::size_t i = before.path.size(); i < after.path.size(); ++i) {
    const std::vector<SymbolId> bases = terms_.bases(after.path[i]);
    if (std::all_of(bases.begin(), bases.end(), is_constant)) constant.push_back(after.path[i]);
  }
  const auto& edges = lifted_.flow.blocks[number].edges;
  const bool is_only_way = std::count_if(edges.begin(), edges.end(), [&](const Edge& edge) {
                             return edge.target == target;
                           }) == 1;
  Formula condition = is_only_way ? terms_.all(constant) : kTrue;
  const auto known = lifted_.edges.find({number, target});
  if (is_unrolling_ && known != lifted_.edges.end()) {
    condition = terms_.any({known->second, condition});
  }
  lifted_.edges.insert_or_assign({number, target}, condition);
}

Executor::Passes Executor::run_blocks(const std::set<BlockNumber>& blocks, BlockNumber entry,
                                      const State& state, std::optional<std::size_t> loop) {
  Passes passes;
  std::map<BlockNumber, std::vector<State>> pending;
  pending[entry].push_back(state);
  const auto route = [&](BlockNumber target, State&& next) {
    if (next.is_unreachable()) return;
    if (loop && target == entry) {
      passes.back.push_back(std::move(next));
    } else if (blocks.contains(target)) {
      pending[target].push_back(std::move(next));
    } else {
      passes.exits.emplace_back(target, std::move(next));
    }
  };
  for (const BlockNumber number : lifted_.flow.order) {
    const auto waiting = pending.find(number);
    if (waiting == pending.end()) continue;
    State current = merge(waiting->second, number);
    pending.erase(waiting);
    const auto inner = lifted_.flow.loop_at(number);
    if (inner && inner != loop) {
      for (auto& [target, next] : run_loop(*inner, current)) route(target, std::move(next));
      continue;
    }
    run_block(number, current);
    for (const Edge& edge : lifted_.flow.blocks[number].edges) {
      instruction_ = lifted_.flow.blocks[number].end - 1;
      auto next = follow(edge, current);
      if (!next || !edge.target) continue;
      if (!is_guessing()) record_edge(number, *edge.target, current, *next);
      route(*edge.target, std::move(*next));
    }
  }
  return passes;
}

Lifted lift(const ptx::Module& module, const ptx::Function& kernel, const Domain& domain,
            Terms& terms, Solver& solver) {
  return Executor(module, kernel, domain, terms, solver).run();
}

}  // namespace warpcheck::proof
