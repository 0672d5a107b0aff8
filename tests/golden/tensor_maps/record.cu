// Records what a GPU does with tensor maps: which arguments cuTensorMapEncode* accepts, and the
// bytes that copies and reductions through random maps write. `record FOLDER [CASES]` writes
// FOLDER/cases.txt, one case a line (case.hpp reads it), and FOLDER/bytes.bin with the bytes of the
// first copies of each kind.
#include <cuda.h>
#include <cuda_runtime.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "random_case.hpp"

namespace {

using namespace warpcheck::golden;

struct Access {
  int rank, im2col, kind, op;
  int at[5];
  int offset[3];
  unsigned shared, bytes;
};

__device__ unsigned address_of(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }

#define MBAR ".shared::cluster.global.mbarrier::complete_tx::bytes"
#define LOAD(N, C, ...)                                                                     \
  asm volatile("cp.async.bulk.tensor." #N "d" MBAR " [%0], [%1, {" C "}], [%2];" ::"r"(to), \
               "l"(&map), "r"(bar), __VA_ARGS__                                             \
               : "memory")
#define LOADI(N, C, O, ...)                                             \
  asm volatile("cp.async.bulk.tensor." #N                               \
               "d.shared::cluster.global.im2col.mbarrier::complete_tx"  \
               "::bytes [%0], [%1, {" C "}], [%2], {" O "};" ::"r"(to), \
               "l"(&map), "r"(bar), __VA_ARGS__                         \
               : "memory")
#define STORE(N, WHAT, MODE, C, ...)                                           \
  asm volatile("cp." WHAT "async.bulk.tensor." #N "d.global.shared::cta." MODE \
               "bulk_group [%0, {" C "}], [%1];" ::"l"(&map),                  \
               "r"(to), __VA_ARGS__                                            \
               : "memory")
#define C1 "r"(a.at[0])
#define C2 C1, "r"(a.at[1])
#define C3 C2, "r"(a.at[2])
#define C4 C3, "r"(a.at[3])
#define C5 C4, "r"(a.at[4])
#define H(i) "h"((short)a.offset[i])

#define ALL(WHAT, OP)                                   \
  switch (a.rank) {                                     \
    case 1:                                             \
      STORE(1, WHAT, OP "tile.", "%2", C1);             \
      break;                                            \
    case 2:                                             \
      STORE(2, WHAT, OP "tile.", "%2,%3", C2);          \
      break;                                            \
    case 3:                                             \
      STORE(3, WHAT, OP "tile.", "%2,%3,%4", C3);       \
      break;                                            \
    case 4:                                             \
      STORE(4, WHAT, OP "tile.", "%2,%3,%4,%5", C4);    \
      break;                                            \
    case 5:                                             \
      STORE(5, WHAT, OP "tile.", "%2,%3,%4,%5,%6", C5); \
      break;                                            \
  }

__global__ void access(const __grid_constant__ CUtensorMap map, Access a, unsigned char* dump,
                       int* late) {
  extern __shared__ __align__(1024) unsigned char memory[];
  __shared__ __align__(8) std::uint64_t object;
  const bool loads = a.kind < kStore;
  for (unsigned i = threadIdx.x; i < kSharedBytes; i += blockDim.x) {
    memory[i] = loads ? 0xA5 : (unsigned char)((i * 2654435761u) >> 13);
  }
  const unsigned bar = address_of(&object);
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1; fence.mbarrier_init.release.cluster;" ::"r"(bar)
                 : "memory");
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned to = address_of(memory) + a.shared;
    *late = 0;
    if (loads) {
      asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(bar), "r"(a.bytes)
                   : "memory");
      if (a.im2col != 0) {
        switch (a.rank) {
          case 3:
            LOADI(3, "%3,%4,%5", "%6", C3, H(0));
            break;
          case 4:
            LOADI(4, "%3,%4,%5,%6", "%7,%8", C4, H(0), H(1));
            break;
          case 5:
            LOADI(5, "%3,%4,%5,%6,%7", "%8,%9,%10", C5, H(0), H(1), H(2));
            break;
        }
      } else {
        switch (a.rank) {
          case 1:
            LOAD(1, "%3", C1);
            break;
          case 2:
            LOAD(2, "%3,%4", C2);
            break;
          case 3:
            LOAD(3, "%3,%4,%5", C3);
            break;
          case 4:
            LOAD(4, "%3,%4,%5,%6", C4);
            break;
          case 5:
            LOAD(5, "%3,%4,%5,%6,%7", C5);
            break;
        }
      }
      int done = 0;
      for (int i = 0; i < 2000 && done == 0; ++i) {
        asm volatile(
            "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, "
            "p; "
            "}"
            : "=r"(done)
            : "r"(bar)
            : "memory");
        __nanosleep(100);
      }
      *late = done == 0;
      __nanosleep(5000);
    } else if (a.kind == kStore) {
      ALL("", "")
    } else if (a.kind == kStoreIm2col) {
      switch (a.rank) {
        case 3:
          STORE(3, "", "im2col_no_offs.", "%2,%3,%4", C3);
          break;
        case 4:
          STORE(4, "", "im2col_no_offs.", "%2,%3,%4,%5", C4);
          break;
        case 5:
          STORE(5, "", "im2col_no_offs.", "%2,%3,%4,%5,%6", C5);
          break;
      }
    } else {
      switch (a.op) {
        case 0:
          ALL("reduce.", "add.") break;
        case 1:
          ALL("reduce.", "min.") break;
        case 2:
          ALL("reduce.", "max.") break;
        case 3:
          ALL("reduce.", "inc.") break;
        case 4:
          ALL("reduce.", "dec.") break;
        case 5:
          ALL("reduce.", "and.") break;
        case 6:
          ALL("reduce.", "or.") break;
        case 7:
          ALL("reduce.", "xor.") break;
      }
    }
    asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kSharedBytes; i += blockDim.x) dump[i] = memory[i];
}

