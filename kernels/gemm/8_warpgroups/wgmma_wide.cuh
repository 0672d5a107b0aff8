// wgmma of PTX for tiles of 64 x 256 whose lines take 32 bytes along k (PTX ISA 9.7.15.5). Both
// operands lie in shared memory with their lines along k, swizzled by 128 bytes.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <type_traits>

namespace wgmma_wide {

constexpr int columns = 256;
constexpr int sums = 128;

constexpr int depth_bytes = 32;  // bytes of a line that one instruction multiplies

template <typename T>
using Sum = std::conditional_t<std::is_same_v<T, int8_t>, int, float>;

#define WGMMA_SUMS                                                                       \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "     \
  "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, "     \
  "%34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "     \
  "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, %64, %65, "     \
  "%66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "     \
  "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, "     \
  "%98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, "   \
  "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, " \
  "%126, %127"
#define WGMMA_EIGHT(C, d, i) \
  C(d[i]), C(d[i + 1]), C(d[i + 2]), C(d[i + 3]), C(d[i + 4]), C(d[i + 5]), C(d[i + 6]), C(d[i + 7])
#define WGMMA_FLOAT(x) "+f"(x)
#define WGMMA_INTEGER(x) "+r"(x)
#define WGMMA_WIDE(SHAPE, TAIL, C)                                                               \
  asm volatile("wgmma.mma_async.sync.aligned." SHAPE " {" WGMMA_SUMS "}, %128, %129, 1" TAIL ";" \
               : WGMMA_EIGHT(C, d, 0), WGMMA_EIGHT(C, d, 8), WGMMA_EIGHT(C, d, 16),              \
                 WGMMA_EIGHT(C, d, 24), WGMMA_EIGHT(C, d, 32), WGMMA_EIGHT(C, d, 40),            \
                 WGMMA_EIGHT(C, d, 48), WGMMA_EIGHT(C, d, 56), WGMMA_EIGHT(C, d, 64),            \
                 WGMMA_EIGHT(C, d, 72), WGMMA_EIGHT(C, d, 80), WGMMA_EIGHT(C, d, 88),            \
                 WGMMA_EIGHT(C, d, 96), WGMMA_EIGHT(C, d, 104), WGMMA_EIGHT(C, d, 112),          \
                 WGMMA_EIGHT(C, d, 120)                                                          \
               : "l"(a), "l"(b))

/// Adds the product of 64 lines of A and 256 lines of B.
template <typename T>
__device__ __forceinline__ void multiply(Sum<T> (&d)[sums], uint64_t a, uint64_t b) {
  if constexpr (std::is_same_v<T, __half>) {
    WGMMA_WIDE("m64n256k16.f32.f16.f16", ", 1, 1, 0, 0", WGMMA_FLOAT);
  } else if constexpr (std::is_same_v<T, __nv_bfloat16>) {
    WGMMA_WIDE("m64n256k16.f32.bf16.bf16", ", 1, 1, 0, 0", WGMMA_FLOAT);
  } else if constexpr (std::is_same_v<T, __nv_fp8_e4m3>) {
    WGMMA_WIDE("m64n256k32.f32.e4m3.e4m3", ", 1, 1", WGMMA_FLOAT);
  } else if constexpr (std::is_same_v<T, float>) {
    WGMMA_WIDE("m64n256k8.f32.tf32.tf32", ", 1, 1", WGMMA_FLOAT);
  } else {
    static_assert(std::is_same_v<T, int8_t>);
    WGMMA_WIDE("m64n256k32.s32.s8.s8", "", WGMMA_INTEGER);
  }
}
#undef WGMMA_WIDE
#undef WGMMA_INTEGER
#undef WGMMA_FLOAT
#undef WGMMA_EIGHT
#undef WGMMA_SUMS

}  // namespace wgmma_wide
