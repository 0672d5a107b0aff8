#include "workflows/init/operations/known_operations.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text/replaced_all.hpp"

namespace warpcheck::workflows::init {
namespace {

/// The memory of the output: its own, that of the last input, or either one.
enum class Place { own, input, either };

/// An operation on the elements at the same place; '@' stands for the indices.
struct Elementwise {
  std::size_t inputs;
  std::size_t scalars;
  Place place;
  std::string_view value;
};

constexpr std::array kElementwise = {
    // One input.
    Elementwise{1, 0, Place::own, "$0[@]"},
    Elementwise{1, 0, Place::either, "max($0[@], 0)"},
    Elementwise{1, 0, Place::either, "0.5 * $0[@] * (1 + erf($0[@] * sqrt(0.5)))"},
    Elementwise{
        1, 0, Place::either,
        "0.5 * $0[@] * (1 + tanh(sqrt(2 / pi) * ($0[@] + 0.044715 * $0[@] * $0[@] * $0[@])))"},
    Elementwise{1, 0, Place::either, "$0[@] / (1 + exp(-$0[@]))"},
    Elementwise{1, 0, Place::either, "1 / (1 + exp(-$0[@]))"},
    Elementwise{1, 0, Place::either, "tanh($0[@])"},
    Elementwise{1, 0, Place::either, "exp($0[@])"},
    Elementwise{1, 0, Place::own, "log($0[@])"},
    Elementwise{1, 0, Place::own, "sqrt($0[@])"},
    Elementwise{1, 0, Place::own, "rsqrt($0[@])"},
    Elementwise{1, 0, Place::own, "sin($0[@])"},
    Elementwise{1, 0, Place::own, "cos($0[@])"},
    Elementwise{1, 0, Place::own, "abs($0[@])"},
    Elementwise{1, 0, Place::own, "-$0[@]"},
    Elementwise{1, 0, Place::either, "min(max($0[@], 0), 6)"},
    Elementwise{1, 0, Place::either, "select($0[@] > 0, $0[@], 0.01 * $0[@])"},
    Elementwise{1, 0, Place::either, "select($0[@] > 0, $0[@], exp($0[@]) - 1)"},
    Elementwise{1, 0, Place::either, "$0[@] / (1 + exp(-1.702 * $0[@]))"},
    Elementwise{1, 0, Place::either, "$0[@] * min(max($0[@] + 3, 0), 6) / 6"},
    Elementwise{1, 0, Place::either, "log(1 + exp($0[@]))"},
    Elementwise{1, 0, Place::either, "$0[@] * $0[@]"},
    Elementwise{1, 0, Place::either, "2 * $0[@]"},
    Elementwise{1, 0, Place::either, "$0[@] + 1"},
    Elementwise{1, 0, Place::own, "1 / $0[@]"},
    Elementwise{1, 1, Place::either, "$s * $0[@]"},
    Elementwise{1, 1, Place::either, "$0[@] + $s"},
    Elementwise{1, 1, Place::own, "select($0[@] > 0, $0[@], $s * $0[@])"},
    Elementwise{1, 1, Place::own, "max($0[@], $s)"},
    Elementwise{1, 2, Place::own, "$s * $0[@] + $t"},
    Elementwise{1, 2, Place::own, "min(max($0[@], $s), $t)"},
    // Two inputs.
    Elementwise{2, 0, Place::own, "$0[@] + $1[@]"},
    Elementwise{2, 0, Place::own, "$0[@] * $1[@]"},
    Elementwise{2, 0, Place::own, "$0[@] - $1[@]"},
    Elementwise{2, 0, Place::own, "$0[@] / $1[@]"},
    Elementwise{2, 0, Place::own, "max($0[@], $1[@])"},
    Elementwise{2, 0, Place::own, "min($0[@], $1[@])"},
    Elementwise{2, 0, Place::own, "$0[@] / (1 + exp(-$0[@])) * $1[@]"},
    Elementwise{2, 0, Place::own, "max($0[@] + $1[@], 0)"},
    Elementwise{2, 1, Place::own, "$s * $0[@] + $1[@]"},
    Elementwise{2, 1, Place::own, "$0[@] + $s * $1[@]"},
    Elementwise{2, 2, Place::own, "$s * $0[@] + $t * $1[@]"},
    // Two inputs, the second one in the place of the output.
    Elementwise{2, 0, Place::input, "$1[@] + $0[@]"},
    Elementwise{2, 0, Place::input, "$1[@] * $0[@]"},
    Elementwise{2, 0, Place::input, "$1[@] - $0[@]"},
    Elementwise{2, 1, Place::input, "$s * $0[@] + $1[@]"},
    Elementwise{2, 2, Place::input, "$s * $0[@] + $t * $1[@]"},
    // Three inputs.
    Elementwise{3, 0, Place::own, "$0[@] * $1[@] + $2[@]"},
    Elementwise{3, 0, Place::own, "$0[@] + $1[@] + $2[@]"},
};

void add_elementwise(const Dimensions& dimensions, std::vector<KnownOperation>& all) {
  const std::string_view indices = dimensions.size() == 1 ? "i" : "i,j";
  for (const Elementwise& one : kElementwise) {
    const std::string define = replaced_all("$y[@] = " + std::string(one.value), "@", indices);
    for (const bool updates : {false, true}) {
      if (one.place == (updates ? Place::own : Place::input)) continue;
      all.push_back({std::vector<Dimensions>(one.inputs, dimensions), dimensions, updates,
                     one.scalars, define});
    }
  }
}

const std::vector<KnownOperation>& one_extent_operations() {
  static const std::vector<KnownOperation> all = {
      {{"0"}, "", false, 0, "$y[o] = sum(i: $0[i])"},
      {{"0"}, "", false, 0, "$y[o] = max(i: $0[i])"},
      {{"0"}, "", false, 0, "$y[o] = min(i: $0[i])"},
      {{"0"}, "", false, 0, "$y[o] = sum(i: $0[i] * $0[i])"},
      {{"0"}, "", false, 0, "$y[o] = sum(i: $0[i]) / $m"},
      {{"0", ""}, "", true, 0, "$y[o] = $1[o] + sum(i: $0[i])"},
      {{"0", "0"}, "", false, 0, "$y[o] = sum(i: $0[i] * $1[i])"},
      {{"0", "0"}, "", false, 0, "$y[o] = sum(i: ($0[i] - $1[i]) * ($0[i] - $1[i])) / $m"},
      {{"0", "0", ""}, "", true, 0, "$y[o] = $2[o] + sum(i: $0[i] * $1[i])"},
      {{"0"}, "0", false, 0, "$y[i] = sum(j: $0[j] where j <= i)"},
      {{"0"}, "0", false, 0, "$y[i] = sum(j: $0[j] where j < i)"},
      {{"0"}, "0", false, 0, "$y[i] = $0[$m - 1 - i]"},
      {{"0"},
       "0",
       false,
       0,
       "peak[o in 1] = max(j: $0[j])\ntotal[o in 1] = sum(j: exp($0[j] - peak[0]))\n"
       "$y[i] = exp($0[i] - peak[0]) / total[0]"},
  };
  return all;
}

/// The text of a normalization of rows, with the mean removed or not.
std::string row_norm(bool removes_mean, std::string_view epsilon, std::string_view factors) {
  const std::string value = removes_mean ? "($0[i,j] - mean[i])" : "$0[i,j]";
  std::string text = removes_mean ? "mean[i] = sum(j: $0[i,j]) / $n\n" : "";
  text += "variance[i] = sum(j: " + value + " * " + value + ") / $n\n";
  return text + "$y[i,j] = " + value + " * rsqrt(variance[i] + " + std::string(epsilon) + ")" +
         std::string(factors);
}

void add_row_norms(std::vector<KnownOperation>& all) {
  struct Factors {
    std::vector<Dimensions> inputs;
    std::string_view text;
  };
  const std::array<Factors, 3> factors = {
      {{{"01"}, ""}, {{"01", "1"}, " * $1[j]"}, {{"01", "1", "1"}, " * $1[j] + $2[j]"}}};
  for (const Factors& one : factors) {
    for (const bool removes_mean : {true, false}) {
      all.push_back({one.inputs, "01", false, 1, row_norm(removes_mean, "$s", one.text)});
      for (const std::string_view epsilon : {"1e-5", "1e-6", "1e-8", "1e-12"}) {
        all.push_back({one.inputs, "01", false, 0, row_norm(removes_mean, epsilon, one.text)});
      }
    }
  }
}

/// The text of a normalization of the rows of a sum.
std::string norm_of_sum(std::string_view epsilon) {
  return "summed[i,j] = $0[i,j] + $1[i,j]\n"
         "variance[i] = sum(j: summed[i,j] * summed[i,j]) / $n\n"
         "$y[i,j] = summed[i,j] * rsqrt(variance[i] + " +
         std::string(epsilon) + ") * $2[j]";
}

const std::vector<KnownOperation>& three_extent_operations() {
  static const std::vector<KnownOperation> all = {
      {{"0", "21"}, "01", false, 0, "$y[i,j] = $1[$0[i],j]"},
  };
  return all;
}

const std::vector<KnownOperation>& two_extent_operations() {
  static const std::vector<KnownOperation> all = [] {
    const std::string peak =
        "peak[i] = max(j: $0[i,j])\ntotal[i] = sum(j: exp($0[i,j] - peak[i]))\n";
    const std::string scaled =
        "peak[i] = max(j: $s * $0[i,j])\ntotal[i] = sum(j: exp($s * $0[i,j] - peak[i]))\n";
    std::vector<KnownOperation> made = {
        {{"01"}, "10", false, 0, "$y[j,i] = $0[i,j]"},
        {{"01"}, "01", false, 0, peak + "$y[i,j] = exp($0[i,j] - peak[i]) / total[i]"},
        {{"01"}, "01", false, 0, peak + "$y[i,j] = $0[i,j] - peak[i] - log(total[i])"},
        {{"01"}, "01", false, 1, scaled + "$y[i,j] = exp($s * $0[i,j] - peak[i]) / total[i]"},
        {{"01"}, "01", false, 0, "$y[i,j] = sum(l in $n: $0[i,l] where l <= j)"},
        {{"01"}, "0", false, 0, "$y[i] = sum(j: $0[i,j])"},
        {{"01"}, "0", false, 0, "$y[i] = max(j: $0[i,j])"},
        {{"01"}, "0", false, 0, "$y[i] = min(j: $0[i,j])"},
        {{"01"}, "0", false, 0, "$y[i] = sum(j: $0[i,j]) / $n"},
        {{"01"}, "0", false, 0, "$y[i] = sum(j: $0[i,j] * $0[i,j])"},
        {{"01"}, "0", false, 0, "$y[i] = sqrt(sum(j: $0[i,j] * $0[i,j]))"},
        {{"01"}, "0", false, 0, "$y[i] = argmax(j: $0[i,j])"},
        {{"01"}, "0", false, 0, "$y[i] = argmin(j: $0[i,j])"},
        {{"01"}, "1", false, 0, "$y[j] = sum(i: $0[i,j])"},
        {{"01"}, "1", false, 0, "$y[j] = max(i: $0[i,j])"},
        {{"01"}, "1", false, 0, "$y[j] = sum(i: $0[i,j]) / $m"},
        {{"01", "1"}, "0", false, 0, "$y[i] = sum(j: $0[i,j] * $1[j])"},
        {{"01", "0"}, "1", false, 0, "$y[j] = sum(i: $0[i,j] * $1[i])"},
        {{"01", "1"}, "0", false, 1, "$y[i] = $s * sum(j: $0[i,j] * $1[j])"},
        {{"01", "1", "0"}, "0", true, 2, "$y[i] = $s * sum(j: $0[i,j] * $1[j]) + $t * $2[i]"},
        {{"01", "1"}, "01", false, 0, "$y[i,j] = $0[i,j] + $1[j]"},
        {{"01", "1"}, "01", false, 0, "$y[i,j] = $0[i,j] * $1[j]"},
        {{"01", "1"}, "01", false, 0, "$y[i,j] = max($0[i,j] + $1[j], 0)"},
        {{"01", "1"},
         "01",
         false,
         0,
         "with_bias[i,j] = $0[i,j] + $1[j]\n"
         "$y[i,j] = 0.5 * with_bias[i,j] * (1 + erf(with_bias[i,j] * sqrt(0.5)))"},
        {{"01", "0"}, "01", false, 0, "$y[i,j] = $0[i,j] * $1[i]"},
        {{"01", "0"}, "01", false, 0, "$y[i,j] = $0[i,j] + $1[i]"},
        {{"0", "1"}, "01", false, 0, "$y[i,j] = $0[i] * $1[j]"},
        {{"1", "01"}, "01", true, 0, "$y[i,j] = $1[i,j] + $0[j]"},
        {{"1", "01"}, "01", true, 0, "$y[i,j] = $1[i,j] * $0[j]"},
        {{"1", "01"}, "01", true, 0, "$y[i,j] = max($1[i,j] + $0[j], 0)"},
        {{"01", "0", "0"}, "01", false, 0, "$y[i,j] = ($0[i,j] - $1[i]) * $2[i]"},
        {{"01", "1", "1"}, "01", false, 0, "$y[i,j] = ($0[i,j] - $1[j]) * $2[j]"},
        {{"01", "1", "1"}, "01", false, 0, "$y[i,j] = $0[i,j] * $1[j] + $2[j]"},
        {{"0"}, "1", false, 0, "$y[j] = sum(i: 1 where $0[i] == j)", true},
        {{"0", "1"}, "1", true, 0, "$y[j] = $1[j] + sum(i: 1 where $0[i] == j)", true},
    };
    add_row_norms(made);
    for (const std::string_view epsilon : {"$s", "1e-5", "1e-6"}) {
      const std::size_t scalars = epsilon == "$s" ? 1 : 0;
      made.push_back({{"01", "01", "1"}, "01", false, scalars, norm_of_sum(epsilon)});
    }
    return made;
  }();
  return all;
}

}  // namespace

bool have_same_tensors(const KnownOperation& one, const KnownOperation& other) {
  return one.inputs == other.inputs && one.output == other.output && one.updates == other.updates &&
         one.scalars == other.scalars;
}

std::vector<KnownOperation> known_operations(std::size_t extents) {
  if (extents == 3) return three_extent_operations();
  if (extents == 0 || extents > 3) return {};
  std::vector<KnownOperation> all;
  add_elementwise(extents == 1 ? "0" : "01", all);
  const std::vector<KnownOperation>& others =
      extents == 1 ? one_extent_operations() : two_extent_operations();
  all.insert(all.end(), others.begin(), others.end());
  std::vector<KnownOperation> grouped;
  for (const KnownOperation& one : all) {
    const auto last =
        std::find_if(grouped.rbegin(), grouped.rend(),
                     [&](const KnownOperation& other) { return have_same_tensors(one, other); });
    grouped.insert(last == grouped.rend() ? grouped.end() : last.base(), one);
  }
  return grouped;
}

}  // namespace warpcheck::workflows::init