int encode(const Case& c, CUtensorMap* map, char* global) {
  void* const address = global + c.misaligned;
  const auto type = static_cast<CUtensorMapDataType>(c.type);
  const auto interleave = static_cast<CUtensorMapInterleave>(c.interleave);
  const auto swizzle = static_cast<CUtensorMapSwizzle>(c.swizzle);
  const auto promotion = static_cast<CUtensorMapL2promotion>(c.promotion);
  const auto fill = static_cast<CUtensorMapFloatOOBfill>(c.fill);
  return c.im2col ? cuTensorMapEncodeIm2col(map, type, c.rank, address, c.dims, c.strides, c.lower,
                                            c.upper, c.channels, c.pixels, c.steps, interleave,
                                            swizzle, promotion, fill)
                  : cuTensorMapEncodeTiled(map, type, c.rank, address, c.dims, c.strides, c.box,
                                           c.steps, interleave, swizzle, promotion, fill);
}

template <class T, std::size_t N>
std::string list(const T (&values)[N]) {
  std::string text;
  for (std::size_t i = 0; i < N; ++i) text += (i ? "," : "") + std::to_string(values[i]);
  return text;
}

std::uint64_t hash(const std::vector<unsigned char>& bytes) {
  std::uint64_t h = 0xCBF29CE484222325ull;
  for (const unsigned char byte : bytes) h = (h ^ byte) * 0x100000001B3ull;
  return h;
}

void print(FILE* out, const Case& c, int result, const char* state, std::uint64_t sum) {
  std::fprintf(
      out,
      "%d type %d rank %d past %d dims %s strides %s box %s steps %s lower %s upper %s "
      "channels %u pixels %u interleave %d swizzle %d promotion %d fill %d at %s offset %s "
      "op %d shared %u bytes %u result %d %s %016llx\n",
      c.kind, c.type, c.rank, c.misaligned, list(c.dims).c_str(), list(c.strides).c_str(),
      list(c.box).c_str(), list(c.steps).c_str(), list(c.lower).c_str(), list(c.upper).c_str(),
      c.channels, c.pixels, c.interleave, c.swizzle, c.promotion, c.fill, list(c.at).c_str(),
      list(c.offset).c_str(), c.op, c.shared, c.bytes, result, state,
      static_cast<unsigned long long>(sum));
}

