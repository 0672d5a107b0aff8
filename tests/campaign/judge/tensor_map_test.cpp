// Tiles of the outputs of operations of the language, and cases that show the pattern of errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "campaign/judge/error_map.hpp"
#include "campaign/judge/map_cases.hpp"
#include "tests/campaign/operation_contract.hpp"

namespace warpcheck::campaign::judge {
namespace {

using ::testing::ElementsAre;
using testing::operation_contract;

/// y[i,j] = x[i,j], with this shape of the output and this grid.
contract::Contract copying(const std::string& shape, const std::string& index,
                           const std::string& grid) {
  return operation_contract(R"toml(
[[operation]]
name    = "copy"
extents = ["depth", "rows", "columns"]
inputs  = { x = { shape = )toml" +
                            shape + R"toml( } }
outputs = { y = { shape = )toml" +
                            shape + R"toml( } }
define  = "y[)toml" + index +
                            "] = x[" + index + R"toml(]"

[[variant]]
name      = "copy"
operation = "copy"
kernel    = "copy"
arguments = ["x", )toml" + (index.size() > 1 ? "\"stride_x\", " : "") +
                            R"toml("y", "depth", "rows", "columns"]
block     = [32, 8]
grid      = )toml" + grid);
}

contract::Contract matrix_copy() {
  return copying("[\"rows\", \"columns\"]", "i,j",
                 R"x(["ceil_div(columns, 32)", "ceil_div(rows, 8)"])x");
}

std::string lines(const std::vector<Case>& cases) {
  std::string text;
  for (const Case& problem : cases) text += to_line(problem) + "\n";
  return text;
}

TEST(TensorTile, IsTheStepOfTheGrid) {
  const Case problem = parse_case("copy operation=copy depth=1 rows=3 columns=100");
  EXPECT_EQ(output_tile(matrix_copy(), problem, "y"), (Tile{8, 32}));
  const contract::Contract rows =
      copying("[\"rows\", \"columns\"]", "i,j", "[\"ceil_div(rows, 64)\"]");
  EXPECT_EQ(output_tile(rows, problem, "y"), (Tile{64, 0}));  // a thread has the columns of a row
  const contract::Contract vector = copying("[\"columns\"]", "j", "[\"ceil_div(columns, 128)\"]");
  EXPECT_EQ(output_tile(vector, problem, "y"), (Tile{0, 128}));
}

TEST(TensorTile, IsUnknownForRowsOfSeveralMatricesAndSums) {
  const Case problem = parse_case("copy operation=copy depth=2 rows=3 columns=100");
  const std::string grid = R"x(["ceil_div(columns, 32)", "ceil_div(rows, 8)", "depth"])x";
  const contract::Contract cube = copying("[\"depth\", \"rows\", \"columns\"]", "d,i,j", grid);
  EXPECT_EQ(output_tile(cube, problem, "y"), (Tile{0, 32}));
  const contract::Contract sum = copying("[\"rows\", \"columns + depth\"]", "i,j", grid);
  EXPECT_EQ(output_tile(sum, problem, "y"), (Tile{8, 0}));
}

TEST(TensorCasesToMap, IncludeLargerOnesIfTheFailingOneIsTooSmall) {
  const auto of = [](const std::string& line) {
    return lines(cases_to_map(matrix_copy(), parse_case(line), "y"));
  };
  EXPECT_EQ(of("copy operation=copy depth=1 rows=2 columns=3 stride_x=5 seed=7"),
            "copy operation=copy depth=1 rows=41 columns=81 data=lattice seed=7\n"
            "copy operation=copy depth=1 rows=41 columns=81 data=lattice seed=7\n"
            "copy operation=copy depth=1 rows=32 columns=64 data=lattice seed=7\n"
            "copy operation=copy depth=1 rows=2 columns=3 stride_x=5 data=lattice seed=7\n");
  EXPECT_EQ(of("copy operation=copy depth=1 rows=20 columns=70 seed=7"),
            "copy operation=copy depth=1 rows=20 columns=70 data=lattice seed=7\n");
}

TEST(TensorCasesToMap, LeaveOutExpensiveOnes) {
  const Case problem = parse_case("copy operation=copy depth=1 rows=1 columns=4000000");
  EXPECT_EQ(lines(cases_to_map(matrix_copy(), problem, "y")),  // rows=41 columns=4000000 is missing
            "copy operation=copy depth=1 rows=41 columns=81 data=lattice seed=0\n"
            "copy operation=copy depth=1 rows=32 columns=64 data=lattice seed=0\n"
            "copy operation=copy depth=1 rows=1 columns=4000000 data=lattice seed=0\n");
}

}  // namespace
}  // namespace warpcheck::campaign::judge
