// Records what a GPU of sm_90a computes for wgmma.mma_async.m64n8 of each type, with A and B in
// shared memory without swizzle, both K-major:
//
//   nvcc -gencode arch=compute_90a,code=sm_90a -std=c++17 record.cu -o record
//   ./record FILE [FRAGMENTS]
//
// A fragment of FILE begins with `form D.A.B NUMBER`. The lines a (64 x 32 bytes), b (8 x 32), c
// and d (64 x 8 words of 32 bits, of 16 if D is f16) follow, row by row, as hexadecimal bytes in
// the order of memory. A row of a or b is the K of one instruction: d = a * b^T + c.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

namespace {

constexpr int kRows = 64;
constexpr int kColumns = 8;
constexpr int kBytes = 32;  // bytes of a row along K

enum class Form {
  f32_f16,
  f16_f16,
  f32_bf16,
  f32_tf32,
  f32_e4m3,
  f32_e5m2,
  f32_e4m3_e5m2,
  f32_e5m2_e4m3,
  f16_e4m3,
  f16_e5m2,
  s32_s8,
  s32_u8,
  s32_s8_u8,
  s32_u8_s8,
  count
};

struct Name {
  const char* text;
  const char* a;  // element types, for the inputs
  const char* b;
  bool half;  // D is f16
};

constexpr Name kNames[] = {
    {"f32.f16.f16", "f16", "f16", false},     {"f16.f16.f16", "f16", "f16", true},
    {"f32.bf16.bf16", "bf16", "bf16", false}, {"f32.tf32.tf32", "tf32", "tf32", false},
    {"f32.e4m3.e4m3", "e4m3", "e4m3", false}, {"f32.e5m2.e5m2", "e5m2", "e5m2", false},
    {"f32.e4m3.e5m2", "e4m3", "e5m2", false}, {"f32.e5m2.e4m3", "e5m2", "e4m3", false},
    {"f16.e4m3.e4m3", "e4m3", "e4m3", true},  {"f16.e5m2.e5m2", "e5m2", "e5m2", true},
    {"s32.s8.s8", "s8", "s8", false},         {"s32.u8.u8", "u8", "u8", false},
    {"s32.s8.u8", "s8", "u8", false},         {"s32.u8.s8", "u8", "s8", false},
};

/// A descriptor of a tile without swizzle: core matrices of 8 rows x 16 bytes, `leading` bytes
/// apart along K and `stride` bytes apart along the rows.
__device__ std::uint64_t descriptor(const void* tile, std::uint64_t leading, std::uint64_t stride) {
  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(tile));
  return (address & 0x3ffff) >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32;
}

#define MMA_FLOAT32(K, TYPES, TRANSPOSES)                          \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k" K "." TYPES   \
               " {%0, %1, %2, %3}, %4, %5, 1, 1, 1" TRANSPOSES ";" \
               : "+f"(f[0]), "+f"(f[1]), "+f"(f[2]), "+f"(f[3])    \
               : "l"(a), "l"(b)                                    \
               : "memory")
#define MMA_HALF(K, TYPES, TRANSPOSES)                           \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k" K "." TYPES \
               " {%0, %1}, %2, %3, 1, 1, 1" TRANSPOSES ";"       \
               : "+r"(d[0]), "+r"(d[1])                          \
               : "l"(a), "l"(b)                                  \
               : "memory")
#define MMA_INTEGER(TYPES)                                                                    \
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k32." TYPES " {%0, %1, %2, %3}, %4, %5, 1;" \
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])                               \
               : "l"(a), "l"(b)                                                               \
               : "memory")