/// True if the reduction exists for the type (PTX ISA 9.7.9.27.1.3): others are not run.
bool reduces(const Case& c) {
  const bool whole = c.type <= 5;
  switch (c.op) {
    case 0:
      return c.type == 2 || c.type == 3 || c.type == 4 || c.type == 6 || c.type == 9 || c.type == 7;
    case 1:
    case 2:
      return (whole && c.type >= 2) || c.type == 6 || c.type == 9;
    case 3:
    case 4:
      return c.type == 2;
    default:
      return c.type >= 2 && c.type <= 5;
  }
}

/// Runs the cases of a kind from `*next` on; a fault ends the process.
void run_kind(Kind kind, unsigned cases, unsigned* next, FILE* out, FILE* raw) {
  cudaFree(nullptr);
  char* global = nullptr;
  unsigned char* dump = nullptr;
  int* late = nullptr;
  cudaMalloc(&global, kGlobalBytes);
  cudaMalloc(&dump, kSharedBytes);
  cudaMalloc(&late, sizeof *late);
  std::vector<unsigned char> initial(kGlobalBytes), result(kSharedBytes);
  for (unsigned i = 0; i < kGlobalBytes; i += 8) {
    Rng rng{i};
    const std::uint64_t word = rng.next();
    std::memcpy(&initial[i], &word, 8);
  }
  cudaFuncSetAttribute(access, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes);
  while (*next < cases) {
    const unsigned number = (*next)++;
    Rng rng{(std::uint64_t{static_cast<unsigned>(kind)} << 32) + number * 7919u};
    Case c = random_case(kind, rng);
    CUtensorMap map;
    if (kind >= kEncodeTiled) {
      for (int i = rng.in(0, 2); i > 0; --i) spoil(c, rng);
      print(out, c, encode(c, &map, global), "-", 0);
      std::fflush(out);  // the driver may crash
      continue;
    }
    const int status = encode(c, &map, global);
    if (status != 0 || (kind == kReduce && !reduces(c))) {
      if (status != 0) print(out, c, status, "-", 0);
      continue;
    }
    Access a{c.rank, c.im2col, c.kind, c.op, {}, {}, c.shared, c.bytes};
    std::memcpy(a.at, c.at, sizeof a.at);
    std::memcpy(a.offset, c.offset, sizeof a.offset);
    cudaMemcpy(global, initial.data(), kGlobalBytes, cudaMemcpyHostToDevice);
    std::fflush(out);
    access<<<1, 128, kSharedBytes>>>(map, a, dump, late);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
      print(out, c, static_cast<int>(error), "fault", 0);
      std::fflush(out);
      _exit(1);
    }
    int is_late = 0;
    cudaMemcpy(&is_late, late, sizeof is_late, cudaMemcpyDeviceToHost);
    result.resize(kind < kStore ? kSharedBytes : kGlobalBytes);
    cudaMemcpy(result.data(), kind < kStore ? (void*)dump : (void*)global, result.size(),
               cudaMemcpyDeviceToHost);
    print(out, c, 0, is_late ? "late" : "done", hash(result));
    if (number >= kFullBytes) continue;
    for (unsigned i = 0; kind >= kStore && i < kGlobalBytes; ++i) result[i] ^= initial[i];
    std::fwrite(result.data(), 1, result.size(), raw);
  }
  std::fflush(out);
  std::fflush(raw);
  _exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const std::string folder = argv[1];
  const unsigned cases = argc > 2 ? std::atoi(argv[2]) : 500;
  FILE* out = std::fopen((folder + "/cases.txt").c_str(), "w");
  FILE* raw = std::fopen((folder + "/bytes.bin").c_str(), "wb");
  if (out == nullptr || raw == nullptr) return 2;
  auto* next = static_cast<unsigned*>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (int kind = 0; kind < kKinds; ++kind) {
    *next = 0;
    const unsigned count = kind >= kEncodeTiled ? 4 * cases : cases;
    for (unsigned faults = 0; *next < count && faults < kMostFaults; ++faults) {
      std::fflush(out);
      std::fflush(raw);
      const pid_t child = fork();
      if (child == 0) run_kind(static_cast<Kind>(kind), count, next, out, raw);
      int status = 0;
      waitpid(child, &status, 0);
    }
  }
  std::fclose(out);
  std::fclose(raw);
  return 0;
}
