// The cases of each hundred that have a purpose of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/directed_cases.hpp"
#include "campaign/generate/launch_cases.hpp"
#include "campaign/generate/overflow_strides.hpp"
#include "campaign/generate/sampling/affordable.hpp"
#include "campaign/generate/sampling/landmarks.hpp"

namespace warpcheck::campaign::generate {

/// Each hundred has cases with several tiles along each extent, cases directed at sizes (see
/// directed_cases.hpp), and cases with an empty extent. The data of some have a structure.
///
/// Each hundred has one case for each limit of the grid that the author's domain allows a case to
/// exceed (see domain_rules.hpp) and for each axis with a grid-stride loop. If strides may be
/// sparse, each hundred has one case for each operand with offsets beyond 2^31, and beyond 2^32.
///
/// If launches have conditions, one case in three is one to which a certain launch applies.
class SpecialCases {
 public:
  /// Refers to the space and to the sparse solver, which is null if the memory is not sparse.
  SpecialCases(const SampleSpace& space, const Solver* sparse_solver, const Landmarks& landmarks,
               std::uint64_t seed);

  /// Returns the case that takes the place of an ordinary one.
  [[nodiscard]] std::optional<Case> extreme(std::size_t index) const;

  /// Returns the ordinary case changed for the purpose of its place; empty if it has none.
  [[nodiscard]] std::optional<Case> changed(std::size_t index, const Case& ordinary,
                                            const Cost& deep) const;

  /// Changes the case so that a launch applies to it, and gives the data a structure, if it is the
  /// turn of one.
  void adapt(std::size_t index, Case& problem) const;

 private:
  [[nodiscard]] std::optional<OverflowStride> overflow_at(std::size_t index) const;
  [[nodiscard]] std::optional<Case> directed_case(std::size_t index, const Case& ordinary) const;
  [[nodiscard]] std::optional<Case> deep_case(std::size_t index, const Case& ordinary,
                                              const Cost& most) const;
  [[nodiscard]] std::optional<Case> empty_extent(std::size_t index, const Case& ordinary,
                                                 const Cost& most) const;
  [[nodiscard]] std::optional<Case> empty_output(std::size_t index, const Case& ordinary) const;
  [[nodiscard]] std::optional<std::size_t> turn_of_structure(std::size_t index) const;
  [[nodiscard]] const contract::Contract& contract() const { return cases_.costs().contract(); }
  [[nodiscard]] const CaseSchema& schema() const { return cases_.costs().schema(); }

  const AffordableCases& cases_;
  const Solver* sparse_solver_;
  std::uint64_t seed_;
  LaunchCases launch_cases_;
  std::optional<DirectedCases> directed_cases_;  // empty if the largest size is limited
  std::vector<Case> grid_cases_;
  std::vector<OverflowStride> overflows_;
};

}  // namespace warpcheck::campaign::generate
