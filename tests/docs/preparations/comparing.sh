# Creates the repository of the page's examples: a half-precision product whose sum becomes half precision
# in one commit, and which loses its edge test in a later commit.
mkdir mine
cd mine
git init -q
export GIT_AUTHOR_DATE=2026-11-21T15:14:46Z GIT_COMMITTER_DATE=2026-11-21T15:14:46Z
commit() {
  git add -A
  git commit -q -m "$1"
}
note() {
  echo "$1" >>notes.txt
  commit "Note $1"
}
cat >mine.cu <<'CUDA'
/* warpcheck
[[variant]]
name = "mine"
kernel = "multiply"
operation = "gemm"
layout = "row"
types = { a = "f16", b = "f16", c = "f16", accumulate = "f16" }
arguments = ["a", "b", "c", "m", "n", "k"]
block = [8, 8]
grid = ["ceil_div(n, 8) * ceil_div(m, 8)"]
*/
#include <cuda_fp16.h>
using Sum = float;
__global__ void multiply(const __half* a, const __half* b, __half* c, int m, int n, int k) {
  const int column = blockIdx.x % ((n + 7) / 8) * blockDim.x + threadIdx.x;
  const int row = blockIdx.x / ((n + 7) / 8) * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  Sum sum = 0.0f;
  for (int i = 0; i < k; ++i) sum = float(sum) + float(a[row * k + i]) * float(b[i * n + column]);
  c[row * n + column] = float(sum);
}
CUDA
commit 'Multiply halves'
for number in 1 2 3; do note $number; done
sed -i 's/Sum = float/Sum = __half/' mine.cu
commit 'Keep the sum in half a register'
for number in 4 5; do note $number; done
sed -i '/if (row >= m/d' mine.cu
commit 'Drop a test that never fires'
for number in 6 7; do note $number; done
