// Mistakes of users: what is wrong, and the error that states the cause, the place and the remedy.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace warpcheck::tool {

struct Mistake {
  std::string name;
  std::string source;              // x.cu
  std::vector<std::string> words;  // arguments of the command; empty: check x.cu
  std::string error;               // a part of the standard error, with the place
  int status = 2;
  std::vector<std::pair<std::string, std::string>> files = {};            // other files
  std::function<void(const std::filesystem::path& folder)> prepare = {};  // may be null
};

inline void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

/// In contracts and sources, found before or by nvcc.
[[nodiscard]] std::vector<Mistake> mistakes_in_contracts();
[[nodiscard]] std::vector<Mistake> mistakes_in_sources();
/// In the command line, in policies, and in files that a command names.
[[nodiscard]] std::vector<Mistake> mistakes_in_commands();

}  // namespace warpcheck::tool
