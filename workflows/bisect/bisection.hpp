// The result of a bisection.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "campaign/report.hpp"

namespace warpcheck::workflows::bisect {

struct Commit {
  std::string hash;
  std::string subject;
  std::string author;  // "name <mail>"
  std::string date;

  [[nodiscard]] std::string short_hash() const { return hash.substr(0, 10); }
};

struct Bisection {
  std::vector<Commit> bad;   // the first bad commit; several if those between cannot run
  std::int64_t steps = 0;    // commits that were tried, including skipped ones
  std::int64_t skipped = 0;  // commits that cannot run
  std::string path;  // path of the kernel's file or folder, relative to the top of the repository
  std::string diff_command;  // shell command that compares the commit with its parent
  // Findings at the first bad commit. Empty if `bad` has several commits.
  std::vector<campaign::FindingReport> findings;
};

}  // namespace warpcheck::workflows::bisect
