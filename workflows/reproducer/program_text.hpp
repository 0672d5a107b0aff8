// The text of a program that runs one case without warpcheck.
#pragma once

#include <map>
#include <span>
#include <string>

#include "campaign/run/problem.hpp"
#include "workflows/reproducer/expected_outputs.hpp"

namespace warpcheck::workflows::reproducer {

struct ProgramParts {
  std::string line;     // the case
  std::string compile;  // the command that compiles the program
  std::string source;   // the file of the kernel, relative to the program
  // Outputs hold the poison of the case: a wrong kernel may compute with it. False: nothing is
  // written to them, so that a memory checker reports undefined reads.
  bool fills_outputs = true;
};

/// A program, and the files that it reads when it runs: operands and correct values that are too
/// large for a source.
struct Program {
  std::string text;
  std::map<std::string, std::string> files = {};  // contents by the names of the files
};

/// Throws InputError for a launch that needs tensor maps.
[[nodiscard]] Program program_of(const campaign::run::Problem& problem,
                                 std::span<const ExpectedOutput> outputs,
                                 const ProgramParts& parts);

}  // namespace warpcheck::workflows::reproducer
