// Result of a bisection of a repository.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "properties/campaign/report.hpp"

namespace warpcheck::report {

struct Commit {
  std::string hash;
  std::string subject;
  std::string author;  // "name <mail>"
  std::string date;
};

struct Bisection {
  std::vector<Commit> bad;   // the first bad commit; several if those between them could not be run
  std::int64_t steps = 0;    // commits tried, including those that could not be run
  std::int64_t skipped = 0;  // commits that could not be run
  std::string diff_command;  // for the shell: the commit against the one before it
  std::vector<properties::campaign::FindingReport> findings;  // of the case at the first bad commit
};

}  // namespace warpcheck::report
