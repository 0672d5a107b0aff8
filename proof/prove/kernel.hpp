// A kernel that was executed with symbols, and what the proofs of all properties share.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proof/domain/domain.hpp"
#include "proof/lift/lifted.hpp"
#include "proof/poly/substitution.hpp"
#include "proof/proof.hpp"
#include "proof/solve/solver.hpp"

namespace warpcheck::proof {

/// A violation that is possible, or that is not excluded.
struct Gap {
  std::string reason;
  std::size_t instruction = 0;
  std::vector<Witness> witnesses = {};
  std::optional<std::size_t> other_instruction = {};  // the other access of a pair
};

/// Result of a proof; empty: the property is proved.
using Gaps = std::vector<Gap>;

struct Kernel {
  Terms& terms;
  Solver& solver;
  const Domain& domain;
  const Lifted& lifted;
  bool search_witnesses = true;
};

/// Numbers of which the kernel computes the quotient by a stride are divided by it, or are not.
enum class Quotients : std::uint8_t { ignored, applied };

/// The indices of the first element of an access, one for each axis; empty: the address has none.
[[nodiscard]] std::optional<std::vector<Polynomial>> position(
    Terms& terms, const Access& access, const Buffer& buffer,
    Quotients quotients = Quotients::applied);
/// Determines the elements of each workspace from the accesses of the kernel, and takes the factors
/// of its size for the extents of its axes. Any elements and axes are right that hold its bytes.
void shape_workspaces(Domain& domain, const Lifted& lifted);
/// Joins adjacent axes of each operand without padding between them if the kernel has one index for
/// both, such as the number of a row among all rows of a batch.
void join_axes(Terms& terms, Domain& domain, const Lifted& lifted);
/// The elements that an access reads or writes.
[[nodiscard]] Polynomial elements(Terms& terms, const Access& access, const Buffer& buffer);

/// Accesses that differ in a number of their offsets only.
struct AccessGroup {
  std::vector<const Access*> members;
  [[nodiscard]] const Access& first() const { return *members.front(); }
  [[nodiscard]] Polynomial base_offset() const { return first().offset.without_constant(); }
  /// The numbers of the offsets, in ascending order.
  [[nodiscard]] std::vector<std::int64_t> numbers() const;
};
[[nodiscard]] std::vector<AccessGroup> groups(const std::vector<const Access*>& accesses);
[[nodiscard]] std::vector<const Access*> accesses_where(
    const Kernel& kernel, const std::function<bool(const Access&)>& condition);

/// The polynomial, or `otherwise` if it is too long to read; reports quote the source line.
[[nodiscard]] std::string short_text(const Terms& terms, const Polynomial& value,
                                     std::string_view otherwise);

struct Violation {
  std::vector<Formula> formulas;    // true in every violation
  std::vector<Formula> exact = {};  // these make what the formulas describe a violation
  bool has_large_strides = false;   // small strides show none

  void add(const std::vector<Formula>& more) {
    formulas.insert(formulas.end(), more.begin(), more.end());
  }
};

/// Adds a gap unless the formulas of the violation exclude each other.
void require_impossible(const Kernel& kernel, const Violation& violation, const std::string& reason,
                        std::size_t instruction, Gaps& gaps,
                        std::optional<std::size_t> other_instruction = {});

/// Two atomic operations on numbers of one size, of which each includes the thread of the other one
/// in its scope: they do not race. PTX ISA 8.7.1.
[[nodiscard]] bool are_atomic(const Access& one, const Access& other);

/// Different threads make the two accesses. `threads`: the symbols that differ for two threads. Any
/// lane of a warp makes an access of the warp: then the threads that state the addresses may be the
/// same one.
[[nodiscard]] std::vector<Formula> by_two_threads(const Kernel& kernel, SecondExecution& second,
                                                  const Access& one, const Access& other,
                                                  const std::vector<SymbolId>& threads);
/// The threads of both executions belong to the same warp, or another group of so many threads.
[[nodiscard]] Formula in_one_group(const Kernel& kernel, SecondExecution& second,
                                   std::int64_t threads = kLanes);
/// The symbols of the iterations of loops.
[[nodiscard]] std::vector<SymbolId> iterations(const Kernel& kernel,
                                               const std::vector<std::size_t>& loops);

/// One of the symbols has another value in the second execution.
[[nodiscard]] Formula any_differs(Terms& terms, SecondExecution& second,
                                  const std::vector<SymbolId>& symbols);
[[nodiscard]] Formula all_agree(Terms& terms, SecondExecution& second,
                                const std::vector<SymbolId>& symbols);
[[nodiscard]] std::vector<Formula> in_second(SecondExecution& second,
                                             const std::vector<Formula>& path);

/// True if no more gaps are searched: a user repairs one after the other.
[[nodiscard]] bool are_enough(const Kernel& kernel, const Gaps& gaps);

// The properties, each in the file of its name.
[[nodiscard]] Gaps prove_overflow(const Kernel& kernel);
[[nodiscard]] Gaps prove_bounds(const Kernel& kernel);
[[nodiscard]] Gaps prove_alignment(const Kernel& kernel);
[[nodiscard]] Gaps prove_barriers(const Kernel& kernel);
[[nodiscard]] Gaps prove_races(const Kernel& kernel);
[[nodiscard]] Gaps prove_initialized(const Kernel& kernel);
[[nodiscard]] Gaps prove_written_once(const Kernel& kernel);
[[nodiscard]] Gaps prove_covered(const Kernel& kernel);
/// The kernel writes each element, if its loops end.
[[nodiscard]] bool covers(const Kernel& kernel, const Buffer& buffer);
[[nodiscard]] Gaps prove_zero_beta(const Kernel& kernel);
[[nodiscard]] Gaps prove_ends(const Kernel& kernel);

}  // namespace warpcheck::proof
