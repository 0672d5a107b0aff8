// Proves properties of a kernel for every case of its contract, from its PTX.
//
// The method, and the folders in its order:
//
//   poly/     Values are polynomials with integer coefficients over symbols: the index of the
//   thread
//             and of the block, the sizes of the contract, the numbers of iterations. What no
//             polynomial expresses, such as x / 32 or a choice between two values, is a symbol with
//             a definition.
//   domain/   The contract as symbols and formulas: sizes and their ranges, layouts, the grid,
//             `requires`. A minimum in the grid is split into its two cases. In a grid of A * B
//             blocks, blockIdx is q B + r.
//   lift/     Executes the PTX of one thread on such values. Paths that meet are merged. A loop
//   runs
//             on fresh symbols to guess the values of iteration t and the last iteration; then the
//             guess is confirmed by induction. The result: every access, with its address and the
//             conditions of its execution.
//   solve/    Decides conjunctions of formulas by linear integer arithmetic, with z3.
//   prove/    One file for each property: it states the violation as a formula, and the solver
//   shows
//             that there is none.
//   witness/  Sizes for which a violation is possible, as the fields of a case.
//
// Why a proof holds. PTX computes modulo 2 to the width of a register. Sums, differences, products
// and shifts to the left are exact modulo that number, so a register is congruent to its
// polynomial. Where a result depends on more (a comparison, an extension to 64 bits, a division, a
// shift to the right), the proof takes the polynomial for the value and records that it must be in
// the range of the type: an Observation. All properties depend on these; if one of them is not
// proved, none is. Data from memory, floating-point results and instructions without a rule are
// fresh symbols that can have any value; numbers from memory may wrap when they are converted. An
// instruction that might have another effect is not covered, and then nothing is proved. A row and
// a column of a matrix are read off an address by its leading dimension, so "in bounds" means
// within a row, never its padding; two accesses meet only in equal rows, since all are in bounds.
// Two threads race if they may access a place between the same two barriers, which all threads of
// a block are shown to reach in the same order. A copy through a tensor map accesses a box of the
// operand, of which it omits elements that do not exist. The order of bulk copies, of mbarrier
// objects and of products of warpgroups is not followed: nothing that depends on it is proved.
//
// Where the solver replaces a product of symbols by a fresh symbol, or gives up at its limit of
// work, a property stays unknown: a violation is never reported on its word. A witness counts when
// its case, run on a device, has a finding.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.hpp"
#include "contract/compile/variant.hpp"

namespace warpcheck::proof {

enum class Property : std::uint8_t {
  overflow,
  bounds,
  alignment,
  barriers,
  races,
  initialized,
  written_once,
  covered,
  zero_beta,
  ends,
};

inline constexpr Property kLastProperty = Property::ends;

/// "overflow", "written-once" ...
[[nodiscard]] std::string_view name(Property property);
/// The property in words: "every access is within a row of its matrix, or within its array".
[[nodiscard]] std::string_view statement(Property property);
[[nodiscard]] std::optional<Property> property_named(std::string_view name);
[[nodiscard]] std::vector<Property> all_properties();

/// Sizes for which the solver found a violation: fields of a case. Whether it is one, a run shows.
struct Witness {
  std::map<std::string, std::int64_t> sizes;    // "m", "lda", "stride_x"
  std::map<std::string, std::int64_t> offsets;  // elements before an operand, by its name
  bool beta_is_zero = true;
};

/// A place at which a property is not proved.
struct OpenPlace {
  std::string reason;
  Location where = {};  // line 0: none

  friend bool operator==(const OpenPlace&, const OpenPlace&) = default;
};

struct PropertyProof {
  Property property = Property::bounds;
  bool is_proved = false;
  std::string reason = {};              // empty if it is proved
  Location where = {};                  // the source line of the reason; line 0: none
  std::vector<OpenPlace> more = {};     // other places at which it is not proved
  std::vector<Witness> witnesses = {};  // cases to try, if it is not proved
  // Conditions that `requires` lacks and with which it is proved; empty: none were found.
  std::vector<std::string> sufficient = {};
  double seconds = 0.0;  // time of the processor
};

struct Proof {
  std::vector<PropertyProof> properties;  // the requested ones, in their order
  std::size_t queries = 0;
};

struct ProveOptions {
  bool search_witnesses = true;     // false: only proofs matter
  std::vector<Property> only = {};  // empty: all
  std::string query_folder = {};    // the queries are written there; empty: they are not
};

/// True if the build has a solver. Without one, nothing is proved.
[[nodiscard]] bool has_solver();
[[nodiscard]] std::string solver_version();

/// Throws InputError if the PTX is wrong. What the method does not cover is a reason.
[[nodiscard]] Proof prove(const contract::Variant& variant, const ProveOptions& options = {});

/// 16 hexadecimal digits that identify the PTX.
[[nodiscard]] std::string ptx_hash(const contract::Variant& variant);

/// The sentences that a proof of all properties stands for, and what it assumes.
[[nodiscard]] std::string theorem();

}  // namespace warpcheck::proof
