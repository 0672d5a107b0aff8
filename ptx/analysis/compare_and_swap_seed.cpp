#include "ptx/analysis/compare_and_swap_seed.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ptx/analysis/registers.hpp"

namespace warpcheck::ptx::analysis {
namespace {

using Index = std::size_t;  // index of an instruction in the function

/// Instructions without a result that have no effect on memory.
constexpr std::array<std::string_view, 4> kHarmless = {"bra", "fence", "membar", "nanosleep"};

template <std::size_t size>
bool contains(const std::array<std::string_view, size>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// A value that depends on the value of the load.
struct Stale {
  enum class Kind : unsigned char {
    result,  // result of the compare-and-swap `number`, which no longer depends on the load
    // Guess `number`: the loaded value, or one of several values that include it.
    guess,
    derived,    // computed from guess `number` and from values that do not depend on the load
    confirmed,  // predicate: the compare-and-swap `number` has found its guess in memory
    refuted,    // predicate: the compare-and-swap `number` has found another value
    mixed,
  };
  Kind kind = Kind::mixed;
  std::size_t number = 0;

  friend bool operator==(const Stale&, const Stale&) = default;
};

/// The state before an instruction.
struct State {
  std::map<unsigned, Stale> values;  // values by register
  // The compare-and-swap whose guess is not confirmed yet, and the number of its guess.
  std::optional<Index> swap;
  std::size_t guess = 0;
  bool has_failed = false;  // the guess was refuted

  friend bool operator==(const State&, const State&) = default;
};

/// Follows the value through the function, until the value is used or no state changes.
class Follower {
 public:
  Follower(const Function& function, Index load) : function_(function), load_(load) {}

  bool run() {
    if (load_ >= function_.body.size() || function_.body[load_].parts.front() != "ld") return false;
    State state;
    load(load_, function_.body[load_], state);
    enter(load_ + 1, load_, state);
    constexpr int kMostSteps = 100'000;
    for (int steps = 0; !changed_.empty() && !is_used_; ++steps) {
      if (steps == kMostSteps) return false;
      const Index at = *changed_.begin();
      changed_.erase(changed_.begin());
      step(at, joined(at));
    }
    return !is_used_;
  }

 private:
  // Index of the target instruction, then of the instruction before it.
  using Edge = std::pair<Index, Index>;
  using Kind = Stale::Kind;

  void enter(Index to, Index from, const State& state) {
    const auto [at, is_new] = states_.try_emplace(Edge{to, from}, state);
    if (!is_new && at->second == state) return;
    at->second = state;
    changed_.insert(to);
  }

  [[nodiscard]] static const Stale* find(const State& state, unsigned reg) {
    const auto found = state.values.find(reg);
    return found != state.values.end() ? &found->second : nullptr;
  }

  /// The state before an instruction, joined from the states of all edges to it.
  State joined(Index at) {
    auto edge = states_.lower_bound(Edge{at, 0});
    State state = edge->second;
    for (++edge; edge != states_.end() && edge->first.first == at; ++edge) {
      join(state, edge->second, at);
    }
    return state;
  }

  void join(State& state, const State& other, Index at) {
    std::set<unsigned> registers;
    for (const State* const each : {&std::as_const(state), &other}) {
      for (const auto& [reg, value] : each->values) registers.insert(reg);
    }
    for (const unsigned reg : registers) {
      const auto value = joined({state, find(state, reg)}, {other, find(other, reg)}, at, reg);
      if (value) {
        state.values[reg] = *value;
      } else {
        state.values.erase(reg);
      }
    }
    const bool alike = state.swap == other.swap && state.guess == other.guess &&
                       state.has_failed == other.has_failed;
    const bool has_one = state.swap.has_value() != other.swap.has_value();
    if (!alike && !(has_one && (state.has_failed || other.has_failed))) is_used_ = true;
    if (!other.swap) return;
    state.swap = other.swap;
    state.guess = other.guess;
    state.has_failed = other.has_failed;
  }

  struct Joined {
    const State& state;
    const Stale* value;
  };
  /// The value of a register that holds `first` or `second`; a null value does not depend on the
  /// load. A result stays a result where a compare-and-swap has failed, because other states do not
  /// use it.
  [[nodiscard]] std::optional<Stale> joined(const Joined& first, const Joined& second, Index at,
                                            unsigned reg) const {
    const Stale* const one = first.value;
    const Stale* const other = second.value;
    if (one != nullptr && other != nullptr && *one == *other) return *one;
    const auto is = [](const Stale* value, Kind kind) {
      return value == nullptr || value->kind == Kind::result || value->kind == kind;
    };
    if (is(one, Kind::result) && is(other, Kind::result)) {
      if (one != nullptr && other == nullptr && !second.state.swap) return *one;
      if (other != nullptr && one == nullptr && !first.state.swap) return *other;
      return std::nullopt;
    }
    if (is(one, Kind::guess) && is(other, Kind::guess)) {
      return Stale{Kind::guess, first_joined_ + at * function_.registers.size() + reg};
    }
    const bool is_single = is(one, Kind::result) || is(other, Kind::result);
    const Stale* const only = is(one, Kind::result) ? other : one;
    if (is_single && only->kind == Kind::derived) return *only;
    return Stale{};
  }

  /// The value of a pure instruction with these sources.
  [[nodiscard]] static std::optional<Stale> computed(const State& state,
                                                     const std::vector<unsigned>& sources) {
    std::optional<Stale> result;
    for (const unsigned reg : sources) {
      const Stale* const value = find(state, reg);
      if (value == nullptr || value->kind == Kind::result) continue;
      const bool is_derived = value->kind == Kind::guess || value->kind == Kind::derived;
      const Stale added = is_derived ? Stale{Kind::derived, value->number} : Stale{};
      result = result && *result != added ? Stale{} : added;
    }
    return result;
  }

  /// The predicate of a comparison of the guess with the value that the compare-and-swap returned.
  /// Floating-point numbers may be equal although their bits differ.
  [[nodiscard]] static std::optional<Stale> comparison(const State& state,
                                                       const Instruction& instruction) {
    const auto& operands = instruction.operands;
    const auto& parts = instruction.parts;
    const bool is_plain = parts.front() == "setp" && parts.size() == 3 && operands.size() == 3 &&
                          (parts[1] == "eq" || parts[1] == "ne") && parts[2].front() != 'f' &&
                          parts[2] != "bf16";
    if (!is_plain || !state.swap || state.has_failed) return std::nullopt;
    const auto is = [&](const Operand& operand, const Stale& expected) {
      const auto* const reg = std::get_if<Register>(&operand);
      const Stale* const value = reg != nullptr ? find(state, reg->index) : nullptr;
      return value != nullptr && *value == expected;
    };
    const Stale guess{Kind::guess, state.guess};
    const Stale result{Kind::result, *state.swap};
    const bool compares = (is(operands[1], guess) && is(operands[2], result)) ||
                          (is(operands[1], result) && is(operands[2], guess));
    if (!compares) return std::nullopt;
    return Stale{parts[1] == "eq" ? Kind::confirmed : Kind::refuted, *state.swap};
  }

  /// True if one of the registers depends on the load.
  [[nodiscard]] static bool is_any_stale(const State& state,
                                         const std::vector<unsigned>& registers) {
    return std::any_of(registers.begin(), registers.end(), [&](unsigned reg) {
      const Stale* const value = find(state, reg);
      return value != nullptr && value->kind != Kind::result;
    });
  }

  [[nodiscard]] static std::vector<unsigned> sources_of(const Instruction& instruction,
                                                        std::size_t first) {
    std::vector<unsigned> sources;
    for (std::size_t i = first; i < instruction.operands.size(); ++i) {
      const auto more = registers_of(instruction.operands[i]);
      sources.insert(sources.end(), more.begin(), more.end());
    }
    return sources;
  }

  static void set(State& state, const std::vector<unsigned>& registers,
                  const std::optional<Stale>& value) {
    for (const unsigned reg : registers) {
      state.values.erase(reg);
      if (value) state.values[reg] = *value;
    }
  }

  /// Executes the instruction, or enters the state after it.
  void step(Index at, State state) {
    if (is_used_) return;
    if (at >= function_.body.size()) return end(state);
    const Instruction& instruction = function_.body[at];
    const std::string& name = instruction.parts.front();
    if (name == "bra") return branch(at, state);
    const bool is_guarded = instruction.guard.has_value();
    if (is_guarded && is_any_stale(state, {instruction.guard->index})) return use();
    const State before = state;
    if (is_pure(instruction)) {
      compute(instruction, state);
    } else if (name == "ld") {
      load(at, instruction, state);
    } else if (name == "atom" && has_modifier(instruction, "cas")) {
      swap(at, instruction, state);
      if (is_guarded && state.swap == at) return use();
    } else if (!contains(kHarmless, name)) {
      if (state.swap || is_any_stale(state, sources_of(instruction, 0))) return use();
      if (name == "ret" || name == "exit" || name == "trap") {
        if (!is_guarded) return;
      } else if (!instruction.operands.empty()) {
        set(state, registers_of(instruction.operands.front()), std::nullopt);
      }
    }
    if (is_guarded) join(state, before, function_.body.size() + 1 + at);
    if (!is_used_) enter(at + 1, at, state);
  }

  void compute(const Instruction& instruction, State& state) const {
    const auto results = registers_of(instruction.operands.front());
    std::optional<Stale> value = comparison(state, instruction);
    const auto* const source = instruction.parts.front() == "mov" && results.size() == 1
                                   ? std::get_if<Register>(&instruction.operands[1])
                                   : nullptr;
    if (source != nullptr) {
      if (const Stale* const copied = find(state, source->index)) value = *copied;
    } else if (!value) {
      value = computed(state, sources_of(instruction, 1));
    }
    set(state, results, value);
  }

  void load(Index at, const Instruction& instruction, State& state) {
    if (is_any_stale(state, sources_of(instruction, 1))) return use();
    std::size_t guess = 0;
    for (const unsigned reg : registers_of(instruction.operands.front())) {
      set(state, {reg}, at == load_ ? std::optional(Stale{Kind::guess, guess++}) : std::nullopt);
    }
  }

  /// Executes `d, [address], compare, swap`.
  void swap(Index at, const Instruction& instruction, State& state) {
    const auto& operands = instruction.operands;
    const auto* const compared = std::get_if<Register>(&operands[2]);
    const Stale* const found = compared != nullptr ? find(state, compared->index) : nullptr;
    const std::optional<Stale> guess = found != nullptr ? std::optional(*found) : std::nullopt;
    const auto swapped = computed(state, registers_of(operands[3]));
    if (is_any_stale(state, registers_of(operands[1]))) return use();
    const auto results = registers_of(operands[0]);
    if (!guess || guess->kind == Kind::result) {
      if (swapped) return use();
      // A retry with the value that the failed one returned, in a loop of which a compiler peeled a
      // turn.
      const bool retries = state.swap && state.has_failed && guess &&
                           guess->number == *state.swap &&
                           function_.body[*state.swap].operands[1] == operands[1];
      if (state.swap && state.swap != at && !retries) return use();
      if (state.swap && !state.has_failed) return use();
      forget_swap(state);
      return set(state, results, std::nullopt);
    }
    const bool is_of_guess = !swapped || *swapped == Stale{Kind::derived, guess->number};
    const bool may_retry = !state.swap || (state.has_failed && state.swap == at);
    if (guess->kind != Kind::guess || !is_of_guess || !may_retry) return use();
    std::erase_if(state.values, [](const auto& value) {
      return value.second.kind == Kind::result || value.second.kind == Kind::confirmed ||
             value.second.kind == Kind::refuted;
    });
    state.swap = at;
    state.guess = guess->number;
    state.has_failed = false;
    set(state, results, Stale{Kind::result, at});
  }

  static void forget_swap(State& state) {
    state.swap.reset();
    state.guess = 0;
    state.has_failed = false;
  }

  void branch(Index at, const State& state) {
    const Instruction& instruction = function_.body[at];
    const auto* const label = std::get_if<Label>(&instruction.operands.front());
    if (label == nullptr) return use();
    const Index target = function_.labels[label->index].target;
    if (!instruction.guard) return enter(target, at, state);
    const Stale* const predicate = find(state, instruction.guard->index);
    if (predicate == nullptr || predicate->kind == Kind::result) {
      enter(target, at, state);
      return enter(at + 1, at, state);
    }
    const bool decides = (predicate->kind == Kind::confirmed || predicate->kind == Kind::refuted) &&
                         state.swap == predicate->number && !state.has_failed;
    if (!decides) return use();
    const bool is_found = (predicate->kind == Kind::confirmed) != instruction.guard->negated;
    enter(target, at, is_found ? after_success(state) : after_failure(state));
    enter(at + 1, at, is_found ? after_failure(state) : after_success(state));
  }

  /// The guess, and all values computed from it, then count as read from memory.
  static State after_success(State state) {
    std::erase_if(state.values, [&](const auto& value) {
      const Stale& stale = value.second;
      const bool is_of_guess = stale.kind == Kind::guess || stale.kind == Kind::derived;
      return is_of_guess ? stale.number == state.guess : stale.kind != Kind::mixed;
    });
    forget_swap(state);
    return state;
  }

  /// The function must try again before it ends.
  static State after_failure(State state) {
    std::erase_if(state.values, [](const auto& value) {
      return value.second.kind == Kind::confirmed || value.second.kind == Kind::refuted;
    });
    state.has_failed = true;
    state.guess = 0;
    return state;
  }

  void end(const State& state) { is_used_ = is_used_ || state.swap.has_value(); }
  void use() { is_used_ = true; }

  const Function& function_;
  Index load_;
  std::size_t first_joined_ = 16;  // larger than the number of members of a vector
  std::map<Edge, State> states_;
  std::set<Index> changed_;
  bool is_used_ = false;
};

}  // namespace

bool only_seeds_compare_and_swap(const Function& function, std::size_t load) {
  return Follower(function, load).run();
}

}  // namespace warpcheck::ptx::analysis