template <Form form>
__device__ void multiply(std::uint32_t (&d)[4], std::uint64_t a, std::uint64_t b) {
  float f[4];
  for (int i = 0; i < 4; ++i) f[i] = __uint_as_float(d[i]);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  if constexpr (form == Form::f32_f16) MMA_FLOAT32("16", "f32.f16.f16", ", 0, 0");
  if constexpr (form == Form::f16_f16) MMA_HALF("16", "f16.f16.f16", ", 0, 0");
  if constexpr (form == Form::f32_bf16) MMA_FLOAT32("16", "f32.bf16.bf16", ", 0, 0");
  if constexpr (form == Form::f32_tf32) MMA_FLOAT32("8", "f32.tf32.tf32", "");
  if constexpr (form == Form::f32_e4m3) MMA_FLOAT32("32", "f32.e4m3.e4m3", "");
  if constexpr (form == Form::f32_e5m2) MMA_FLOAT32("32", "f32.e5m2.e5m2", "");
  if constexpr (form == Form::f32_e4m3_e5m2) MMA_FLOAT32("32", "f32.e4m3.e5m2", "");
  if constexpr (form == Form::f32_e5m2_e4m3) MMA_FLOAT32("32", "f32.e5m2.e4m3", "");
  if constexpr (form == Form::f16_e4m3) MMA_HALF("32", "f16.e4m3.e4m3", "");
  if constexpr (form == Form::f16_e5m2) MMA_HALF("32", "f16.e5m2.e5m2", "");
  if constexpr (form == Form::s32_s8) MMA_INTEGER("s32.s8.s8");
  if constexpr (form == Form::s32_u8) MMA_INTEGER("s32.u8.u8");
  if constexpr (form == Form::s32_s8_u8) MMA_INTEGER("s32.s8.u8");
  if constexpr (form == Form::s32_u8_s8) MMA_INTEGER("s32.u8.s8");
  asm volatile("wgmma.commit_group.sync.aligned;\n wgmma.wait_group.sync.aligned 0;" ::: "memory");
  constexpr bool keeps_bits = form == Form::f16_f16 || form == Form::f16_e4m3 ||
                              form == Form::f16_e5m2 || form >= Form::s32_s8;
  if constexpr (!keeps_bits) {
    for (int i = 0; i < 4; ++i) d[i] = __float_as_uint(f[i]);
  }
}

/// Copies rows of 32 bytes to core matrices: chunk j of row group i is number j * groups + i.
__device__ void stage(unsigned char* tile, const unsigned char* rows, int groups) {
  for (int at = threadIdx.x; at < groups * 8 * kBytes; at += blockDim.x) {
    const int row = at / kBytes;
    const int byte = at % kBytes;
    tile[((byte / 16) * groups + row / 8) * 128 + row % 8 * 16 + byte % 16] = rows[at];
  }
}

template <Form form>
__global__ void __launch_bounds__(128) record(const unsigned char* a, const unsigned char* b,
                                              const unsigned char* c, unsigned char* d) {
  __shared__ alignas(128) unsigned char tile_a[kRows * kBytes];
  __shared__ alignas(128) unsigned char tile_b[kColumns * kBytes];
  constexpr bool half = kNames[static_cast<int>(form)].half;
  constexpr int width = half ? 2 : 4;
  const std::size_t number = blockIdx.x;
  a += number * kRows * kBytes;
  b += number * kColumns * kBytes;
  c += number * kRows * kColumns * width;
  d += number * kRows * kColumns * width;
  stage(tile_a, a, kRows / 8);
  stage(tile_b, b, kColumns / 8);
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();

  // Registers 2i and 2i+1 hold columns 2 * (lane % 4) and the next of row 8i + lane / 4 of the
  // warp.
  const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
  const int column = threadIdx.x % 4 * 2;
  std::uint32_t registers[4] = {};
  const auto move = [&](auto&& copy) {
    for (int i = 0; i < 2; ++i) {
      const std::size_t at = ((row + 8 * i) * kColumns + column) * width;
      copy(at, half ? i : 2 * i, half ? 4 : 8);
    }
  };
  move([&](std::size_t at, int reg, int bytes) { memcpy(&registers[reg], c + at, bytes); });
  multiply<form>(registers, descriptor(tile_a, kRows / 8 * 128, 128), descriptor(tile_b, 128, 128));
  move([&](std::size_t at, int reg, int bytes) { memcpy(d + at, &registers[reg], bytes); });
}

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "record: %s\n", cudaGetErrorString(error));
  std::exit(1);
}

using Bytes = std::vector<unsigned char>;

struct Layout {
  int bits, exponent, mantissa;
};

Layout layout_of(const char* type) {
  if (std::strcmp(type, "f16") == 0) return {16, 5, 10};
  if (std::strcmp(type, "bf16") == 0) return {16, 8, 7};
  if (std::strcmp(type, "tf32") == 0) return {32, 8, 10};
  if (std::strcmp(type, "f32") == 0) return {32, 8, 23};
  if (std::strcmp(type, "e4m3") == 0) return {8, 4, 3};
  if (std::strcmp(type, "e5m2") == 0) return {8, 5, 2};
  return {0, 0, 0};
}

