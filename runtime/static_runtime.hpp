// A program or a library may contain the CUDA runtime (nvcc -cudart static, its default). Its
// functions then have local symbols: when this library is loaded, the code of each one is replaced
// by a jump to the function of this library.
#pragma once

namespace warpcheck::runtime {

/// Registers the fat binaries of the objects whose runtime was replaced: their constructors may
/// have run before. False if there is none, or if this was called before. The runtime is locked.
bool register_again();

}  // namespace warpcheck::runtime
