#include "report/console/bench_text.hpp"

#include <fmt/format.h>

namespace warpcheck::report {
namespace {

using workflows::bench::Result;

/// "1.23 ms", three digits.
std::string time_text(double seconds) {
  if (seconds >= 1.0) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} us", seconds * 1e6);
}

/// "46.9 TOP/s", "3.2 TB/s": operations or bytes per second.
std::string rate_text(double rate, std::string_view unit) {
  if (rate >= 1e12) return fmt::format("{:.1f} T{}", rate * 1e-12, unit);
  if (rate >= 1e9) return fmt::format("{:.1f} G{}", rate * 1e-9, unit);
  return fmt::format("{:.1f} M{}", rate * 1e-6, unit);
}

std::string rate_of(const Result& result) {
  return result.counts_operations() ? rate_text(result.rate(), "OP/s")
                                    : rate_text(result.bandwidth(), "B/s");
}

std::string rounded_percent(double share) { return fmt::format("{:.1f} %", 100.0 * share); }

std::string row(std::size_t widest, const std::string& variant, const std::string& size,
                const std::string& time, const std::string& spread, const std::string& rate,
                const std::string& cublas, const std::string& share, const std::string& peak,
                const std::string& clock) {
  return fmt::format("{:<{}}  {:>17}  {:>8}  {:>7}  {:>10}  {:>10}  {:>8}  {:>7}  {:>5}\n", variant,
                     widest, size, time, spread, rate, cublas, share, peak, clock);
}

}  // namespace

std::string bench_head(std::size_t widest) {
  return row(widest, "variant", "size", "median", "spread", "rate", "cuBLAS", "share", "of peak",
             "MHz");
}

std::string bench_row(const Result& result, std::size_t widest) {
  const auto cublas = result.cublas_rate();
  const auto share = result.share_of_cublas();
  const auto peak_share = result.share_of_peak();
  std::string text =
      row(widest, result.variant, result.size, time_text(result.seconds.median),
          rounded_percent(result.seconds.spread()), rate_of(result),
          cublas ? rate_text(*cublas, "OP/s") : "-", share ? rounded_percent(*share) : "-",
          peak_share ? rounded_percent(*peak_share) : "-",
          result.clock_hz ? fmt::format("{:.0f}", *result.clock_hz * 1e-6) : "-");
  if (!result.wrong.empty()) text += fmt::format("  wrong result: {}\n", result.wrong);
  return text;
}

}  // namespace warpcheck::report
