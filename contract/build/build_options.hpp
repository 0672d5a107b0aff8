// The options with which nvcc compiles the kernels of a contract.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"

namespace warpcheck::contract {

/// A text of the contract with its place.
struct LocatedText {
  std::string text;
  Location where;
};

/// A macro that nvcc defines.
struct Define {
  std::string name;
  std::optional<std::string> value;  // empty: the macro is defined as 1
  Location where;                    // location of the name
  bool from_instance = false;        // [[variant.instances]] defines it
};

struct BuildOptions {
  std::vector<LocatedText> include;  // folders of headers, as written
  std::vector<Define> defines;       // sorted by name
  std::vector<LocatedText> flags;    // each is one argument of nvcc
};

/// "-DTILE=8".
[[nodiscard]] std::string define_flag(const Define& define);

/// The folder of `include` as an absolute path. It is relative to that of the contract's file.
[[nodiscard]] std::string include_folder(const std::string& contract_file,
                                         const LocatedText& folder);

/// The arguments of nvcc for a contract in this file.
[[nodiscard]] std::vector<std::string> nvcc_arguments(const BuildOptions& build,
                                                      const std::string& contract_file);

/// The same with folders as written, which do not depend on that of the contract.
[[nodiscard]] std::vector<std::string> relative_arguments(const BuildOptions& build);

}  // namespace warpcheck::contract
