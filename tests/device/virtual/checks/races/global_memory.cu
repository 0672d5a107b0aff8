// Global memory shared by the threads of a block.

extern "C" __global__ void exchange_through_global(const int* in, int* out) {
  const int t = threadIdx.x;
  out[t] = in[t];  // races
  if (ordered) __syncthreads();
  const int other = out[127 - t];  // races
  out[128 + t] = other;
}

extern "C" __global__ void stencil_in_place(const int* in, int* out) {
  const int t = threadIdx.x;
  const int sum = out[t] + out[t + 1];  // races
  if (ordered) __syncthreads();
  out[t] = sum + in[t];  // races
}

extern "C" __global__ void reduction_in_global(const int* in, int* out) {
  const int t = threadIdx.x;
  out[t] = in[t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) out[t] += out[t + half];  // races
    if (ordered) __syncthreads();
  }
}

extern "C" __global__ void element_of_two_threads(const int* in, int* out) {
  const int t = threadIdx.x;
  out[ordered ? t : t / 2] = in[t] + 1;  // races
}

extern "C" __global__ void byte_of_two_threads(const int* in, int* out) {
  const int t = threadIdx.x;
  auto* const bytes = reinterpret_cast<unsigned char*>(out);
  bytes[ordered ? t : t / 2] = in[t] + 1;  // races
}

__device__ int scratch[128];

extern "C" __global__ void module_variable(const int* in, int* out) {
  const int t = threadIdx.x;
  scratch[t] = in[t];  // races
  if (ordered) __syncthreads();
  out[t] = scratch[t ^ 64];  // races
}

extern "C" __global__ void half_warps_through_global(const int* in, int* out) {
  const int t = threadIdx.x;
  out[t] = in[t];  // races
  if (ordered) __syncwarp();
  const int other = out[t ^ 16];  // races
  out[128 + t] = other;
}

extern "C" __global__ void own_element(const int* in, int* out) {
  const int t = threadIdx.x;
  for (int i = 0; i < 4; ++i) out[t] += in[t];  // races
  if (!ordered) out[(t + 32) % 128] = in[t];    // races
  if (!ordered) out[t] = 0;                     // races
}

// The output begins two bytes before a boundary of four; the first pair is at the boundary.
extern "C" __global__ void pairs_from_a_shifted_base(const int* in, int* out) {
  const int t = threadIdx.x;
  short2* const pairs = reinterpret_cast<short2*>(reinterpret_cast<short*>(out) + 1);
  const short value = in[t];
  pairs[ordered ? t : t ^ (t & 32)] = make_short2(value, value);  // races
}
