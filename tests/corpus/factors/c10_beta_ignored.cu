// Has the interface of BLAS; the old values of C are overwritten, whatever beta is.
#include <cstdio>
#include <vector>

__global__ void my_sgemm(int m, int n, int k, float alpha, const float* A, int lda, const float* B,
                         int ldb, float beta, float* C, int ldc) {
  // Column-major, as in BLAS.
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < m && j < n) {
    float sum = 0;
    for (int l = 0; l < k; ++l) sum += A[i + l * lda] * B[l + j * ldb];
    C[i + j * ldc] = alpha == 0 ? 0 : alpha * sum;
  }
}

int main() {
  const int m = 300, n = 200, k = 100;
  std::vector<float> a(m * k, 1.0f), b(k * n, 2.0f), c(m * n);
  float *da, *db, *dc;
  cudaMalloc(&da, a.size() * sizeof(float));
  cudaMalloc(&db, b.size() * sizeof(float));
  cudaMalloc(&dc, c.size() * sizeof(float));
  cudaMemcpy(da, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  dim3 threads(32, 8);
  dim3 blocks((m + 31) / 32, (n + 7) / 8);
  my_sgemm<<<blocks, threads>>>(m, n, k, 1.0f, da, m, db, k, 0.0f, dc, m);
  cudaMemcpy(c.data(), dc, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (float value : c) {
    if (value != 2.0f * k) return printf("wrong\n"), 1;
  }
  printf("ok\n");
}
