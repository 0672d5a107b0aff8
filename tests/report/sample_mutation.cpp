#include "tests/report/sample_mutation.hpp"

#include <string>
#include <string_view>

namespace warpcheck::report {
namespace {

using workflows::mutate::Fate;
using workflows::mutate::MutantReport;

MutantReport mutant(std::string_view planted, Fate fate, const std::string& before,
                    const std::string& after) {
  MutantReport report;
  report.planted = planted;
  report.fate = fate;
  report.place = {"k.cu", 20, before, 77, {}};
  report.excerpt = {"k.cu", 20, 19, {"  before", "  the line", "  behind"}};
  report.after = after;
  report.reached = 12;
  return report;
}

}  // namespace

workflows::mutate::MutationReport sample_mutation() {
  workflows::mutate::MutationReport report;
  report.variant = "k";
  report.cases = 500;
  report.mutants = {mutant("barrier-dropped", Fate::killed, "bar.sync 0", ""),
                    mutant("fma-to-mul", Fate::survived, "fma x", "mul x"),
                    mutant("fma-to-mul", Fate::equivalent, "fma y", "mul y"),
                    mutant("store-dropped", Fate::unreachable, "st z", "")};
  report.mutants[0].kill = workflows::mutate::Kill{FindingClass::race, {}, 3};
  report.operators = {{"barrier-dropped", "", {.possible = 1, .killed = 1}, 3.0},
                      {"fma-to-mul", "", {.possible = 40, .survived = 1, .equivalent = 1}, 0.0},
                      {"store-dropped", "", {.possible = 2, .unreachable = 1}, 0.0}};
  for (const auto& of : report.operators) report.score += of.score;
  return report;
}

}  // namespace warpcheck::report
