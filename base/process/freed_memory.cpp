#include "base/process/freed_memory.hpp"

#include <cstdlib>  // defines __GLIBC__

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace warpcheck {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kLargestKept = 32 << 20;
  constexpr int kMostKept = 64 << 20;  // free bytes kept at the end of a thread's heap
  mallopt(M_MMAP_THRESHOLD, kLargestKept);
  mallopt(M_TRIM_THRESHOLD, kMostKept);
#endif
}

}  // namespace warpcheck
