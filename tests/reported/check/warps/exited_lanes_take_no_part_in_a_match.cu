// Lanes that have exited take no part in a reduction or a match, also if the mask names them: the
// results are those of the lanes that remain (PTX ISA, redux.sync and match.sync).
// exits: 0
// prints: pass
/* warpcheck
[[operation]]
name    = "op"
extents = ["n"]
inputs.x  = { shape = ["n"] }
outputs.y = { shape = ["n"] }
define  = "y[i] = x[i]"
[[variant]]
name      = "exited_lanes_take_no_part_in_a_match"
operation = "op"
kernel    = "k"
arguments = ["x", "y", "n"]
block     = [32]
grid      = ["ceil_div(n, 32)"]
*/
__global__ void k(const float* x, float* y, int n) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  if (i >= n) return;
  const int remaining = min(32, n - static_cast<int>(blockIdx.x) * 32);
  const unsigned lanes = 0xffffffffu >> (32 - remaining);
  int all;
  const bool right =
      __reduce_add_sync(0xffffffffu, 1) == remaining &&
      __reduce_or_sync(0xffffffffu, 1u << threadIdx.x) == lanes &&
      __match_any_sync(0xffffffffu, 7) == lanes &&
      __match_any_sync(0xffffffffu, threadIdx.x / 2) == (lanes & (3u << threadIdx.x / 2 * 2)) &&
      __match_all_sync(0xffffffffu, 7, &all) == lanes && all != 0;
  y[i] = right ? x[i] : x[i] + 1;
}
