// The symbolic execution of one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "proof/domain/domain.hpp"
#include "proof/lift/lifted.hpp"
#include "proof/lift/state.hpp"
#include "proof/solve/solver.hpp"
#include "ptx/module.hpp"

namespace warpcheck::proof {

/// An integer type of PTX.
struct IntegerType {
  unsigned width = 32;
  bool is_signed = true;
};

[[nodiscard]] std::optional<IntegerType> integer_type(ptx::Type type);

/// The numbers of "m16n8k32".
struct Shape {
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

[[nodiscard]] std::optional<Shape> shape_of(const ptx::Instruction& instruction);

[[noreturn]] void throw_not_covered(const ptx::Instruction& instruction);

/// The space of an instruction; empty: its addresses are generic.
[[nodiscard]] std::optional<MemorySpace> space_of(const ptx::Instruction& instruction);

class Executor {
 public:
  Executor(const ptx::Module& module, const ptx::Function& kernel, const Domain& domain,
           Terms& terms, Solver& solver);

  [[nodiscard]] Lifted run();

 private:
  using Exits = std::vector<std::pair<BlockNumber, State>>;  // states that leave some blocks
  struct Passes {
    std::vector<State> back;  // states that return to the header of the loop
    Exits exits;
  };

  // execute.cpp: blocks and branches.
  [[nodiscard]] Passes run_blocks(const std::set<BlockNumber>& blocks, BlockNumber entry,
                                  const State& state, std::optional<std::size_t> loop);
  void run_block(BlockNumber number, State& state);
  [[nodiscard]] std::optional<State> follow(const Edge& edge, const State& state);
  void record_edge(BlockNumber number, BlockNumber target, const State& before, const State& after);
  [[nodiscard]] State merge(const std::vector<State>& states, BlockNumber block);
  [[nodiscard]] std::optional<Value> merged_value(unsigned reg, const std::vector<State>& states,
                                                  const std::vector<Formula>& conditions);

  // loop.cpp: loops.
  using Registers = std::map<unsigned, Polynomial>;
  struct LoopGuess {
    Registers values;                          // values at the beginning of iteration t
    std::map<unsigned, std::int64_t> bounded;  // registers from 0 to a number in each iteration
    std::set<unsigned> unknown;                // registers that the loop changes in another way
    std::set<unsigned> data;                   // those of them that it computes from data
    std::optional<Polynomial> last;
    std::vector<Formula> repeats;  // conditions on t with which the loop is repeated
    bool may_end_early = false;    // other conditions, such as data, end the loop
    SymbolId iteration = 0;
  };
  [[nodiscard]] Exits run_loop(std::size_t loop, const State& state);
  [[nodiscard]] Exits run_once(std::size_t loop, const State& state);
  [[nodiscard]] std::optional<std::int64_t> count_iterations(std::size_t loop, State state);
  [[nodiscard]] Exits unroll(std::size_t loop, State state, std::int64_t count);
  [[nodiscard]] std::optional<LoopGuess> guess_values(std::size_t loop, const State& state);
  void guess_end(std::size_t loop, const State& state, LoopGuess& guess);
  [[nodiscard]] State at_iteration(const State& state, const LoopGuess& guess);
  [[nodiscard]] bool confirm(const State& state, const Passes& passes, LoopGuess& guess);
  [[nodiscard]] bool has_limit(const LoopGuess& guess) const;
  [[nodiscard]] bool runs_all(const LoopGuess& guess) const;
  void record_repetition(std::size_t loop, const Passes& passes, bool has_warp_points);
  [[nodiscard]] Exits leave(std::size_t loop, const State& state, const LoopGuess& guess,
                            Passes& passes);
  [[nodiscard]] std::optional<Polynomial> last_iteration(Formula repeats, SymbolId iteration,
                                                         const State& state);

