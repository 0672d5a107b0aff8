#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "campaign/case/domain.hpp"
#include "campaign/case/normalized.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/interpret/exchange.hpp"
#include "campaign/interpret/interpretation_model.hpp"

namespace warpcheck::campaign::interpret {
namespace {

using contract::ArgumentWord;
using contract::Contract;
using contract::Layout;

constexpr std::int64_t kCandidates = 60;         // generated cases, of which some are suitable
constexpr std::int64_t kMostProducts = 1 << 21;  // m n k of a suitable case
constexpr std::int64_t kLargestSize = 96;

std::string_view word(Layout layout) { return layout == Layout::row ? "row" : "col"; }

void add_layouts(const Contract& contract, std::vector<Interpretation>& all) {
  // Bit 0 exchanges the layout of A, bit 1 that of B, bit 2 that of C.
  for (const unsigned exchanged : {1U, 2U, 4U, 3U, 5U, 6U, 7U}) {
    Contract other = contract;
    const auto exchange = [](Layout& layout) {
      layout = layout == Layout::row ? Layout::column : Layout::row;
    };
    if ((exchanged & 1U) != 0) exchange(other.layout_a);
    if ((exchanged & 2U) != 0) exchange(other.layout_b);
    if ((exchanged & 4U) != 0) exchange(other.layout_c);
    std::string change =
        fmt::format("layout = {{ a = \"{}\", b = \"{}\", c = \"{}\" }}", word(other.layout_a),
                    word(other.layout_b), word(other.layout_c));
    all.push_back({std::move(change), std::move(other)});
  }
}

void add_arguments(const Contract& contract, std::vector<Interpretation>& all) {
  constexpr std::array<std::pair<ArgumentWord, ArgumentWord>, 4> kPairs = {
      {{ArgumentWord::m, ArgumentWord::n},
       {ArgumentWord::m, ArgumentWord::k},
       {ArgumentWord::n, ArgumentWord::k},
       {ArgumentWord::a, ArgumentWord::b}}};
  all.push_back(with_grid_exchanged({"", contract}));
  for (const auto& [one, other] : kPairs) {
    if (!is_passed(contract, name(one)) || !is_passed(contract, name(other))) continue;
    all.push_back(with_arguments_exchanged(contract, name(one), name(other)));
    all.push_back(with_grid_exchanged(all.back()));
  }
}

/// The sizes differ, so that a wrong layout or a wrong order of arguments shows.
bool is_suitable(const Case& problem) {
  return problem.m > 1 && problem.n > 1 && problem.k > 1 && problem.m != problem.n &&
         problem.n != problem.k && problem.m != problem.k && problem.alpha != 0.0 &&
         problem.data != Recipe::special && problem.batch > 0 &&
         problem.m * problem.n * problem.k <= kMostProducts;
}

class MatrixInterpretationModel final : public InterpretationModel {
 public:
  std::vector<Interpretation> interpretations(const Contract& contract) const override {
    std::vector<Interpretation> all;
    add_layouts(contract, all);
    add_arguments(contract, all);
    return all;
  }

  std::vector<Case> suitable_cases(const Contract& contract, std::size_t count) const override {
    std::vector<Case> cases;
    const generate::CaseGenerator generator(contract, {.max_size = kLargestSize});
    for (std::int64_t i = 0; i < kCandidates && cases.size() < count; ++i) {
      Case problem = generator.draw(i).problem;
      problem.lda = problem.ldb = problem.ldc = 0;
      problem.stride_a = problem.stride_b = problem.stride_c = 0;
      problem.data = Recipe::lattice;
      problem = normalized(contract, problem);
      if (is_suitable(problem) && !violated(contract, problem)) cases.push_back(problem);
    }
    return cases;
  }
};

}  // namespace

const InterpretationModel& InterpretationModel::of_matrices() {
  static const MatrixInterpretationModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::interpret
