// Sizes that a module declares and that no GPU has. A kernel with such a size cannot be launched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/module.hpp"

namespace warpcheck::isa {

/// The number 90 in the target "sm_90a"; 0 if it has none.
[[nodiscard]] unsigned architecture_of(std::string_view target);

/// Largest static shared memory of a block in bytes, on all architectures. ptxas refuses more;
/// larger blocks need dynamic shared memory (CUDA C++ Programming Guide, compute capabilities).
inline constexpr std::size_t kMostStaticShared = 48 << 10;

/// Larger alignments are laid out as this one: no address of shared or local memory shows a
/// difference.
inline constexpr std::size_t kMostAlignment = 64 << 10;

/// The static shared memory of a kernel's block, without the gaps for alignment. Variables of the
/// module count if the kernel, or a function that it may call, names them. As in ptxas, variables
/// of functions that are not active at the same time share their memory.
[[nodiscard]] std::size_t static_shared_bytes(const ptx::Module& module,
                                              const ptx::Function& kernel);

/// The reason why no kernel of the module can be loaded; empty: the sizes of the module's variables
/// are possible.
[[nodiscard]] std::string refused_module(const ptx::Module& module);

/// The reason why the kernel cannot be launched; empty: its declared sizes are possible.
[[nodiscard]] std::string refused_kernel(const ptx::Module& module, const ptx::Function& kernel);

}  // namespace warpcheck::isa
