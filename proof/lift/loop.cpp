// Loops. The values at the beginning of iteration t and the number of the last iteration are
// guessed from an execution of the body with fresh symbols. Then the body is executed with the
// guess, and the guess is confirmed: it holds in iteration 0, and iteration t leads to the values
// of iteration t + 1. What is not confirmed is dropped, and the body is executed again.
#include <algorithm>

#include "proof/lift/executor.hpp"
#include "proof/lift/recurrences.hpp"
#include "proof/poly/substitution.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::proof {
namespace {

constexpr int kMostAttempts = 6;

/// The conditions of a state that another path does not have and that do not follow from others.
std::vector<Formula> conditions_beyond(const State& state, const State& before) {
  std::vector<Formula> added;
  for (const Formula condition : state.decisive_path()) {
    if (std::find(before.path.begin(), before.path.end(), condition) == before.path.end()) {
      added.push_back(condition);
    }
  }
  return added;
}

}  // namespace

/// Empty if the loop is never repeated.
std::optional<Executor::LoopGuess> Executor::guess_values(std::size_t loop, const State& state) {
  const Loop& form = lifted_.flow.loops[loop];
  const BasicBlock& header = lifted_.flow.blocks[form.header];
  std::set<unsigned> changed;
  for (const BlockNumber number : form.blocks) {
    for (const unsigned reg : lifted_.flow.blocks[number].written) {
      if (header.live.contains(reg)) changed.insert(reg);
    }
  }
  const auto first_of_body = static_cast<SymbolId>(terms_.size());
  State first = state;
  std::map<unsigned, Polynomial> initial;
  std::map<unsigned, SymbolId> symbols;
  for (const unsigned reg : changed) {
    const auto* const start = state.value<Polynomial>(reg);
    first.registers.erase(reg);
    if (start == nullptr) continue;
    initial.emplace(reg, *start);
    const bool is_data = start->constant() || terms_.is_data(*start);
    const SymbolId symbol = terms_.add({.name = "x", .is_data = is_data});
    symbols.emplace(reg, symbol);
    first.registers.emplace(reg, Polynomial::of(symbol));
  }
  const Passes passes = run_blocks(form.blocks, form.header, first, loop);
  if (passes.back.empty()) return std::nullopt;
  const State after = merge(passes.back, form.header);
  LoopGuess guess;
  guess.iteration = terms_.add(
      {.name = "iteration", .kind = SymbolKind::iteration, .range = Interval{0, std::nullopt}});
  guess.values = Recurrences(terms_, initial, symbols, first_of_body, guess.iteration).solve(after);
  for (const unsigned reg : changed) {
    if (guess.values.contains(reg)) continue;
    const auto* const value = after.value<Polynomial>(reg);
    const auto most = value == nullptr ? std::nullopt : Limits(terms_, symbols, after).most(*value);
    if (most && symbols.contains(reg)) {
      guess.bounded.emplace(reg, *most);
    } else {
      guess.unknown.insert(reg);
    }
    if (value != nullptr && terms_.is_data(*value)) guess.data.insert(reg);
  }
  return guess;
}

State Executor::at_iteration(const State& state, const LoopGuess& guess) {
  State first = state;
  for (const auto& [reg, value] : guess.values) first.registers.insert_or_assign(reg, value);
  for (const auto& [reg, most] : guess.bounded) {
    first.registers.insert_or_assign(
        reg, terms_.unknown("a number of the loop", Level::thread, Interval{0, most}));
  }
  for (const unsigned reg : guess.unknown) {
    first.registers.erase(reg);
    auto value = guess.data.contains(reg) ? data_value(reg) : unknown_value(reg);
    if (value) first.registers.emplace(reg, *value);
  }
  const Polynomial t = Polynomial::of(guess.iteration);
  if (guess.last) first.assume(terms_, terms_.at_most(t, *guess.last));
  Substitution before(terms_, {{guess.iteration, t - 1}});
  for (const Formula condition : guess.repeats) {
    first.assume(terms_, terms_.any({terms_.equal(t, 0), before(condition)}));
  }
  if (guess.may_end_early) {
    const Formula repeats = terms_.unknown_truth("the loop is repeated", Level::thread);
    first.assume(terms_, terms_.any({terms_.equal(t, 0), repeats}));
  }
  return first;
}

