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
  Location where;                    // of the name
  bool of_instance = false;          // [[variant.instances]] defines it
};

struct BuildOptions {
  std::vector<LocatedText> include;  // folders of headers, as written
  std::vector<Define> defines;       // in the order of their names
  std::vector<LocatedText> flags;    // each is one argument of nvcc
};

struct Contract;

/// "-DTILE=8".
[[nodiscard]] std::string define_flag(const Define& define);

/// The arguments of nvcc for a contract, without its architecture. Relative folders are relative to
/// the folder of the contract.
[[nodiscard]] std::vector<std::string> nvcc_arguments(const Contract& contract);

/// Equal for contracts whose kernels one run of nvcc can compile. Does not depend on the folder of
/// the contract.
[[nodiscard]] std::vector<std::string> build_key(const Contract& contract);

/// The folder of `include` as an absolute path.
[[nodiscard]] std::string include_folder(const Contract& contract, const LocatedText& folder);

}  // namespace warpcheck::contract
