#include "campaign/conditions/candidates.hpp"

#include <set>

namespace warpcheck::campaign::conditions {
namespace {

using Kind = Condition::Kind;
using Of = Quantity::Kind;

class Candidates {
 public:
  Candidates(const Example& passing, const std::vector<const Example*>& failing,
             const std::vector<Quantity>& quantities)
      : passing_(passing), failing_(failing), quantities_(quantities) {}

  Conjunction all() {
    for (std::size_t x = 0; x < quantities_.size(); ++x) {
      switch (quantities_[x].kind) {
        case Of::extent:
          for (std::int64_t modulus = 2; modulus <= 64; ++modulus) add_congruence(x, modulus);
          for (const std::int64_t modulus : {80, 96, 112, 128, 160, 192, 256}) {
            add_congruence(x, modulus);
          }
          add_limits(x);
          add_equality(x, passing_.values[x]);
          break;
        case Of::stride:
          for (std::int64_t modulus = 2; modulus <= 256; modulus *= 2) add_congruence(x, modulus);
          add_limits(x);
          break;
        case Of::offset:
          for (std::int64_t modulus = 2; modulus * quantities_[x].element_bytes <= 256;
               modulus *= 2) {
            if (passing_.values[x] == 0.0 || int_value(x) % modulus == 0) {
              add_congruence(x, modulus);
            }
          }
          break;
        case Of::base_offset:
          for (std::int64_t modulus = 2; modulus <= 64; modulus *= 2) {
            if (int_value(x) % modulus == 0) add_congruence(x, modulus);
          }
          break;
        case Of::batch:
          add_limits(x);
          break;
        case Of::flag:
        case Of::padding:
          add_equality(x, passing_.values[x]);
          break;
        case Of::factor:
          for (const double constant : {0.0, 1.0, -1.0}) {
            add_equality(x, constant);
            add({Kind::differs, x, x, 1, 0, constant});
          }
          break;
      }
      for (std::size_t y = 0; y < quantities_.size(); ++y) add_relations(x, y);
    }
    return std::move(all_);
  }

 private:
  [[nodiscard]] std::int64_t int_value(std::size_t x) const {
    return static_cast<std::int64_t>(passing_.values[x]);
  }

  void add(const Condition& condition) {
    if (condition.holds(passing_.values)) all_.push_back(condition);
  }

  void add_congruence(std::size_t x, std::int64_t modulus) {
    add({Kind::congruent, x, x, modulus, int_value(x) % modulus, 0.0});
  }

  void add_equality(std::size_t x, double constant) { add({Kind::equals, x, x, 1, 0, constant}); }

  /// A limit excludes the value of a failing example and admits its neighbour.
  void add_limits(std::size_t x) {
    std::set<double> values;
    for (const Example* example : failing_) values.insert(example->values[x]);
    for (const double value : values) {
      add({Kind::at_least, x, x, 1, 0, value + 1.0});
      add({Kind::at_most, x, x, 1, 0, value - 1.0});
    }
  }

  void add_relations(std::size_t x, std::size_t y) {
    const auto related = [&](std::size_t i) {
      return quantities_[i].kind == Of::extent || quantities_[i].is_leading_dimension();
    };
    if (x == y || !related(x) || !related(y)) return;
    const bool extents = quantities_[x].kind == Of::extent && quantities_[y].kind == Of::extent;
    // A leading dimension comes before an extent.
    const bool in_order =
        quantities_[x].kind == quantities_[y].kind ? x < y : quantities_[x].kind == Of::stride;
    if (in_order) add({Kind::same, x, y, 1, 0, 0.0});
    if (extents) add({Kind::at_most_other, x, y, 1, 0, 0.0});
  }

  const Example& passing_;
  const std::vector<const Example*>& failing_;
  const std::vector<Quantity>& quantities_;
  Conjunction all_;
};

}  // namespace

Conjunction candidate_conditions(const Example& passing, const std::vector<const Example*>& failing,
                                 const std::vector<Quantity>& quantities) {
  return Candidates(passing, failing, quantities).all();
}

}  // namespace warpcheck::campaign::conditions
