// Detection of kernels that still pass, but whose errors have grown markedly.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace warpcheck::workflows::history {

/// The largest |error| / bound by case line.
using Errors = std::map<std::string, double>;

struct ErrorLevel {
  // The geometric mean over the cases with an error. An error below a thousandth of the bound
  // counts as a thousandth.
  double typical = 0.0;
  double largest = 0.0;
};

struct Drift {
  std::string variant;
  std::string device;
  std::string since;        // start of the previous campaign, UTC
  ErrorLevel before;        // errors of the last campaigns on another source
  ErrorLevel now;           // errors of this campaign, on the same cases if `same_cases` is set
  std::int64_t cases = 0;   // cases of this campaign that are compared
  bool same_cases = false;  // false: different cases of the same distribution
  double usual = 0.0;       // median of the earlier typical errors on any source
};

[[nodiscard]] ErrorLevel level_of(const Errors& errors);

/// Returns a drift if the typical error has grown by more than a factor of 1.5 on the same cases,
/// or of six on different cases of the same distribution; docs/history.md gives the reasons. Only
/// cases with an error in either campaign count; fewer than 16 of them give no drift.
[[nodiscard]] std::optional<Drift> drift_between(const Errors& before, const Errors& now);

}  // namespace warpcheck::workflows::history
