// A transposition whose parameters are the columns, then the rows.
// run: init FILE
// prints: inputs.idata  = { shape = ["height", "width"] }
// prints: "odata[j,i] = idata[i,j]"
__global__ void t(const float* idata, float* odata, int width, int height) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < height) odata[x * height + y] = idata[y * width + x];
}