/// The number of the last iteration of a loop that is repeated while a condition holds.
std::optional<Polynomial> Executor::last_iteration(Formula repeats, SymbolId iteration,
                                                   const State& state) {
  const bool is_negated = terms_.node(repeats).kind == FormulaKind::negation;
  const FormulaNode content =
      is_negated ? terms_.node(terms_.node(repeats).parts.front()) : terms_.node(repeats);
  const bool is_limit = content.kind == FormulaKind::at_most_zero && !is_negated;
  if (!is_limit && !(content.kind == FormulaKind::zero && is_negated)) return std::nullopt;
  const auto linear = content.polynomial.linear_in(iteration);
  if (!linear) return std::nullopt;
  std::optional<std::int64_t> step = linear->first.constant();
  Polynomial rest = linear->second;
  const std::vector<SymbolId> bases = terms_.bases(rest);
  if (!step || *step == 0 || std::binary_search(bases.begin(), bases.end(), iteration)) {
    return std::nullopt;
  }
  if (is_limit) {  // repeats while step t + rest <= 0
    if (*step < 0) return std::nullopt;
    const Polynomial last = terms_.floor_div(*step - rest, *step);
    const Formula runs = terms_.at_most(rest, *step);
    return implies(state, runs) ? last : terms_.choice(runs, last, 0);
  }
  if (*step < 0) {
    step = -*step;
    rest = -rest;
  }
  // Repeats while step t + rest != 0: ends if the step divides the rest.
  const Formula ends =
      terms_.all({terms_.at_most(rest, 0), terms_.equal(terms_.remainder(rest, *step), 0)});
  if (!implies(state, ends)) return std::nullopt;
  return terms_.floor_div(-rest, *step);
}

void Executor::guess_end(std::size_t loop, const State& state, LoopGuess& guess) {
  const Loop& form = lifted_.flow.loops[loop];
  const auto first_of_body = static_cast<SymbolId>(terms_.size());
  const Passes passes = run_blocks(form.blocks, form.header, at_iteration(state, guess), loop);
  if (passes.back.empty()) return;
  const auto is_known = [&](Formula condition) {
    const std::vector<SymbolId> bases = terms_.bases(condition);
    return bases.empty() || bases.back() < first_of_body;
  };
  std::vector<Formula> repeats;
  for (const State& back : passes.back) {
    repeats.push_back(terms_.all(conditions_beyond(back, state)));
  }
  const std::vector<Formula> leaves = passes.exits.size() == 1
                                          ? conditions_beyond(passes.exits.front().second, state)
                                          : std::vector<Formula>{};
  for (const Formula candidate : {terms_.negate(terms_.all(leaves)), terms_.any(repeats)}) {
    if (!guess.last && passes.exits.size() == 1 && is_known(candidate)) {
      guess.last = last_iteration(candidate, guess.iteration, state);
    }
  }
  State before_last = state;
  if (guess.last) {
    before_last.assume(terms_, terms_.less(Polynomial::of(guess.iteration), *guess.last));
  }
  for (const State& back : passes.back) {
    for (const Formula condition : conditions_beyond(back, state)) {
      if (guess.last && implies(before_last, condition)) continue;
      const bool is_common =
          std::all_of(passes.back.begin(), passes.back.end(), [&](const State& other) {
            return std::find(other.path.begin(), other.path.end(), condition) != other.path.end();
          });
      if (!is_common || !is_known(condition)) {
        guess.may_end_early = true;
      } else if (&back == &passes.back.front()) {
        guess.repeats.push_back(condition);
      }
    }
  }
}

