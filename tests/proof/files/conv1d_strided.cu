// Depthwise convolution along the last dimension, with a step and padding. Mistakes: it compares
// with the length by <=, or the last element of a row is not written.
enum Mistake { kNone, kOneTooFar, kOneTooFew };

template <Mistake MISTAKE>
__global__ void conv1d_strided(const float* x, const float* w, float* y, int channels, int length,
                               int taps, int step, int pad) {
  const int out = (length + 2 * pad - taps) / step + 1;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y;
  if (i >= (MISTAKE == kOneTooFew ? out - 1 : out)) return;
  float sum = 0.0f;
  for (int t = 0; t < taps; ++t) {
    const int j = i * step + t - pad;
    if (j >= 0 && (MISTAKE == kOneTooFar ? j <= length : j < length)) {
      sum += x[(size_t)row * length + j] * w[row % channels * taps + t];
    }
  }
  y[(size_t)row * out + i] = sum;
}
