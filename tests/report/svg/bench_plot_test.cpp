#include "report/svg/bench_plot.hpp"

#include <gmock/gmock.h>

#include <pugixml.hpp>

#include "tests/workflows/bench/sample_results.hpp"

namespace warpcheck::report {
namespace {

TEST(BenchPlot, HasABarForEachShareOfCublas) {
  pugi::xml_document document;
  ASSERT_TRUE(document.load_string(bench_plot(workflows::bench::sample_results()).c_str()));
  const auto bars = document.select_nodes("//rect");
  ASSERT_EQ(bars.size(), 1U) << "a result without cuBLAS has no bar";
  EXPECT_DOUBLE_EQ(bars[0].node().attribute("width").as_double(), 0.8 * 420);
  EXPECT_NE(document.select_node("//text[text()='fast<1>']").node(), nullptr);
}

}  // namespace
}  // namespace warpcheck::report