/// Drops what does not hold; returns true if everything does.
bool Executor::confirm(const State& state, const Passes& passes, LoopGuess& guess) {
  const Polynomial t = Polynomial::of(guess.iteration);
  Substitution next(terms_, {{guess.iteration, t + 1}});
  bool confirmed = true;
  for (auto entry = guess.values.begin(); entry != guess.values.end();) {
    const Polynomial expected = next(entry->second);
    const bool holds = std::all_of(passes.back.begin(), passes.back.end(), [&](const State& back) {
      const auto* const value = back.value<Polynomial>(entry->first);
      return value != nullptr &&
             (*value == expected || implies(back, terms_.equal(*value, expected)));
    });
    if (holds) {
      ++entry;
      continue;
    }
    confirmed = false;
    guess.unknown.insert(entry->first);
    entry = guess.values.erase(entry);
  }
  for (auto entry = guess.bounded.begin(); entry != guess.bounded.end();) {
    const auto is_within = [&](const State& one) {
      const auto* const value = one.value<Polynomial>(entry->first);
      return value != nullptr && implies(one, terms_.within(*value, 0, entry->second));
    };
    if (is_within(state) && std::all_of(passes.back.begin(), passes.back.end(), is_within)) {
      ++entry;
      continue;
    }
    confirmed = false;
    guess.unknown.insert(entry->first);
    entry = guess.bounded.erase(entry);
  }
  if (guess.last) {
    const auto continues = [&](const State& back) {
      return implies(back, terms_.less(t, *guess.last));
    };
    const bool holds = passes.exits.size() == 1 && implies(state, terms_.at_most(0, *guess.last)) &&
                       std::all_of(passes.back.begin(), passes.back.end(), continues) &&
                       implies(passes.exits.front().second, terms_.equal(t, *guess.last));
    if (!holds) {
      guess.last.reset();
      guess.may_end_early = true;
    }
    confirmed = confirmed && holds;
  }
  const auto removed = std::erase_if(guess.repeats, [&](Formula condition) {
    return !std::all_of(passes.back.begin(), passes.back.end(),
                        [&](const State& back) { return implies(back, condition); });
  });
  guess.may_end_early = guess.may_end_early || removed != 0;
  return confirmed && removed == 0;
}

/// The threads of a block, or the lanes of a warp, have to agree on another iteration of a loop in
/// which they meet.
void Executor::record_repetition(std::size_t loop, const Passes& passes, bool has_warp_points) {
  std::vector<Formula> repeats;
  for (const State& back : passes.back) repeats.push_back(terms_.all(back.decisive_path()));
  Barrier repetition{{terms_.any(repeats)}, loops_, instruction_};
  repetition.loops.push_back(loop);
  if (has_warp_points) {
    lifted_.warp_points.push_back({repetition.path, repetition.loops, instruction_});
  }
  if (lifted_.flow.loops[loop].has_barrier) lifted_.repetitions[loop] = std::move(repetition);
}

/// True if the last iteration is known, or if a condition of each repetition limits the iteration.
bool Executor::has_limit(const LoopGuess& guess) const {
  if (guess.last) return true;
  return std::any_of(guess.repeats.begin(), guess.repeats.end(), [&](Formula condition) {
    const FormulaNode& content = terms_.node(condition);
    const auto linear = content.polynomial.linear_in(guess.iteration);
    if (content.kind != FormulaKind::at_most_zero || !linear) return false;
    const auto step = linear->first.constant();
    const std::vector<SymbolId> bases = terms_.bases(linear->second);
    return step && *step > 0 && !std::binary_search(bases.begin(), bases.end(), guess.iteration) &&
           (bases.empty() || bases.back() < guess.iteration);
  });
}

