// A GPU cannot run PTX for a newer architecture: the message names the models that can.
// build: -gencode arch=compute_90,code=compute_90
// run: exec --device-model a100 ./program
// exits: 2
// prints: the program contains PTX for compute_90
// prints: `--device-model`: h100, h200
__global__ void nothing() {}

int main() {
  nothing<<<1, 1>>>();
  return cudaGetLastError() == cudaErrorNoKernelImageForDevice ? 0 : 7;
}
