// What may stand for the last word of a command line that is being typed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/help/command_app.hpp"

namespace warpcheck::cli {

struct Candidate {
  std::string text;         // ":files" and ":folders" stand for those of the machine
  std::string description;  // one line; may be empty
};

/// The names that this machine knows, asked for where one may stand.
struct KnownNames {
  std::function<std::vector<Candidate>()> variants;
  std::function<std::vector<Candidate>()> properties;
};

/// `words`: those after the program's name, the last one the word that has been begun, or empty.
///
/// What an option or an argument takes follows from its text in the help: words in small letters
/// stand for themselves (`auto|virtual|cuda`), those in capitals for what they name (FILE, TARGET).
[[nodiscard]] std::vector<Candidate> complete(const CommandApp& program,
                                              std::vector<std::string> words,
                                              const KnownNames& known);

}  // namespace warpcheck::cli
