// Whether a kernel that still passes errs markedly more than it did.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace warpcheck::workflows::history {

/// By case line, the largest |error| / bound of its judged products.
using Errors = std::map<std::string, double>;

struct ErrorLevel {
  double typical = 0.0;  // the geometric mean over the cases that show an error; errors of less
                         // than a thousandth of the bound count as that
  double largest = 0.0;
};

struct Drift {
  std::string variant;
  std::string device;
  std::string since;        // when the campaign before began, UTC
  ErrorLevel before;        // of the last campaigns on another source
  ErrorLevel now;           // of the same cases, where `same_cases`
  std::int64_t cases = 0;   // compared, now
  bool same_cases = false;  // before and now; otherwise other cases of the same distribution
  double usual = 0.0;       // the median of what was typical before, whatever the source
};

[[nodiscard]] ErrorLevel level_of(const Errors& errors);

/// Empty where the typical error is no more than 1.5 times what it was, on the same cases (16 of
/// them, at least) of which either campaign's show an error; or, of other cases of the same
/// distribution, six times: docs/history.md says why. Too few cases say nothing.
[[nodiscard]] std::optional<Drift> drift_between(const Errors& before, const Errors& now);

}  // namespace warpcheck::workflows::history
