// The pipeline of 03 with mma.sync: fragments of both operands pass through registers.
#include "../6_tensor_cores/hgemm_mma.cuh"
#include "persistent.cuh"

template <typename Instruction>
struct Mma {
  using Element = typename Instruction::Element;
  using Sum = float;
  static constexpr int releases = persistent::group_threads / 32;  // each warp releases a stage
  static constexpr int tile = 64;                                  // rows and columns of a warp
  static constexpr int down = tile / 16;
  static constexpr int across = tile / 8;

  /// A warp has 64 of the 256 columns.
  __device__ static int2 origin_of(int i) {
    return {i / tile * 16, int(threadIdx.x) / 32 % 4 * tile + i % tile};
  }

  /// Loads 16 x 16 elements; the lane gives the address of a row of eight, `unit` is its number.
  __device__ __forceinline__ static void load(unsigned (&fragments)[4],
                                              const unsigned char (&lines)[persistent::line],
                                              int line, int unit) {
    hgemm_mma::load_matrices(fragments, &(&lines)[line][(unit ^ line % 8) * 16]);
  }

  __device__ __forceinline__ static void multiply(float (&sums)[persistent::sums],
                                                  const persistent::Stage& stage, int group) {
    const int lane = threadIdx.x % 32;
    const int a_line = group * persistent::group_rows + lane % 16;
    const int b_line = int(threadIdx.x) / 32 % 4 * tile + lane % 8 + lane / 16 * 8;
    auto& s = reinterpret_cast<float(&)[down][across][4]>(sums);
#pragma unroll
    for (int unit = 0; unit < persistent::line / 16; unit += 2) {
      unsigned a[down][4];
#pragma unroll
      for (int i = 0; i < down; ++i) load(a[i], stage.a[0], a_line + i * 16, unit + lane / 16);
#pragma unroll
      for (int j = 0; j < across; j += 2) {
        unsigned b[4];
        load(b, stage.b[0], b_line + j * 8, unit + lane / 8 % 2);
#pragma unroll
        for (int i = 0; i < down; ++i) {
          Instruction::multiply(s[i][j], a[i], {b[0], b[1]});
          Instruction::multiply(s[i][j + 1], a[i], {b[2], b[3]});
        }
      }
    }
  }

  __device__ __forceinline__ static void multiply_tile(persistent::Shared& shared,
                                                       persistent::Turn& turn, int steps, int group,
                                                       float (&sums)[persistent::sums]) {
    for (int step = 0; step < steps; ++step, turn.advance()) {
      bulk::wait(&shared.full[turn.stage], turn.parity);
      __syncwarp();
      multiply(sums, shared.stages[turn.stage], group);
      __syncwarp();
      persistent::release(shared, turn.stage, threadIdx.x % 32);
    }
  }
};
