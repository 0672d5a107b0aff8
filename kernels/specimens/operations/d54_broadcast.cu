// A bias for each column and a scale for each row: the bias of a column is read at the row; vectors
// of four where rows are not aligned; an offset of the output in 32 bits.
template <bool kBiasOfRow, bool kUnaligned, bool kNarrowOffset>
__global__ void bias_scale_relu(const float* x, int stride_x, const float* bias, const float* scale,
                                float* y, int stride_y, int columns) {
  const int row = blockIdx.y;
  const int first = 4 * (blockIdx.x * 32 + threadIdx.x);
  if (first >= columns) return;
  const float* from = x + static_cast<size_t>(row) * stride_x + first;
  float four[4];
  if (kUnaligned) {
    const float4 loaded = *reinterpret_cast<const float4*>(from);  // finding here
    four[0] = loaded.x, four[1] = loaded.y, four[2] = loaded.z, four[3] = loaded.w;
  } else {
    for (int i = 0; i < 4; ++i) four[i] = from[i];
  }
  for (int i = 0; i < 4; ++i) {
    const int column = first + i;
    const float value = (four[i] + bias[kBiasOfRow ? row : column]) * scale[row];  // finding here
    const size_t offset = kNarrowOffset ? row * stride_y : static_cast<size_t>(row) * stride_y;
    y[offset + column] = value < 0.0f ? 0.0f : value;  // finding here
  }
}
