// Stores as images of integer sets: the elements that they write, and the conditions of that.
#pragma once

#include <utility>
#include <vector>

#include "proof/prove/kernel.hpp"
#include "proof/solve/integer_sets.hpp"

namespace warpcheck::proof {

/// Conditions that are not linear, such as the alignment of an address or a comparison of data, are
/// first taken to be false. Then the solver shows that a thread that writes an element in that case
/// writes it in any case, as two branches for aligned and other addresses do.
class Stores {
 public:
  Stores(const Kernel& kernel, IntegerSets sets)
      : kernel_(kernel), terms_(kernel.terms), sets_(std::move(sets)) {}

  /// `path`: the conditions of the store. `count`: the elements along the last axis.
  void add(std::vector<Polynomial> indices, Polynomial count, std::vector<Formula> path);

  [[nodiscard]] bool write_in_any_case() const;
  /// Removes the stores with conditions that are not linear.
  void keep_linear();
  /// Stores that differ in adjacent columns are one image.
  [[nodiscard]] std::vector<Image> images() const;

 private:
  struct Store {
    std::vector<Polynomial> indices;
    Polynomial count;
    std::vector<Formula> path;
    std::vector<Formula> linear_path;  // that of the case in which other conditions are false

    [[nodiscard]] bool is_possible() const;
  };

  [[nodiscard]] Formula linear(Formula formula) const;
  [[nodiscard]] Formula writes(const Store& store, const std::vector<Polynomial>& element,
                               const std::vector<Formula>& path) const;
  [[nodiscard]] bool are_linear(const std::vector<Polynomial>& values) const;

  const Kernel& kernel_;
  Terms& terms_;
  IntegerSets sets_;
  std::vector<Store> stores_;
};

}  // namespace warpcheck::proof
