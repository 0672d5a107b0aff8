// What a bisection of a repository is told as.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/campaign/campaign.hpp"
#include "report/paint.hpp"

namespace warpcheck::report {

struct Commit {
  std::string hash;
  std::string subject;
  std::string author;  // "name <mail>"
  std::string date;
};

struct Bisection {
  std::vector<Commit> bad;   // the first bad commit; several where those between could not be asked
  std::int64_t steps = 0;    // commits asked, those that could not be asked included
  std::int64_t skipped = 0;  // that could not be asked
  std::string diff_command;  // for the shell: the commit against the one before it
  std::vector<properties::campaign::FindingReport> findings;  // of the case at the first bad commit
};

[[nodiscard]] std::string text(const Bisection& bisection, const Paint& paint);

/// {"event":"bisection", commits: [{commit, subject, author, date}], steps, skipped, findings}: one
/// object without a line feed.
[[nodiscard]] std::string json(const Bisection& bisection);

}  // namespace warpcheck::report
