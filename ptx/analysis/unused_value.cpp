#include "ptx/analysis/unused_value.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "ptx/analysis/branch_sides.hpp"
#include "ptx/analysis/integer_value.hpp"
#include "ptx/analysis/registers.hpp"

namespace warpcheck::ptx::analysis {
namespace {

/// The values of registers in one thread, as far as they follow from its number.
class ThreadValues {
 public:
  ThreadValues(const Function& function, unsigned thread)
      : body_(function.body), writers_(function.registers.size()), thread_(thread) {
    for (std::size_t at = 0; at < body_.size(); ++at) {
      if (body_[at].operands.empty()) continue;
      for (const unsigned reg : written_registers(body_[at].operands.front())) {
        writers_[reg].push_back(at);
      }
    }
  }

  /// True if the thread does not execute the instruction.
  [[nodiscard]] bool is_skipped(const Instruction& instruction) const {
    if (!instruction.guard) return false;
    work_ = kMostWork;
    const Value guard = value(instruction.guard->index, kMostSteps);
    return guard && (*guard != 0) == instruction.guard->negated;
  }

 private:
  static constexpr int kMostSteps = 16;   // instructions between the number and a guard
  static constexpr int kMostWork = 4096;  // instructions for the value of a guard

  /// The value that all instructions give which write the register.
  [[nodiscard]] Value value(unsigned reg, int steps) const {
    Value joined;
    for (const std::size_t at : writers_[reg]) {
      if (steps == 0 || --work_ < 0) return std::nullopt;
      const Value one = result(body_[at], steps);
      if (!one || (joined && *joined != *one)) return std::nullopt;
      joined = one;
    }
    return joined;
  }

  [[nodiscard]] Value result(const Instruction& instruction, int steps) const {
    if (instruction.operands.size() < 2) return std::nullopt;
    std::vector<Value> sources;
    for (std::size_t i = 1; i < instruction.operands.size(); ++i) {
      sources.push_back(value(instruction.operands[i], steps - 1));
    }
    return integer_value(instruction, sources);
  }

  [[nodiscard]] Value value(const Operand& operand, int steps) const {
    if (const auto* const integer = std::get_if<Integer>(&operand)) return integer->bits;
    if (const auto* const special = std::get_if<SpecialRegister>(&operand)) {
      return special->name == "tid.x" ? Value(thread_) : std::nullopt;
    }
    const auto* const reg = std::get_if<Register>(&operand);
    if (reg == nullptr || reg->negated || reg->minus || !reg->part.empty()) return std::nullopt;
    return value(reg->index, steps);
  }

  const std::vector<Instruction>& body_;
  std::vector<std::vector<std::size_t>> writers_;  // instructions that write each register
  unsigned thread_;
  mutable int work_ = 0;  // instructions that remain
};

/// True if other lanes of the warp get the value, and no other thread does.
bool gives_to_lanes(const Instruction& instruction) {
  return has_mnemonic(instruction, {"shfl", "redux"});
}

/// The registers that may hold a value that depends on the load, in any order of execution.
class Dependents {
 public:
  Dependents(const Function& function, std::size_t load)
      : depends_(function.registers.size(), false) {
    add(function.body[load]);
  }

  [[nodiscard]] bool has_source(const Instruction& instruction) const {
    if (instruction.guard && depends_[instruction.guard->index]) return true;
    for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
      const bool is_result = i == 0 && (is_pure(instruction) || mnemonic(instruction) == "ld" ||
                                        gives_to_lanes(instruction));
      const std::vector<unsigned> read =
          is_result ? std::vector<unsigned>() : registers_of(instruction.operands[i]);
      if (std::any_of(read.begin(), read.end(), [&](unsigned reg) { return depends_[reg]; })) {
        return true;
      }
    }
    return false;
  }

  /// Adds the results of an instruction. False if they were added before.
  bool add(const Instruction& instruction) {
    bool is_new = false;
    for (const unsigned reg : written_registers(instruction.operands.front())) {
      is_new = is_new || !depends_[reg];
      depends_[reg] = true;
    }
    return is_new;
  }

 private:
  std::vector<bool> depends_;
};

enum class Use : std::uint8_t { none, by_lanes, by_others };

/// Finds who uses a value that one of some threads has loaded.
class Uses {
 public:
  Uses(const Function& function, std::size_t load, std::vector<ThreadValues> threads)
      : function_(function), threads_(std::move(threads)), dependents_(function, load) {}

  [[nodiscard]] Use find() {
    Use use = Use::none;
    for (changed_ = true; changed_;) {
      changed_ = false;
      for (std::size_t at = 0; at < function_.body.size(); ++at) {
        const Instruction& instruction = function_.body[at];
        if (!dependents_.has_source(instruction) || is_skipped(instruction)) continue;
        if (gives_to_lanes(instruction)) use = Use::by_lanes;
        const bool is_local = is_pure(instruction) || gives_to_lanes(instruction);
        if (is_local ? !add(instruction) : !add_sides(at)) return Use::by_others;
      }
    }
    return use;
  }

 private:
  [[nodiscard]] bool is_skipped(const Instruction& instruction) const {
    return std::all_of(threads_.begin(), threads_.end(),
                       [&](const ThreadValues& one) { return one.is_skipped(instruction); });
  }

  bool add(const Instruction& instruction) {
    changed_ = dependents_.add(instruction) || changed_;
    return true;
  }

  /// The value decides which way a branch takes. False if a way does more than compute.
  bool add_sides(std::size_t branch) {
    const auto sides = sides_of_branch(function_, branch);
    return sides && std::all_of(sides->begin(), sides->end(), [&](std::size_t at) {
             const Instruction& instruction = function_.body[at];
             return mnemonic(instruction) == "bra" || is_skipped(instruction) ||
                    (is_pure(instruction) && add(instruction));
           });
  }

  const Function& function_;
  std::vector<ThreadValues> threads_;
  Dependents dependents_;
  bool changed_ = false;
};

}  // namespace

bool is_value_unused(const Function& function, std::size_t load, unsigned thread) {
  constexpr unsigned kLanes = 32;
  if (load >= function.body.size() || mnemonic(function.body[load]) != "ld") return false;
  Use use = Uses(function, load, {ThreadValues(function, thread)}).find();
  if (use == Use::by_lanes) {
    std::vector<ThreadValues> warp;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      warp.emplace_back(function, thread / kLanes * kLanes + lane);
    }
    use = Uses(function, load, std::move(warp)).find();
  }
  return use != Use::by_others;
}

}  // namespace warpcheck::ptx::analysis
