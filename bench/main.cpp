// Runs the benchmarks and compares the virtual device with Oclgrind and PoCL on the same product.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace {

constexpr const char* kOurs = "run_square_product/tiled16/";
constexpr const char* kOclgrind = "oclgrind/tiled16/96/iterations:1/manual_time";
constexpr const char* kPocl = "pocl/tiled16/";

/// Prints the usual table and stores its rates.
class Rates final : public benchmark::ConsoleReporter {
 public:
  Rates() : ConsoleReporter(OO_None) {}

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      const auto rate = run.counters.find("multiply_adds");
      if (rate != run.counters.end()) rates_[run.benchmark_name()] = rate->second.value;
    }
    ConsoleReporter::ReportRuns(runs);
  }

  /// Ratio of the rates of two benchmarks; 0 if one of them did not run.
  [[nodiscard]] double ratio(const std::string& of, const std::string& to) const {
    const auto numerator = rates_.find(of);
    const auto denominator = rates_.find(to);
    return numerator == rates_.end() || denominator == rates_.end() || denominator->second == 0.0
               ? 0.0
               : numerator->second / denominator->second;
  }

 private:
  std::map<std::string, double> rates_;
};

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  Rates rates;
  benchmark::RunSpecifiedBenchmarks(&rates);
  if (const double ratio = rates.ratio(kOurs + std::string("96"), kOclgrind); ratio != 0.0) {
    std::printf("tiled16 of 96, all checks on: %.0f times as fast as Oclgrind with its checkers\n",
                ratio);
  }
  for (const std::string size : {"96", "256"}) {
    const double ratio = rates.ratio(kOurs + size, kPocl + size + "/manual_time");
    if (ratio == 0.0) continue;
    std::printf(
        "tiled16 of %s, all checks on: %.2f times the speed of PoCL, which checks nothing\n",
        size.c_str(), ratio);
  }
  return 0;
}