/// Numbers whose exponents lie within `spread` of the middle, so that terms cancel, are lost or
/// decide a rounding; one in 16 is any bits.
void fill(Bytes& bytes, std::size_t from, std::size_t to, const char* type, int spread,
          std::mt19937_64& random) {
  const Layout layout = layout_of(type);
  if (layout.bits == 0) {
    const bool small = spread < 4;
    for (std::size_t i = from; i < to; ++i) {
      bytes[i] = static_cast<unsigned char>(small ? random() % 4 - 1 : random());
    }
    return;
  }
  const std::size_t width = layout.bits / 8;
  for (std::size_t i = from; i < to; i += width) {
    std::uint64_t value = random();
    if (random() % 16 != 0) {
      const int middle = (1 << (layout.exponent - 1)) - 1;
      const int reach = spread < middle ? spread : middle;
      const std::uint64_t exponent = middle - reach + random() % (2 * reach + 1);
      std::uint64_t mantissa = random() % (1U << layout.mantissa);
      if (random() % 4 == 0) mantissa = 0;
      const std::uint64_t sign = random() % 2;
      value = (sign << layout.exponent | exponent) << layout.mantissa | mantissa;
      if (std::strcmp(type, "tf32") == 0) value <<= 13;
    }
    std::memcpy(&bytes[i], &value, width);
  }
}

void print(std::FILE* file, char name, const Bytes& bytes, std::size_t number, std::size_t size) {
  std::fprintf(file, "%c ", name);
  for (std::size_t i = number * size; i < (number + 1) * size; ++i)
    std::fprintf(file, "%02x", bytes[i]);
  std::fputc('\n', file);
}

unsigned char* upload(const Bytes& bytes) {
  unsigned char* address = nullptr;
  check(cudaMalloc(&address, bytes.size()));
  check(cudaMemcpy(address, bytes.data(), bytes.size(), cudaMemcpyHostToDevice));
  return address;
}

template <Form form>
void record_form(std::FILE* file, std::size_t fragments) {
  const Name& name = kNames[static_cast<int>(form)];
  const bool integer = name.text[0] == 's';
  const std::size_t a_size = kRows * kBytes;
  const std::size_t b_size = kColumns * kBytes;
  const std::size_t c_size = kRows * kColumns * (name.half ? 2 : 4);
  std::mt19937_64 random(static_cast<std::uint64_t>(form) + 1);
  Bytes a(a_size * fragments);
  Bytes b(b_size * fragments);
  Bytes c(c_size * fragments);
  for (std::size_t i = 0; i < fragments; ++i) {
    const int spread = std::vector<int>{0, 1, 3, 8, 14, 30, 126}[i % 7];
    fill(a, i * a_size, (i + 1) * a_size, name.a, spread, random);
    fill(b, i * b_size, (i + 1) * b_size, name.b, spread, random);
    fill(c, i * c_size, (i + 1) * c_size,
         integer     ? "s32"
         : name.half ? "f16"
                     : "f32",
         2 * spread, random);
  }
  Bytes d(c.size());
  unsigned char* const memory[] = {upload(a), upload(b), upload(c), upload(d)};
  record<form>
      <<<static_cast<unsigned>(fragments), 128>>>(memory[0], memory[1], memory[2], memory[3]);
  check(cudaGetLastError());
  check(cudaMemcpy(d.data(), memory[3], d.size(), cudaMemcpyDeviceToHost));
  for (unsigned char* address : memory) check(cudaFree(address));
  for (std::size_t i = 0; i < fragments; ++i) {
    std::fprintf(file, "form %s %zu\n", name.text, i);
    print(file, 'a', a, i, a_size);
    print(file, 'b', b, i, b_size);
    print(file, 'c', c, i, c_size);
    print(file, 'd', d, i, c_size);
  }
}

template <int form = 0>
void record_all(std::FILE* file, std::size_t fragments) {
  if constexpr (form < static_cast<int>(Form::count)) {
    record_form<static_cast<Form>(form)>(file, fragments);
    record_all<form + 1>(file, fragments);
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) return std::fputs("usage: record FILE [FRAGMENTS]\n", stderr), 2;
  std::FILE* file = std::fopen(arguments[1], "w");
  if (file == nullptr) return std::perror(arguments[1]), 1;
  cudaDeviceProp properties;
  int driver = 0;
  check(cudaGetDeviceProperties(&properties, 0));
  check(cudaDriverGetVersion(&driver));
  std::fprintf(file, "# %s, driver for CUDA %d\n", properties.name, driver);
  record_all(file, count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 28);
  return std::fclose(file) == 0 ? 0 : 1;
}
