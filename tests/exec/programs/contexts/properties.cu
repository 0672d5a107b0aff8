// Properties that the program sets, and reads back.
#include <cstdio>

int main() {
  int* memory;
  unsigned flags = 0;
  cudaHostAlloc(&memory, 64, cudaHostAllocMapped | cudaHostAllocPortable);
  bool right = cudaHostGetFlags(&flags, memory) == cudaSuccess &&
               flags == (cudaHostAllocMapped | cudaHostAllocPortable);
  cudaFreeHost(memory);
  int least = 0, greatest = 0;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStream_t one, other;
  cudaStreamCreateWithPriority(&one, cudaStreamNonBlocking, greatest);
  cudaStreamCreate(&other);
  cudaStreamAttrValue value{};
  right = right &&
          cudaStreamGetAttribute(one, cudaStreamAttributePriority, &value) == cudaSuccess &&
          value.priority == greatest;
  value.accessPolicyWindow = {&flags, 1024, 0.5f, cudaAccessPropertyPersisting,
                              cudaAccessPropertyStreaming};
  cudaStreamSetAttribute(one, cudaStreamAttributeAccessPolicyWindow, &value);
  cudaStreamCopyAttributes(other, one);
  value = {};
  right =
      right &&
      cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &value) == cudaSuccess &&
      value.accessPolicyWindow.num_bytes == 1024 && value.accessPolicyWindow.hitRatio == 0.5f;
  cudaStreamDestroy(one);
  cudaStreamDestroy(other);
  std::puts(right ? "correct" : "wrong");
  int value_of_device = 0;
  std::puts(cudaGetErrorName(cudaHostGetFlags(&flags, &value_of_device)));
}
