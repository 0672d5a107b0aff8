// A stream capture records copies from and to an array: the graph copies what memory contains when
// it is launched.
#include <cstdio>

__global__ void twice(cudaSurfaceObject_t image, int width) {
  const int x = threadIdx.x, y = blockIdx.x;
  if (x >= width) return;
  float value;
  surf2Dread(&value, image, x * 4, y);
  surf2Dwrite(2 * value, image, x * 4, y);
}

int main() {
  constexpr int kWidth = 8, kHeight = 4, kCount = kWidth * kHeight;
  float *in, *out;
  cudaMallocHost(&in, kCount * sizeof(float));
  cudaMallocHost(&out, kCount * sizeof(float));
  for (int i = 0; i < kCount; ++i) in[i] = out[i] = -1;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array, volume;
  cudaMallocArray(&array, &format, kWidth, kHeight, cudaArraySurfaceLoadStore);
  cudaMalloc3DArray(&volume, &format, make_cudaExtent(kWidth, kHeight, 2));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaSurfaceObject_t image;
  cudaCreateSurfaceObject(&image, &resource);

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaMemcpy2DToArrayAsync(array, 0, 0, in, kWidth * 4, kWidth * 4, kHeight, cudaMemcpyHostToDevice,
                           stream);
  twice<<<kHeight, 32, 0, stream>>>(image, kWidth);
  cudaMemcpy3DParms slice{};
  slice.srcArray = array;
  slice.dstArray = volume;
  slice.dstPos.z = 1;
  slice.extent = make_cudaExtent(kWidth, kHeight, 1);
  slice.kind = cudaMemcpyDeviceToDevice;
  cudaMemcpy3DAsync(&slice, stream);
  cudaMemcpy3DParms back{};
  back.srcArray = volume;
  back.srcPos.z = 1;
  back.dstPtr = make_cudaPitchedPtr(out, kWidth * 4, kWidth, kHeight);
  back.extent = make_cudaExtent(kWidth, kHeight, 1);
  back.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3DAsync(&back, stream);
  cudaGraph_t graph;
  cudaStreamEndCapture(stream, &graph);
  size_t nodes = 0;
  cudaGraphGetNodes(graph, nullptr, &nodes);
  bool right = nodes == 4 && out[0] == -1;  // nothing was copied yet

  cudaGraphExec_t exec;
  cudaGraphInstantiate(&exec, graph, 0);
#ifdef DEFECT
  cudaFreeArray(volume);
#endif
  for (int run = 0; run < 2; ++run) {
    for (int i = 0; i < kCount; ++i) in[i] = i + 100 * run;
    cudaGraphLaunch(exec, stream);  // finding here
    cudaStreamSynchronize(stream);
    for (int i = 0; i < kCount; ++i) right &= out[i] == 2 * (i + 100 * run);
  }
  std::puts(right ? "correct" : "wrong");
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  cudaDestroySurfaceObject(image);
  cudaFreeArray(array);
#ifndef DEFECT
  cudaFreeArray(volume);
#endif
  cudaFreeHost(in);
  cudaFreeHost(out);
}
