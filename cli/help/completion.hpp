// Candidates for the last word of an incomplete command line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/help/command_app.hpp"

namespace warpcheck::cli {

struct Candidate {
  std::string text;         // ":files" and ":folders" stand for the names of files and folders
  std::string description;  // one line; may be empty
};

/// Functions that list names; called only where such a name may stand.
struct KnownNames {
  std::function<std::vector<Candidate>()> variants;
  std::function<std::vector<Candidate>()> properties;
};

/// `words`: the words after the program's name; the last one is incomplete or empty.
///
/// The value text of an option or argument in the help determines its candidates: words in lower
/// case are candidates (`auto|virtual|cuda`), words in capitals are kinds of names (FILE, TARGET).
[[nodiscard]] std::vector<Candidate> complete(const CommandApp& program,
                                              std::vector<std::string> words,
                                              const KnownNames& known);

}  // namespace warpcheck::cli
