#include "campaign/judge/error_map.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "campaign/judge/map_cases.hpp"
#include "campaign/run/problem.hpp"
#include "reference/gemm.hpp"
#include "report/finding/diagnosis_text.hpp"
#include "tests/campaign/gemm_device.hpp"

namespace warpcheck::campaign::judge {
namespace {

using testing::Call;
using ::testing::ElementsAre;
using testing::gemm;
using testing::GemmDevice;
using ::testing::HasSubstr;
using testing::Kernel;
using testing::plain_variant;
using testing::variant_of;

contract::Variant with_launch(const std::string& grid, const std::string& block) {
  return variant_of(
      "[[variant]]\nname = \"gemm\"\nkernel = \"gemm<16>\"\noperation = \"gemm\"\n"
      "layout = \"row\"\ntypes = { a = \"f32\", b = \"f32\", c = \"f32\", accumulate = \"f32\" }\n"
      "arguments = [\"a\", \"b\", \"c\", \"m\", \"n\", \"k\"]\nblock = " +
      block + "\ngrid = " + grid + "\n");
}

Tile tile_of(const std::string& grid, const std::string& block) {
  return output_tile(with_launch(grid, block).contract, parse_case("gemm m=100 n=77 k=5"), "D");
}

TEST(OutputTile, IsTheStepInWhichTheGridGrows) {
  EXPECT_EQ(tile_of(R"x(["ceil_div(n, 32)", "ceil_div(m, 16)"])x", "[32, 16]"), (Tile{16, 32}));
  EXPECT_EQ(tile_of(R"x(["ceil_div(m, 64) * ceil_div(n, 8)"])x", "[256]"), (Tile{64, 8}));
  EXPECT_EQ(tile_of(R"x(["min(ceil_div(n, 32), 64)", "(m + 127) / 128"])x", "[256]"),
            (Tile{128, 32}));
}

TEST(OutputTile, IsTheBlockWhereABlockLoopsOverAnExtent) {
  EXPECT_EQ(tile_of(R"x(["m"])x", "[32]"), (Tile{1, 32}));
  EXPECT_EQ(tile_of(R"x(["ceil_div(n, 8)"])x", "[8, 4]"), (Tile{4, 8}));
}

TEST(OutputTile, IsUnknownWhereTheGridDoesNotDependOnTiles) {
  EXPECT_EQ(tile_of("[1]", "[32]"), (Tile{0, 0}));
  // Each block computes 256 consecutive elements of D, across row boundaries.
  EXPECT_EQ(tile_of(R"x(["ceil_div(m * n, 256)"])x", "[256]"), (Tile{0, 0}));
}

TEST(ErrorMap, CountsEveryElementInItsCellAndItsResidues) {
  ErrorMap map = empty_map(5, 4, {2, 3});
  for (std::int64_t i = 0; i < 5; ++i) {
    for (std::int64_t j = 0; j < 4; ++j) add_element(map, i, j, 0.125, false);
  }
  add_element(map, 4, 3, 7.0, true);
  add_element(map, 1, 2, HUGE_VAL, true);
  EXPECT_EQ(map.cells.size(), 20U);
  EXPECT_EQ(map.cells[4 * 4 + 3], (ErrorCell{7.0, 1}));
  EXPECT_EQ(map.cells[1 * 4 + 2], (ErrorCell{HUGE_VAL, 1}));
  EXPECT_EQ(map.cells[0], (ErrorCell{0.125, 0}));
  EXPECT_THAT(map.wrong_by_row, ElementsAre(1, 1));        // rows 4 and 1 modulo 2
  EXPECT_THAT(map.wrong_by_column, ElementsAre(1, 0, 1));  // columns 3 and 2 modulo 3
  EXPECT_EQ(map.wrong, 2);
}

TEST(ErrorMap, HasAtMost96CellsPerAxisAlignedToTiles) {
  for (const std::int64_t extent : {1, 95, 96, 97, 200, 1000, 4099, 100000}) {
    for (const std::int64_t tile : {0, 1, 7, 16, 48, 1024}) {
      const ErrorMap map = empty_map(extent, 1, {tile, 0});
      EXPECT_LE(map.cells_down(), 96) << extent << ' ' << tile;
      EXPECT_GE(map.cells_down() * map.cell_rows, extent);
      if (tile == 0) continue;
      EXPECT_TRUE(tile % map.cell_rows == 0 || map.cell_rows % tile == 0)
          << map.cell_rows << " rows a cell, " << tile << " a tile";
    }
  }
}

std::optional<campaign::FindingReport> first_finding(const contract::Variant& variant,
                                                     const Kernel& kernel,
                                                     const campaign::CampaignOptions& options) {
  GemmDevice device(variant, kernel);
  campaign::Listener silent;
  const campaign::CampaignReport report =
      campaign::run_campaign({&variant, 1}, device, options, silent);
  if (report.variants[0].findings.empty()) return std::nullopt;
  return report.variants[0].findings[0];
}

void skips_edge_columns(Call& call) {
  gemm(call, call.k, [&](std::int64_t, std::int64_t j) { return j < call.n / 16 * 16; });
}

campaign::CampaignOptions mapping() {
  campaign::CampaignOptions options;
  options.cases = 20;
  options.properties = {"matches-reference"};
  options.map_errors = true;
  return options;
}

TEST(ErrorMap, ShowsTheGeneratedCaseOfAFinding) {
  const contract::Variant variant = plain_variant("requires = [\"n > 32\", \"m > 16\"]");
  const auto finding = first_finding(variant, skips_edge_columns, mapping());
  ASSERT_TRUE(finding && finding->map);
  const ErrorMap& map = *finding->map;
  const Case& generated = finding->original;
  EXPECT_EQ(map.line, to_line(generated));
  EXPECT_EQ(map.rows, generated.whole("m"));
  EXPECT_EQ(map.columns, generated.whole("n"));
  EXPECT_EQ(map.tile, (Tile{16, 16}));
  // The kernel skips the columns beyond the last whole tile in every row.
  const std::int64_t skipped = generated.whole("n") % 16;
  EXPECT_EQ(map.wrong, skipped * generated.whole("m"));
  for (std::int64_t residue = 0; residue < 16; ++residue) {
    EXPECT_EQ(map.wrong_by_column[residue], residue < skipped ? generated.whole("m") : 0)
        << residue;
  }
  for (std::int64_t i = 0; i < map.cells_down(); ++i) {
    for (std::int64_t j = 0; j < map.cells_across(); ++j) {
      const ErrorCell& cell = map.cells[i * map.cells_across() + j];
      EXPECT_EQ(cell.wrong > 0, (j + 1) * map.cell_columns > generated.whole("n") / 16 * 16)
          << i << ' ' << j;
    }
  }
  EXPECT_THAT(report::diagnosis_text(map.diagnosis), HasSubstr("the wrong elements lie in column"));
}

/// The oracle is the reference result for the same operands.
TEST(ErrorMap, MeasuresAnErrorInUnitsOfItsElementsBound) {
  const contract::Variant variant =
      plain_variant("requires = [\"m <= 90\", \"n <= 90\", \"k > 4\"]");
  campaign::CampaignOptions options = mapping();
  options.cases = 60;
  const auto off_by_a_little = [](Call& call) {
    testing::right(call);
    for (std::int64_t i = 0; i < call.m; ++i) {
      for (std::int64_t j = 0; j < call.n; ++j) {
        call.store("C", i * call.ldc + j, call.load("C", i * call.ldc + j) + 0.25F);
      }
    }
  };
  const auto finding = first_finding(variant, off_by_a_little, options);
  ASSERT_TRUE(finding && finding->map);
  const Case generated = parse_case(finding->map->line);
  const run::Problem problem = run::make_problem(
      variant, generated, run::operands(variant.contract, generated), run::usual_poison(generated));
  const reference::Expected expected = reference::gemm(run::reference_problem(problem));
  const ErrorMap& map = *finding->map;
  ASSERT_EQ(map.cells.size(), expected.value.values.size());
  for (std::int64_t i = 0; i < map.rows; ++i) {
    for (std::int64_t j = 0; j < map.columns; ++j) {
      const double error = map.cells[i * map.columns + j].largest;
      const double bound = expected.tolerance(i, j);
      if (bound == 0.0) {
        EXPECT_EQ(error, HUGE_VAL);
      } else {
        EXPECT_NEAR(error, 0.25 / bound,
                    1.01 + 0.01 * error);  // the rounding error is at most 1 bound
      }
    }
  }
}

/// Returns the extents of D of each case, such as "2 x 3".
std::vector<std::string> extents(const std::vector<Case>& cases) {
  std::vector<std::string> texts;
  for (const Case& problem : cases) {
    texts.push_back(std::to_string(problem.whole("m")) + " x " +
                    std::to_string(problem.whole("n")));
  }
  return texts;
}

TEST(CasesToMap, IncludeLargerCasesIfTheGeneratedOneIsTooSmall) {
  const contract::Variant small =
      with_launch(R"x(["ceil_div(n, 16)", "ceil_div(m, 16)"])x", "[16, 16]");
  const auto of = [&](const std::string& line) {
    return cases_to_map(small.contract, parse_case(line), "D");
  };
  EXPECT_THAT(extents(of("gemm m=17 n=90 k=5")), ElementsAre("17 x 90"));
  EXPECT_THAT(extents(of("gemm m=1 n=90 k=5")),
              ElementsAre("41 x 41", "41 x 90", "32 x 32", "1 x 90"));
  EXPECT_THAT(extents(of("gemm m=3 n=2 k=5")),
              ElementsAre("41 x 41", "41 x 41", "32 x 32", "3 x 2"));
  const contract::Variant large =
      with_launch(R"x(["ceil_div(n, 128)", "ceil_div(m, 64)"])x", "[256]");
  EXPECT_THAT(extents(cases_to_map(large.contract, parse_case("gemm m=70 n=1 k=5"), "D")),
              ElementsAre("97 x 193", "70 x 193", "64 x 128", "70 x 1"));
}

TEST(ErrorMap, UsesALargerCaseIfTheFailingOneIsTooSmall) {
  const contract::Variant variant = plain_variant("requires = [\"k > 0\"]");
  campaign::CampaignOptions options = mapping();
  options.max_size = 15;
  const auto finding = first_finding(variant, skips_edge_columns, options);
  ASSERT_TRUE(finding && finding->map);
  EXPECT_LE(finding->original.whole("n"), 15);
  EXPECT_EQ(finding->map->columns, 41);
  EXPECT_EQ(finding->map->wrong, 41 * 9);
  EXPECT_EQ(report::diagnosis_text(finding->map->diagnosis).substr(0, 68),
            "the wrong elements lie in columns 32 to 40, beyond the last multiple");
}

TEST(ErrorMap, ShowsTheElementsThatDifferBetweenRuns) {
  const contract::Variant variant =
      plain_variant("requires = [\"m == 24\", \"n == 40\", \"k > 0\"]");
  campaign::CampaignOptions options = mapping();
  options.properties = {"same-bits-twice"};
  const auto by_schedule = [](Call& call) {
    testing::right(call);
    call.store("C", 17 * call.ldc + 35, static_cast<float>(call.schedule % 1000));
  };
  const auto finding = first_finding(variant, by_schedule, options);
  ASSERT_TRUE(finding && finding->map);
  EXPECT_EQ(finding->finding.kind, FindingClass::nondeterministic);
  EXPECT_EQ(finding->map->wrong, 1);
  EXPECT_EQ(finding->map->cells[17 * 40 + 35], (ErrorCell{HUGE_VAL, 1}));
  EXPECT_EQ(finding->map->wrong_by_row[1], 1);
  EXPECT_EQ(finding->map->wrong_by_column[3], 1);
  EXPECT_EQ(report::diagnosis_text(finding->map->diagnosis), "only C[17, 35] is wrong");
}

TEST(ErrorMap, DoesNotChangeTheRestOfTheReport) {
  const contract::Variant variant = plain_variant();
  campaign::CampaignOptions options = mapping();
  const auto with = first_finding(variant, skips_edge_columns, options);
  options.map_errors = false;
  const auto without = first_finding(variant, skips_edge_columns, options);
  ASSERT_TRUE(with && without);
  EXPECT_FALSE(without->map);
  EXPECT_EQ(with->original, without->original);
  EXPECT_EQ(with->smallest, without->smallest);
  EXPECT_EQ(with->shrink_launches, without->shrink_launches);
  EXPECT_EQ(with->finding.message, without->finding.message);
}

TEST(Histogram, CountsEachCaseBySensitivityAndByError) {
  campaign::Histogram histogram;
  for (const double sensitivity : {0.0, 0.05, 0.5, 0.999, 1.0})
    histogram.add_sensitivity(sensitivity);
  EXPECT_THAT(histogram.sensitivity, ElementsAre(2, 0, 0, 0, 0, 1, 0, 0, 0, 2));
  for (const double error : {0.0, 1e-9, 0.2, 1.0, 1.1, 1e300, HUGE_VAL}) histogram.add_error(error);
  EXPECT_THAT(histogram.error, ElementsAre(1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 2, 1));
}

TEST(Histogram, CountsEveryComparedCaseOfACampaign) {
  const contract::Variant variant = plain_variant("requires = [\"k > 0\"]");
  campaign::CampaignOptions options = mapping();
  options.map_errors = false;
  GemmDevice device(variant, testing::right);
  campaign::Listener silent;
  const campaign::VariantReport report =
      campaign::run_campaign({&variant, 1}, device, options, silent).variants.at(0);
  std::int64_t errors = 0;
  for (const std::int64_t cases : report.histogram.error) errors += cases;
  EXPECT_EQ(errors, report.cases);
  EXPECT_EQ(report.histogram.error[10] + report.histogram.error[11], 0) << "a correct kernel";
}

}  // namespace
}  // namespace warpcheck::campaign::judge