/// True if no condition ends the loop in some of its iterations before the last one.
bool Executor::runs_all(const LoopGuess& guess) const {
  return guess.last && !guess.may_end_early &&
         std::none_of(guess.repeats.begin(), guess.repeats.end(), [&](Formula condition) {
           const std::vector<SymbolId> bases = terms_.bases(condition);
           return std::binary_search(bases.begin(), bases.end(), guess.iteration);
         });
}

/// The states after the loop.
Executor::Exits Executor::leave(std::size_t loop, const State& state, const LoopGuess& guess,
                                Passes& passes) {
  Exits left;
  for (auto& [target, exit] : passes.exits) {
    Polynomial last;
    State next;
    next.given = state.given;
    if (guess.last) {
      last = *guess.last;
      next.path = state.path;
    } else {
      const SymbolId symbol = terms_.add({.name = "last iteration",
                                          .kind = SymbolKind::iteration,
                                          .range = Interval{0, std::nullopt}});
      last = Polynomial::of(symbol);
      if (!is_guessing() && passes.exits.size() == 1) lifted_.loops[loop].last_iteration = symbol;
    }
    Substitution at_end(terms_, {{guess.iteration, last}});
    if (!guess.last && passes.exits.size() > 1) {
      for (const Formula condition : exit.path) next.assume(terms_, at_end(condition));
    } else if (!guess.last) {  // whatever the last iteration of a thread is
      next.path = state.path;
      std::vector<Formula> conditions;
      for (const Formula condition : exit.path) conditions.push_back(at_end(condition));
      terms_.add_fact(last.symbols().front(),
                      terms_.any({terms_.negate(terms_.all(state.path)), terms_.all(conditions)}));
    }
    // The path lacks the conditions of earlier iterations under which others have ended.
    if (lifted_.flow.loops[loop].ends_threads) {
      next.assume(terms_, terms_.unknown_truth("the thread leaves the loop", Level::thread));
    }
    for (const auto& [reg, value] : exit.registers) {
      if (const auto* number = std::get_if<Polynomial>(&value)) {
        next.registers.emplace(reg, at_end(*number));
      } else if (const auto* formula = std::get_if<Formula>(&value)) {
        next.registers.emplace(reg, at_end(*formula));
      } else {
        next.registers.emplace(reg, value);
      }
    }
    if (!next.is_unreachable()) left.emplace_back(target, std::move(next));
  }
  return left;
}

/// A loop whose body runs once: its blocks are executed as if there were no loop.
Executor::Exits Executor::run_once(std::size_t loop, const State& state) {
  if (!is_guessing()) {
    lifted_.loops[loop] = {
        .iteration = terms_.add(
            {.name = "iteration", .kind = SymbolKind::iteration, .range = Interval{0, 0}}),
        .last = Polynomial(0),
        .runs_all = true};
  }
  const Loop& form = lifted_.flow.loops[loop];
  loops_.push_back(loop);
  Passes passes = run_blocks(form.blocks, form.header, state, loop);
  loops_.pop_back();
  if (!passes.back.empty()) throw Unsupported("the number of iterations of a loop is not found");
  return std::move(passes.exits);
}

/// The iterations of a loop whose conditions are all constants, such as one over the powers of two
/// below the number of threads; empty if there are conditions of another kind, or many iterations.
std::optional<std::int64_t> Executor::count_iterations(std::size_t loop, State state) {
  constexpr std::int64_t kMostIterations = 16;
  const Loop& form = lifted_.flow.loops[loop];
  const bool has_inner_loop =
      std::any_of(lifted_.flow.loops.begin(), lifted_.flow.loops.end(), [&](const Loop& other) {
        return other.header != form.header && form.blocks.contains(other.header);
      });
  const auto copies = [&](BlockNumber number) {
    const BasicBlock& block = lifted_.flow.blocks[number];
    return std::any_of(kernel_.body.begin() + static_cast<std::ptrdiff_t>(block.begin),
                       kernel_.body.begin() + static_cast<std::ptrdiff_t>(block.end),
                       [](const auto& one) { return ptx::analysis::has_mnemonic(one, {"cp"}); });
  };
  const bool has_copies = std::any_of(form.blocks.begin(), form.blocks.end(), copies);
  if (has_inner_loop || has_copies || form.ends_threads) return std::nullopt;
  ++guessing_;
  std::optional<std::int64_t> count;
  for (std::int64_t done = 1; done <= kMostIterations; ++done) {
    Passes passes = run_blocks(form.blocks, form.header, state, loop);
    if (passes.back.empty() && !passes.exits.empty()) count = done;
    if (passes.back.size() != 1 || !passes.exits.empty()) break;
    state = std::move(passes.back.front());
  }
  --guessing_;
  return count;
}

