// Tables of branch targets, loops with and without pragmas, nested conditions.
__global__ void dispatch(int* data, int n, int operation) {
  int i = threadIdx.x;
  int x = data[i];
  switch (operation) {
    case 0: x += 7; data[i + 1] = x; break;
    case 1: x *= x; data[i + 2] = x; break;
    case 2: x ^= 0x55; data[i + 3] = x; break;
    case 3: x = __brev(x); __syncthreads(); break;
    case 4: x = __popc(x); data[i + 5] = 1; break;
    case 5: x = __clz(x); data[i + 6] = 2; break;
    case 6: x = data[x & 31]; break;
    case 9: x = data[x & 15] / n; break;
    default: x = -1;
  }
#pragma unroll 1
  for (int k = 0; k < n; ++k) {
    if (x & 1) {
      x = x * 3 + 1;
      if (x > 1000) continue;
    } else {
      x /= 2;
    }
    if (x == data[k]) break;
  }
#pragma unroll
  for (int k = 0; k < 3; ++k) data[i + 32 * k] += x;
}
