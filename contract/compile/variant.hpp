// A variant: a kernel with its contract, its PTX and its entries.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "contract/contract.hpp"
#include "contract/target_error.hpp"
#include "ptx/scan.hpp"

namespace warpcheck::contract {

/// The reason why a GPU refuses to load a kernel or its module: ptxas reports an error, or the
/// target of the PTX lacks an instruction.
struct AssemblyError {
  std::string message;    // one sentence, no period
  std::string entry;      // the mangled name of the kernel; empty: it concerns all kernels
  Location where;         // location in the source; line 0: unknown
  unsigned ptx_line = 0;  // 0: unknown
};

/// One compiled `.cu` or one `.ptx`, shared by its variants.
struct Compiled {
  std::string source_file;  // absolute; a .cu: as in the .file directives of the PTX
  std::string source;       // text of source_file
  std::string ptx_file;     // path of the PTX, for messages; source_file of a .ptx
  std::string ptx;
  std::vector<AssemblyError> errors = {};  // empty: a GPU can load it, as far as is known
  bool prebuilt = false;                   // compiled by the build, not from a file of the user
};

using Parameter = ptx::EntryParameter;
using Entry = ptx::EntryPoint;

struct Variant {
  /// The first error that keeps a GPU from loading one of the entries; null if there is none.
  [[nodiscard]] const AssemblyError* refusal() const;

  Contract contract;
  std::shared_ptr<const Compiled> compiled;
  std::vector<Entry> entries;  // one for each launch of the contract
};

/// The variants of kernels/gemm and kernels/operations that the build compiled, in the order of
/// their names. They are in ../kernels of the program's folder (build tree) or
/// ../share/warpcheck/kernels (installed).
/// Requires neither the source tree nor nvcc. Throws EnvironmentError if the build had no nvcc.
[[nodiscard]] std::vector<Variant> builtin_variants();

/// The content of a file or folder.
struct FoundVariants {
  std::vector<Variant> variants;
  std::vector<TargetError> errors;            // errors by file, in the order of the files
  std::vector<std::string> without_contract;  // .cu files of a folder
};

/// Called when the compilation of a file begins, from any thread but never from two at once. The
/// numbers count from 1.
using CompileProgress =
    std::function<void(const std::string& file, std::size_t number, std::size_t files)>;

/// Returns the same as variants_at(), but a wrong file does not hide the others. A file or folder
/// that cannot be read, and a sidecar without its .cu, are also errors. Throws EnvironmentError (no
/// nvcc for a `.cu`), Interrupted.
[[nodiscard]] FoundVariants find_variants(const std::string& path,
                                          const CompileProgress& progress = {});

/// Every variant of a source (with its contract in a `.toml` sidecar or in a comment), or of all
/// sources with a contract below a folder, in the order of the files and of the tables of the
/// contracts. Runs nvcc unless the cache has the result for the same content, flags and compiler.
/// Throws InputError with all errors (contract, source, nvcc) or EnvironmentError (no nvcc).
[[nodiscard]] std::vector<Variant> variants_at(const std::string& path);

}  // namespace warpcheck::contract
