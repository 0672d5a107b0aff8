// Depthwise 3x3 convolution, NCHW, padding 1, stride 1.
__global__ void depthwise3x3(const float* x, const float* w, float* y, int N, int C, int H, int W) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int total = N * C * H * W;
  if (idx >= total) return;
  int ow = idx % W;
  int oh = (idx / W) % H;
  int c = (idx / (W * H)) % C;
  int n = idx / (W * H * C);
  float sum = 0.f;
  for (int kh = 0; kh < 3; ++kh) {
    for (int kw = 0; kw < 3; ++kw) {
      int ih = oh + kh - 1;
      int iw = ow + kw - 1;
      if (ih >= 0 && ih < H && iw >= 0 && iw < W)
        sum += x[((n * C + c) * H + ih) * W + iw] * w[c * 9 + kh * 3 + kw];
    }
  }
  y[idx] = sum;
}
