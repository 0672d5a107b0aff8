// A variant: one kernel with its contract, compiled to PTX and with its entries found.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "contract/contract.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::contract {

/// One `.cu`, compiled. Shared by the variants that it holds.
struct Compiled {
  std::string source_file;  // the .cu, absolute, as the PTX's .file names it
  std::string source;       // its text
  std::string ptx_file;     // where the PTX lies, for messages
  std::string ptx;
};

using Parameter = ptx::EntryParameter;
using Entry = ptx::EntryPoint;

struct Variant {
  Contract contract;
  std::shared_ptr<const Compiled> compiled;
  std::vector<Entry> entries;  // of each of the contract's launches
};

/// The variants that the build compiled, from below kernels/gemm: in the order of their names. They
/// lie beside the program, in ../kernels (a build tree) or ../share/warpcheck/kernels (installed);
/// neither the source tree nor nvcc is needed. Throws EnvironmentError where the build had no nvcc.
[[nodiscard]] std::vector<Variant> builtin_variants();

/// Finds every variant of a `.cu` (contract in a sidecar `.toml` or in its own comment) or of all
/// `.cu` with a contract under a folder, in the order of files and of the contract's tables.
/// Compiles with nvcc where no compilation of the same content, flags and compiler is cached.
/// Throws InputError (contract, source, nvcc's own errors) or EnvironmentError (no nvcc).
[[nodiscard]] std::vector<Variant> variants_at(const std::string& path);

}  // namespace warpcheck::contract