/// Executes each iteration with its number.
Executor::Exits Executor::unroll(std::size_t loop, State state, std::int64_t count) {
  const Loop form = lifted_.flow.loops[loop];
  const std::size_t points = lifted_.warp_points.size();
  const SymbolId iteration = terms_.add(
      {.name = "iteration", .kind = SymbolKind::iteration, .range = Interval{0, count - 1}});
  lifted_.loops[loop] = {.iteration = iteration, .last = Polynomial(count - 1), .runs_all = true};
  std::erase_if(lifted_.barriers, [&](const auto& one) { return form.blocks.contains(one.first); });
  std::erase_if(lifted_.edges,
                [&](const auto& one) { return form.blocks.contains(one.first.first); });
  is_unrolling_ = true;
  loops_.push_back(loop);
  Passes all;
  for (std::int64_t t = 0; t < count; ++t) {
    const Formula is_now = terms_.equal(Polynomial::of(iteration), t);
    state.assume(terms_, is_now);
    Passes passes = run_blocks(form.blocks, form.header, state, loop);
    const bool is_last = t + 1 == count;
    if (passes.back.size() != (is_last ? 0U : 1U) || passes.exits.empty() == is_last) {
      throw Unsupported("the number of iterations of a loop is not found");
    }
    if (is_last) {
      for (auto& [target, exit] : passes.exits) std::erase(exit.path, is_now);
      all.exits = std::move(passes.exits);
      break;
    }
    all.back.push_back(passes.back.front());
    state = std::move(passes.back.front());
    std::erase(state.path, is_now);
  }
  loops_.pop_back();
  is_unrolling_ = false;
  record_repetition(loop, all, lifted_.warp_points.size() > points);
  return std::move(all.exits);
}

Executor::Exits Executor::run_loop(std::size_t loop, const State& state) {
  const Loop form = lifted_.flow.loops[loop];
  ++guessing_;
  std::optional<LoopGuess> guess = guess_values(loop, state);
  if (guess) guess_end(loop, state, *guess);
  --guessing_;
  if (!guess) return run_once(loop, state);
  if (!guess->last) {
    const auto count = count_iterations(loop, state);
    if (count && !is_guessing()) return unroll(loop, state, *count);
  }
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    const Lifted::Sizes recorded = lifted_.sizes();
    if (!is_guessing()) {
      lifted_.loops[loop] = {.iteration = guess->iteration, .last = guess->last};
    }
    loops_.push_back(loop);
    Passes passes = run_blocks(form.blocks, form.header, at_iteration(state, *guess), loop);
    loops_.pop_back();
    const bool is_repeated = is_guessing() || !passes.back.empty();
    if (is_repeated && (is_guessing() || confirm(state, passes, *guess))) {
      if (!is_guessing()) {
        record_repetition(loop, passes, lifted_.warp_points.size() > recorded.warp_points);
        lifted_.loops[loop].ends = has_limit(*guess);
        lifted_.loops[loop].runs_all = runs_all(*guess);
      }
      return leave(loop, state, *guess, passes);
    }
    lifted_.resize(recorded);
    if (!is_repeated) return run_once(loop, state);
  }
  throw Unsupported("the values of a loop are not found");
}

}  // namespace warpcheck::proof
