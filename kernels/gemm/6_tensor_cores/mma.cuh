// mma.sync of PTX for several types: the elements of the operands that each lane holds, and the
// instruction (PTX ISA 9.7.14.5, matrix fragments for mma.m16n8k16, .m16n8k8, .m8n8k4 and
// .m16n8k32). A is row-major, `rows` x `depth`; B column-major, depth x 8; the sums rows x 8.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

namespace mma {

/// The layout of fragments. All these types share it, because it is counted in registers, not in
/// elements, along k.
template <typename T, typename SumType, typename RegisterType, int row_count, int depth_count>
struct Fragments {
  using Element = T;
  using Sum = SumType;
  using Register = RegisterType;
  static constexpr int rows = row_count;
  static constexpr int columns = 8;
  static constexpr int depth = depth_count;
  static constexpr int packed = sizeof(Register) / sizeof(T);  // elements in a register
  static constexpr int along_k = depth / (4 * packed);         // registers of a row or column
  static constexpr int a_registers = rows / 8 * along_k;
  static constexpr int b_registers = along_k;
  static constexpr int sums = rows / 8 * 2;

  /// Loads the lane's part of the A whose first element is at `a`; its rows are `stride` apart.
  __device__ static void load_a(Register (&registers)[a_registers], const T* a, int stride) {
    const int lane = threadIdx.x % 32;
    for (int r = 0; r < a_registers; ++r) {
      const int row = lane / 4 + r % (rows / 8) * 8;
      const int k = (lane % 4 + r / (rows / 8) * 4) * packed;
      registers[r] = *reinterpret_cast<const Register*>(a + row * stride + k);
    }
  }

  /// Loads the lane's part of a row-major B, in which the elements of one register lie apart.
  __device__ static void load_b(Register (&registers)[b_registers], const T* b, int stride) {
    const int lane = threadIdx.x % 32;
    for (int r = 0; r < b_registers; ++r) {
      const T* first = b + (lane % 4 + r * 4) * packed * stride + lane / 4;
      union {
        T elements[packed];
        Register all;
      } gathered;
      for (int i = 0; i < packed; ++i) gathered.elements[i] = first[i * stride];
      registers[r] = gathered.all;
    }
  }

  /// Row and column of the lane's sum number `i`.
  __device__ static int row_of(int i) { return threadIdx.x % 32 / 4 + i / 2 * 8; }
  __device__ static int column_of(int i) { return threadIdx.x % 4 * 2 + i % 2; }
};

struct F16 : Fragments<__half, float, unsigned, 16, 16> {
  __device__ static void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

struct Bf16 : Fragments<__nv_bfloat16, float, unsigned, 16, 16> {
  __device__ static void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

/// tf32 numbers in 32 bits each; the instruction ignores the lowest 13 bits.
struct Tf32 : Fragments<float, float, unsigned, 16, 8> {
  __device__ static void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

struct F64 : Fragments<double, double, double, 8, 4> {
  __device__ static void multiply(double (&d)[2], const double (&a)[1], const double (&b)[1]) {
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(d[0]), "+d"(d[1])
        : "d"(a[0]), "d"(b[0]));
  }
};

struct S8 : Fragments<signed char, int, unsigned, 16, 32> {
  __device__ static void multiply(int (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

/// Requires compute capability 8.9.
struct E4m3 : Fragments<__nv_fp8_e4m3, float, unsigned, 16, 32> {
  __device__ static void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

struct E5m2 : Fragments<__nv_fp8_e5m2, float, unsigned, 16, 32> {
  __device__ static void multiply(float (&d)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

}  // namespace mma