  // operands.cpp: reading and writing registers.
  [[nodiscard]] Value special_register(const std::string& name);
  [[nodiscard]] Value cluster_register(const std::string& name, std::size_t axis);
  [[nodiscard]] std::optional<Value> operand_value(const ptx::Operand& operand, const State& state);
  [[nodiscard]] Polynomial integer(const ptx::Operand& operand, const State& state);
  [[nodiscard]] Polynomial source(const ptx::Instruction& instruction, std::size_t index,
                                  const State& state);
  [[nodiscard]] Formula predicate(const ptx::Operand& operand, const State& state);
  [[nodiscard]] Polynomial observed(const Polynomial& value, IntegerType type, const State& state);
  [[nodiscard]] Polynomial observed(const ptx::Instruction& instruction, std::size_t index,
                                    IntegerType type, const State& state);
  [[nodiscard]] Polynomial unknown_integer(const std::string& name, unsigned width);
  [[nodiscard]] std::optional<Value> unknown_value(unsigned reg);
  [[nodiscard]] std::optional<Value> data_value(unsigned reg);
  [[nodiscard]] Polynomial wide_data(IntegerType type);
  [[nodiscard]] Polynomial variable_address(const ptx::Symbol& symbol);
  [[nodiscard]] Polynomial window(MemorySpace space);
  [[nodiscard]] Polynomial converted_address(const ptx::Instruction& instruction,
                                             const State& state);
  [[nodiscard]] MemorySpace space_of_base(SymbolId base) const;
  void put(const ptx::Instruction& instruction, std::optional<Value> value, State& state);
  void put_register(unsigned reg, std::optional<Value> value, Formula guard, State& state);
  void forget_results(const ptx::Instruction& instruction, State& state);
  [[nodiscard]] bool moves_bits_of_float(const ptx::Instruction& instruction) const;
  [[nodiscard]] bool reads_only_data(const ptx::Instruction& instruction, const State& state) const;

  // instructions.cpp: the meaning of instructions without effects on memory.
  void step(const ptx::Instruction& instruction, State& state);
  void meet_in_warp(const ptx::Instruction& instruction, const State& state);
  [[nodiscard]] std::optional<Value> result(const ptx::Instruction& instruction, State& state);
  [[nodiscard]] std::optional<Value> arithmetic(const ptx::Instruction& instruction,
                                                IntegerType type, State& state);
  [[nodiscard]] std::optional<Value> conversion(const ptx::Instruction& instruction,
                                                const State& state);
  [[nodiscard]] std::optional<Value> shift_right(const ptx::Instruction& instruction,
                                                 IntegerType type, const State& state);
  [[nodiscard]] std::optional<Value> high_product(const ptx::Instruction& instruction,
                                                  IntegerType type, const State& state);
  [[nodiscard]] Polynomial without_reciprocal(const Polynomial& quotient, const State& state);
  [[nodiscard]] std::optional<Value> division(const ptx::Instruction& instruction, IntegerType type,
                                              State& state);
  [[nodiscard]] std::optional<Polynomial> quotient(const Polynomial& dividend,
                                                   const Polynomial& divisor, State& state);
  [[nodiscard]] Polynomial quotient_by_size(const Polynomial& dividend, const Polynomial& divisor,
                                            State& state);
  [[nodiscard]] std::optional<Value> selection(const ptx::Instruction& instruction,
                                               const State& state);
  void compare(const ptx::Instruction& instruction, State& state);
  [[nodiscard]] Formula comparison(const ptx::Instruction& instruction, const State& state);
  [[nodiscard]] std::optional<Formula> integer_comparison(const ptx::Instruction& instruction,
                                                          IntegerType type, const State& state);
  [[nodiscard]] std::optional<Formula> scalar_comparison(const ptx::Instruction& instruction,
                                                         const State& state);

  // bits.cpp: and, or, xor, fields of bits, and registers that consist of others.
  [[nodiscard]] std::optional<Value> bitwise(const ptx::Instruction& instruction,
                                             const State& state);
  [[nodiscard]] std::optional<Value> inserted_bits(const ptx::Instruction& instruction,
                                                   const State& state);
  [[nodiscard]] std::optional<Value> packed(const ptx::Vector& parts, const State& state);
  void unpack(const ptx::Instruction& instruction, State& state);
  [[nodiscard]] std::optional<Polynomial> masked(const Polynomial& value, std::uint64_t mask,
                                                 unsigned width, const State& state);
  [[nodiscard]] std::optional<Polynomial> selected_bits(const Polynomial& value,
                                                        std::uint64_t mask);
  [[nodiscard]] std::optional<Polynomial> disjoint_bits(const Polynomial& left,
                                                        const Polynomial& right,
                                                        const State& state);
  [[nodiscard]] Polynomial signed_bits(const std::string& operation, const Polynomial& left,
                                       const Polynomial& right, unsigned width);
  [[nodiscard]] std::optional<int> small_bits(const Polynomial& value, const State& state);
  [[nodiscard]] std::optional<Polynomial> small_bitwise(const std::string& operation,
                                                        const Polynomial& left,
                                                        const Polynomial& right,
                                                        const State& state);

