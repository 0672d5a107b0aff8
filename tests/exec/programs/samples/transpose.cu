// Transposes bands of a matrix in several streams. The defect: the copy of a band does not wait for
// its kernel.
#include <vector>

#include "common.h"

#define TILE_DIM 32
#define BLOCK_ROWS 8

__global__ void transposeNoBankConflicts(float* odata, const float* idata, int width, int height) {
  __shared__ float tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x;
  int y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char** argv) {
  const Timing timing;
  const bool defect = has_defect(argc, argv);
  const int nx = size_or(256, argc, argv), ny = nx, nStreams = 4;
  const size_t bytes = size_t(nx) * ny * sizeof(float);
  float *h_in, *h_out, *d_in, *d_out;
  CHECK(cudaMallocHost(&h_in, bytes));
  CHECK(cudaMallocHost(&h_out, bytes));
  CHECK(cudaMalloc(&d_in, bytes));
  CHECK(cudaMalloc(&d_out, bytes));
  for (int i = 0; i < nx * ny; ++i) h_in[i] = float(i);
  cudaStream_t stream[nStreams], down;
  cudaEvent_t done[nStreams], start, stop;
  for (int i = 0; i < nStreams; ++i) {
    CHECK(cudaStreamCreate(&stream[i]));
    CHECK(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
  }
  CHECK(cudaStreamCreateWithFlags(&down, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start, 0));
  const int band = ny / nStreams;
  for (int i = 0; i < nStreams; ++i) {
    const size_t at = size_t(i) * band * nx;
    CHECK(
        cudaMemcpyAsync(d_in + at, h_in + at, bytes / nStreams, cudaMemcpyHostToDevice, stream[i]));
    dim3 grid(nx / TILE_DIM, band / TILE_DIM), block(TILE_DIM, BLOCK_ROWS);
    transposeNoBankConflicts<<<grid, block, 0, stream[i]>>>(d_out + at, d_in + at, nx, band);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(done[i], stream[i]));
    if (!defect) CHECK(cudaStreamWaitEvent(down, done[i], 0));
    const size_t part = bytes / nStreams;
    cudaMemcpyAsync(h_out + at, d_out + at, part, cudaMemcpyDeviceToHost, down);  // finding here
  }
  CHECK(cudaStreamSynchronize(down));
  CHECK(cudaEventRecord(stop, 0));
  CHECK(cudaEventSynchronize(stop));
  float ms;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  bool ok = true;
  for (int i = 0; i < nStreams; ++i)
    for (int r = 0; r < band; ++r)
      for (int c = 0; c < nx; ++c)
        ok &= h_out[size_t(i) * band * nx + size_t(c) * band + r] ==
              h_in[(size_t(i) * band + r) * nx + c];
  for (int i = 0; i < nStreams; ++i) {
    CHECK(cudaStreamDestroy(stream[i]));
    CHECK(cudaEventDestroy(done[i]));
  }
  CHECK(cudaStreamDestroy(down));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFreeHost(h_in));
  CHECK(cudaFreeHost(h_out));
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  std::puts(ok ? "correct" : "wrong");
  return ok ? 0 : 1;
}
