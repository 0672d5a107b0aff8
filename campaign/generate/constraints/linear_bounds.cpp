#include "campaign/generate/constraints/linear_bounds.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <utility>

namespace warpcheck::campaign::generate {
namespace {

using contract::Operator;

constexpr std::size_t kMostInequalities = 80;
constexpr std::int64_t kMostCoefficient = std::int64_t{1} << 31;
constexpr std::int64_t kMostConstant = std::int64_t{1} << 60;

/// The sum of coefficients times variables, and a constant.
struct LinearForm {
  explicit LinearForm(std::size_t variables) : coefficients(variables) {}

  std::vector<std::int64_t> coefficients;
  std::int64_t constant = 0;

  [[nodiscard]] std::size_t variables() const {
    return coefficients.size() -
           static_cast<std::size_t>(std::count(coefficients.begin(), coefficients.end(), 0));
  }

  friend bool operator==(const LinearForm&, const LinearForm&) = default;
};

/// Returns x * a + y * b; empty if a number becomes too large.
std::optional<LinearForm> combined(const LinearForm& x, std::int64_t a, const LinearForm& y,
                                   std::int64_t b) {
  const auto term = [&](std::int64_t one, std::int64_t other,
                        std::int64_t most) -> std::optional<std::int64_t> {
    std::int64_t first = 0;
    std::int64_t second = 0;
    std::int64_t sum = 0;
    const bool overflows = __builtin_mul_overflow(one, a, &first) ||
                           __builtin_mul_overflow(other, b, &second) ||
                           __builtin_add_overflow(first, second, &sum);
    if (overflows || sum > most || sum < -most) return std::nullopt;
    return sum;
  };
  LinearForm result(x.coefficients.size());
  for (std::size_t i = 0; i < result.coefficients.size(); ++i) {
    const auto sum = term(x.coefficients[i], y.coefficients[i], kMostCoefficient);
    if (!sum) return std::nullopt;
    result.coefficients[i] = *sum;
  }
  const auto constant = term(x.constant, y.constant, kMostConstant);
  if (!constant) return std::nullopt;
  result.constant = *constant;
  return result;
}

/// Returns the linear form of a node; empty if the node is not linear.
std::optional<LinearForm> linear_form(const std::vector<ConstraintNode>& nodes, std::size_t at,
                                      std::size_t variables) {
  const ConstraintNode& node = nodes[at];
  LinearForm form(variables);
  if (node.op == Operator::constant) {
    if (!node.constant.is_single()) return std::nullopt;
    form.constant = node.constant.low;
    return form;
  }
  if (node.op == Operator::name) {
    form.coefficients[node.variable] = 1;
    return form;
  }
  const bool linear = node.op == Operator::add || node.op == Operator::subtract ||
                      node.op == Operator::multiply || node.op == Operator::negate;
  const auto left = linear ? linear_form(nodes, node.left, variables) : std::nullopt;
  if (!left) return std::nullopt;
  if (node.op == Operator::negate) return combined(*left, -1, form, 0);
  const auto right = linear_form(nodes, node.right, variables);
  if (!right) return std::nullopt;
  if (node.op == Operator::add) return combined(*left, 1, *right, 1);
  if (node.op == Operator::subtract) return combined(*left, 1, *right, -1);
  if (right->variables() == 0) return combined(*left, right->constant, form, 0);
  if (left->variables() == 0) return combined(*right, left->constant, form, 0);
  return std::nullopt;
}

/// Divides by the common factor of the coefficients: the variables are whole numbers.
LinearForm reduced(LinearForm form) {
  std::int64_t divisor = 0;
  for (const std::int64_t coefficient : form.coefficients) {
    divisor = std::gcd(divisor, coefficient);
  }
  if (divisor <= 1) return form;
  for (std::int64_t& coefficient : form.coefficients) coefficient /= divisor;
  // form + constant <= 0 rounds -constant down, so the constant up.
  form.constant = form.constant / divisor + (form.constant % divisor > 0 ? 1 : 0);
  return form;
}

/// A set of inequalities: form <= 0.
class Inequalities {
 public:
  explicit Inequalities(std::size_t variables) : variables_(variables) {}