  // memory.cpp: accesses.
  [[nodiscard]] bool access_memory(const ptx::Instruction& instruction, State& state);
  void load_parameter(const ptx::Instruction& instruction, State& state);
  void copy_asynchronously(const ptx::Instruction& instruction, const State& state);
  void load_results(const ptx::Instruction& instruction, std::optional<SymbolId> base,
                    State& state);
  void require_unwritten_limits() const;
  void limit(const Polynomial& value, unsigned reg, ptx::Type type, const Buffer& buffer);
  struct Place {
    MemorySpace space = MemorySpace::global;
    Polynomial offset;  // bytes from the base; the whole address if there is no base
    std::optional<SymbolId> base = {};
  };
  [[nodiscard]] Place base_of(const Polynomial& address, std::optional<MemorySpace> space) const;
  [[nodiscard]] Polynomial address(const ptx::Operand& operand, const State& state);
  [[nodiscard]] Polynomial without_wraps(const Polynomial& address, const State& state);
  /// `space`: that of the instruction; empty: its address is generic.
  void record(Access access, const Polynomial& address, std::optional<MemorySpace> space,
              const State& state);
  /// Adds an access whose place is set.
  void add_access(Access access, const State& state);

  // matrices.cpp: instructions of whole warps.
  [[nodiscard]] bool execute_by_warp(const ptx::Instruction& instruction, State& state);
  void record_warp_point(std::vector<Polynomial> same, const State& state,
                         bool has_all_lanes = true, std::int64_t threads = kLanes);
  void access_rows(const ptx::Instruction& instruction, const State& state, State guarded);
  [[nodiscard]] std::vector<Polynomial> access_tile(const ptx::Instruction& instruction,
                                                    const State& state, const State& guarded);

  // warpgroup.cpp: instructions of whole warpgroups.
  [[nodiscard]] bool execute_by_warpgroup(const ptx::Instruction& instruction, State& state);
  void require_warpgroup(const ptx::Instruction& instruction, const State& guarded);
  void multiply_matrices(const ptx::Instruction& instruction, State& state, const State& guarded);
  void read_matrix(const Polynomial& descriptor, std::int64_t lines, std::int64_t k, bool by_lines,
                   const State& guarded);
  [[nodiscard]] Polynomial without_divisions(const Polynomial& value, const State& state);

  // bulk.cpp: copies through tensor maps, mbarrier objects and clusters of blocks.
  [[nodiscard]] bool execute_bulk(const ptx::Instruction& instruction, State& state);
  void copy_box(const ptx::Instruction& instruction, const State& state);
  [[nodiscard]] const TensorMap& tensor_map(const ptx::Address& place, const State& state);
  [[nodiscard]] std::int64_t transfer_box(const ptx::Address& place, AccessKind kind,
                                          const State& state, const State& guarded);
  void require_multicast(const ptx::Instruction& instruction, const State& state);
  void access_object(const ptx::Instruction& instruction, State& state);
  [[nodiscard]] Polynomial mapped_address(const ptx::Instruction& instruction, const State& state);
  [[nodiscard]] Polynomial own_address(const Polynomial& address) const;
  void meet_in_cluster(const ptx::Instruction& instruction, const State& state);
  void require_clusters() const;
  void record_unordered(const char* reason);
  void record_wait(const char* reason);

  [[nodiscard]] bool implies(const State& state, Formula formula) {
    return solver_.implies(state.path, formula);
  }
  [[nodiscard]] bool is_guessing() const { return guessing_ > 0; }
  [[nodiscard]] Formula guard_of(const ptx::Instruction& instruction, const State& state);
  [[nodiscard]] State guarded_path(const ptx::Instruction& instruction, const State& state);

  const ptx::Module& module_;
  const ptx::Function& kernel_;
  const Domain& domain_;
  Terms& terms_;
  Solver& solver_;
  Lifted lifted_;
  std::vector<std::size_t> loops_;  // loops around the block, the outermost first
  int guessing_ = 0;                // nothing is recorded above 0
  bool is_unrolling_ = false;       // blocks are executed several times
  BlockNumber block_ = 0;           // being executed
  std::size_t instruction_ = 0;
  std::map<std::string, SymbolId> arrays_;  // arrays by their names
  std::map<MemorySpace, SymbolId> windows_;
  std::set<SymbolId> distances_;  // bytes from an address to the same place in another block
};

}  // namespace warpcheck::proof
