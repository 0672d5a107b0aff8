// Timing-dependent defects are found reliably: for each of 50 seeds, the first generated case that
// can show the defect shows it.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <string>

#include "base/diagnostic.hpp"
#include "campaign/generate/cases.hpp"
#include "campaign/minimize_and_confirm.hpp"
#include "contract/compile/nvcc.hpp"
#include "contract/compile/variant.hpp"
#include "device/virtual/virtual_device.hpp"
#include "report/finding/message.hpp"
#include "tests/kernels/specimen_file.hpp"

namespace warpcheck::campaign::checks {
namespace {

constexpr std::uint64_t kSeeds = 50;

struct Specimen {
  std::string name;
  std::string property;  // the property that the defect violates
  std::function<bool(const Case&)> can_show;
};

std::ostream& operator<<(std::ostream& out, const Specimen& specimen) {
  return out << specimen.name;
}

/// Selects cases with terms. Larger cases take minutes in total.
bool has_terms(const Case& problem) {
  const std::int64_t terms = problem.whole("m") * problem.whole("n") * problem.whole("k");
  return terms > 0 && terms <= 200'000;
}

/// Selects sums of so many terms that the order of summation changes the rounding of some.
bool rounds(const Case& problem) {
  return has_terms(problem) && problem.data == Recipe::normal && problem.whole("k") >= 16 &&
         problem.whole("m") * problem.whole("n") >= 256;
}

const std::vector<Specimen> specimens = {
    {"d04_no_barrier_after_product", "",
     [](const Case& problem) { return has_terms(problem) && problem.whole("k") > 16; }},
    {"d05_no_barrier_before_write_back", "", has_terms},
    {"d13_last_buffer_hard_coded", "",
     [](const Case& problem) {
       return has_terms(problem) && (problem.whole("k") + 15) / 16 % 2 == 1 &&
              problem.data != Recipe::onehot;
     }},
    {"d14_five_tiles_in_four_buffers", "",
     [](const Case& problem) { return has_terms(problem) && problem.whole("k") > 64; }},
    {"d15_copy_read_before_wait", "", has_terms},
    {"d16_no_warp_barrier", "", has_terms},
    {"d29_slice_never_launched", "",
     [](const Case& problem) { return has_terms(problem) && problem.whole("m") <= 24; }},
    {"d39_order_of_blocks", "same-bits-twice", rounds},
};

class OnEverySeed : public testing::TestWithParam<Specimen> {
 protected:
  void SetUp() override {
    try {
      (void)contract::find_nvcc();
    } catch (const EnvironmentError& error) {
      GTEST_SKIP() << error.what();
    }
  }
};

bool is_marked(const contract::Variant& variant, const SourcePlace& place) {
  return place.file == variant.compiled->source_file &&
         line_of(variant.compiled->source, place.line).find("// finding here") !=
             std::string_view::npos;
}

/// Returns an error if the result lacks the finding that the contract expects, and "" otherwise.
std::string result_error(const contract::Variant& variant, const CheckResult& result) {
  const auto& classes = variant.contract.expect->classes;
  if (result.evidence.empty()) return "nothing was found";
  for (const run::Evidence& evidence : result.evidence) {
    const Finding& finding = evidence.finding;
    if (std::count(classes.begin(), classes.end(), name(finding.kind)) == 0) continue;
    const bool here = is_marked(variant, finding.source);
    if (finding.kind != FindingClass::race) {
      if (here) return {};
      continue;
    }
    if (!finding.other || finding.other->source.line == 0 || finding.source.line == 0) continue;
    if (here || is_marked(variant, finding.other->source)) return {};
  }
  return "not the finding that the contract expects: " +
         report::message_text(result.evidence.front().finding);
}

TEST_P(OnEverySeed, TheFirstCaseThatCanShowTheDefectShowsIt) {
  const contract::Variant variant = contract::variants_at(specimen_file(GetParam().name)).at(0);
  const auto device = device::make_virtual_device();
  const auto program = device->load(variant.compiled->ptx, variant.compiled->ptx_file);
  const properties::Law& checked = properties::law(GetParam().property);
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const generate::CaseGenerator generator(variant.contract, {.seed = seed});
    Case first;
    for (std::int64_t i = 0; i == 0 || !GetParam().can_show(first); ++i) {
      ASSERT_LT(i, 1000) << "seed " << seed;
      first = properties::adapted(checked, variant.contract, generator.draw(i).problem);
    }
    const campaign::run::Context context{variant, *device, *program};
    const std::string wrong = result_error(variant, check_law(checked, context, first, true));
    EXPECT_EQ(wrong, "") << "seed " << seed << ": " << to_line(first);
  }
}

INSTANTIATE_TEST_SUITE_P(Specimens, OnEverySeed, testing::ValuesIn(specimens),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace warpcheck::campaign::checks