  /// Adds the comparison, or those that an `and` joins.
  void add_comparisons(const std::vector<ConstraintNode>& nodes, std::size_t at) {
    const ConstraintNode& root = nodes[at];
    if (root.op == Operator::logical_and) {
      add_comparisons(nodes, root.left);
      add_comparisons(nodes, root.right);
    }
    std::int64_t apart = 0;
    bool both = false;
    bool swapped = false;
    switch (root.op) {
      case Operator::equal:
        both = true;
        break;
      case Operator::less:
        apart = 1;
        break;
      case Operator::less_equal:
        break;
      case Operator::greater:
        apart = 1;
        swapped = true;
        break;
      case Operator::greater_equal:
        swapped = true;
        break;
      default:
        return;
    }
    const auto left = linear_form(nodes, root.left, variables_);
    const auto right = linear_form(nodes, root.right, variables_);
    if (!left || !right) return;
    auto form = combined(*left, swapped ? -1 : 1, *right, swapped ? 1 : -1);
    if (!form) return;
    form->constant += apart;
    add(*form);
    if (both) add(*combined(*form, -1, LinearForm(variables_), 0));
  }

  /// Adds the sums in which a variable cancels, until there are no new ones or too many.
  void combine() {
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        for (std::size_t variable = 0; variable < variables_; ++variable) {
          if (forms_.size() >= kMostInequalities) return;
          add_without(variable, forms_[i], forms_[j]);
        }
      }
    }
  }

  [[nodiscard]] bool narrow(Domains& domains) const {
    return std::all_of(forms_.begin(), forms_.end(), [&](const LinearForm& form) {
      if (form.variables() == 0) return form.constant <= 0;
      return form.variables() > 1 || narrow(domains, form);
    });
  }

 private:
  void add(const LinearForm& form) {
    const LinearForm one = reduced(form);
    if (one.variables() == 0 && one.constant <= 0) return;
    const auto weaker = std::find_if(forms_.begin(), forms_.end(), [&](const LinearForm& other) {
      return other.coefficients == one.coefficients;
    });
    if (weaker == forms_.end()) {
      forms_.push_back(one);
    } else if (weaker->constant < one.constant) {
      forms_.push_back(one);  // appended: the loop combines it with the others
    }
  }

  void add_without(std::size_t variable, LinearForm x, LinearForm y) {
    const std::int64_t a = x.coefficients[variable];
    const std::int64_t b = y.coefficients[variable];
    if (a == 0 || b == 0 || (a < 0) == (b < 0)) return;
    if (const auto sum = combined(x, std::abs(b), y, std::abs(a))) add(*sum);
  }

  static bool narrow(Domains& domains, const LinearForm& form) {
    for (std::size_t i = 0; i < form.coefficients.size(); ++i) {
      const std::int64_t coefficient = form.coefficients[i];  // 1 or -1
      if (coefficient == 0) continue;
      const IntegerSet bound = coefficient > 0 ? IntegerSet{-kUnbounded, -form.constant}
                                               : IntegerSet{form.constant, kUnbounded};
      domains[i] = intersection(domains[i], bound);
      return !domains[i].is_empty();
    }
    return true;
  }

  std::size_t variables_;
  std::vector<LinearForm> forms_;
};

}  // namespace

bool narrow_by_linear_bounds(const std::vector<const Constraint*>& constraints, Domains& domains) {
  Inequalities inequalities(domains.size());
  for (const Constraint* const constraint : constraints) {
    inequalities.add_comparisons(constraint->nodes, constraint->nodes.size() - 1);
  }
  inequalities.combine();
  return inequalities.narrow(domains);
}

}  // namespace warpcheck::campaign::generate
