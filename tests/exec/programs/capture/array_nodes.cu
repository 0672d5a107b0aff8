// Nodes of a graph that copy to and from a CUDA array, before and after a kernel that reads it
// through a texture. With DEFECT, the array is freed before the graph is launched.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                    \
  do {                                                                 \
    if (const cudaError_t error = (call)) {                            \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
      std::exit(7);                                                    \
    }                                                                  \
  } while (false)

constexpr int kWidth = 8;
constexpr int kHeight = 4;

__global__ void double_texels(cudaTextureObject_t texture, float* out) {
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  out[x + kWidth * y] = 2 * tex2D<float>(texture, x + 0.5f, y + 0.5f);
}

int main() {
  std::vector<float> source(kWidth * kHeight), doubled(kWidth * kHeight), second_row(kWidth);
  for (int i = 0; i < kWidth * kHeight; ++i) source[i] = static_cast<float>(i);
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CHECK(cudaMallocArray(&array, &format, kWidth, kHeight));
  float* out;
  CHECK(cudaMalloc(&out, source.size() * sizeof(float)));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc sampling{};
  cudaTextureObject_t texture;
  CHECK(cudaCreateTextureObject(&texture, &resource, &sampling, nullptr));

  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemcpy3DParms to_array{};
  to_array.srcPtr = make_cudaPitchedPtr(source.data(), kWidth * sizeof(float), kWidth, kHeight);
  to_array.dstArray = array;
  to_array.extent = make_cudaExtent(kWidth, kHeight, 1);
  to_array.kind = cudaMemcpyHostToDevice;
  cudaGraphNode_t upload, kernel, download, row;
  CHECK(cudaGraphAddMemcpyNode(&upload, graph, nullptr, 0, &to_array));
  void* arguments[] = {&texture, &out};
  cudaKernelNodeParams launch{};
  launch.func = reinterpret_cast<void*>(double_texels);
  launch.gridDim = dim3(1);
  launch.blockDim = dim3(kWidth, kHeight);
  launch.kernelParams = arguments;
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &upload, 1, &launch));
  CHECK(cudaGraphAddMemcpyNode1D(&download, graph, &kernel, 1, doubled.data(), out,
                                 doubled.size() * sizeof(float), cudaMemcpyDeviceToHost));
  cudaMemcpy3DParms from_array{};
  from_array.srcArray = array;
  from_array.srcPos = make_cudaPos(0, 1, 0);
  from_array.dstPtr = make_cudaPitchedPtr(second_row.data(), kWidth * sizeof(float), kWidth, 1);
  from_array.extent = make_cudaExtent(kWidth, 1, 1);
  from_array.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaGraphAddMemcpyNode(&row, graph, &upload, 1, &from_array));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph));
#ifdef DEFECT
  CHECK(cudaFreeArray(array));
#endif
  cudaGraphLaunch(exec, nullptr);  // finding here
  CHECK(cudaDeviceSynchronize());
  bool right = true;
  for (int i = 0; i < kWidth * kHeight; ++i) right = right && doubled[i] == 2 * source[i];
  for (int i = 0; i < kWidth; ++i) right = right && second_row[i] == source[kWidth + i];
  std::puts(right ? "correct" : "wrong");
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaDestroyTextureObject(texture);
#ifndef DEFECT
  cudaFreeArray(array);
#endif
  cudaFree(out);
}
