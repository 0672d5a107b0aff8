// A loop that counts changes its state: it may end, and nothing shows that it does not.
// run: exec --limit instructions=1M ./program
// exits: 3
// prints: it was not executed to its end: thread
// prints: counting_loop_is_undecided.cu:10
// prints not: error[
#include <cstdio>

__global__ void count(volatile unsigned long long* counter) {
  for (unsigned long long i = 0; i < 1ull << 60; ++i) *counter = i;
}

int main() {
  unsigned long long* counter;
  cudaMalloc(&counter, sizeof *counter);
  count<<<1, 1>>>(counter);
  cudaDeviceSynchronize();
  cudaFree(counter);
  return 0;
}
