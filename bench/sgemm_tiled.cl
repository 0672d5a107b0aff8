// kernels/gemm/2_shared_memory_tiles/01_square_tiles.cu with tiles of 16 x 16, in OpenCL, for Oclgrind.
#define WIDTH 16

kernel void sgemm_tiled(global const float* a, global const float* b, global float* c, int m, int n,
                        int k) {
  local float tile_a[WIDTH][WIDTH];
  local float tile_b[WIDTH][WIDTH];

  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int row = get_group_id(1) * WIDTH + y;
  const int column = get_group_id(0) * WIDTH + x;

  float sum = 0.0f;
  for (int k0 = 0; k0 < k; k0 += WIDTH) {
    tile_a[y][x] = row < m && k0 + x < k ? a[(size_t)row * k + k0 + x] : 0.0f;
    tile_b[y][x] = k0 + y < k && column < n ? b[(size_t)(k0 + y) * n + column] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int p = 0; p < WIDTH; ++p) sum += tile_a[y][p] * tile_b[p][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < m && column < n) c[(size_t)row * n + column] = sum;
}
