// The cases of each hundred that have a purpose of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "campaign/case/case.hpp"
#include "campaign/generate/launch_cases.hpp"
#include "campaign/generate/long_cases.hpp"
#include "campaign/generate/overflow_strides.hpp"
#include "campaign/generate/sampling/affordable.hpp"
#include "campaign/generate/sampling/landmarks.hpp"

namespace warpcheck::campaign::generate {

/// Each hundred has cases with several tiles along each extent, long cases with many tiles along
/// one extent, and cases with an empty extent. Most long cases are at landmarks (see
/// long_cases.hpp). The data of some have a structure.
///
/// Each hundred has one case for each limit of the grid that the author's domain allows a case to
/// exceed (see domain_rules.hpp) and for each axis with a grid-stride loop. If strides may be
/// sparse, each hundred has one case for each operand with offsets beyond 2^31, and beyond 2^32.
///
/// If launches have conditions, one case in three is one to which a certain launch applies.
class SpecialCases {
 public:
  /// Refers to the cases and to the sparse solver, which is null if the memory is not sparse.
  SpecialCases(const AffordableCases& cases, const Solver* sparse_solver,
               const Landmarks& landmarks, std::uint64_t seed);

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
  [[nodiscard]] std::optional<Case> long_case(std::size_t index, const Case& ordinary) const;
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
  std::optional<LongCases> long_cases_;  // empty: ordinary cases are at landmarks
  std::vector<Case> grid_cases_;
  std::vector<OverflowStride> overflows_;
};

}  // namespace warpcheck::campaign::generate
