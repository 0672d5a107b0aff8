// Does what the first argument names, after one correct launch: programs that crash, do not end, or
// leave without cleaning up.
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

__global__ void add_one(int* data) { data[threadIdx.x] += 1; }

__global__ void endless(volatile int* data) {
  while (data[0] >= 0) data[1] = data[1] + 1;
}

__global__ void asserting(int* data) { assert(data[threadIdx.x] != 3); }

__global__ void trapping(int* data) {
  if (data[threadIdx.x] == 3) __trap();
}

__global__ void printing(int lines) {
  for (int i = 0; i < lines; ++i) printf("line %d of thread %d\n", i, threadIdx.x);
}

static int report(const char* what) {
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  return error == cudaSuccess ? 0 : 5;
}

int main(int count, char** words) {
  const char* const what = count > 1 ? words[1] : "";
  const auto is = [what](const char* word) { return std::strcmp(what, word) == 0; };
  int* data;
  cudaMalloc(&data, 32 * sizeof(int));
  cudaMemset(data, 0, 32 * sizeof(int));
  add_one<<<1, 32>>>(data);
  if (is("crash")) return *static_cast<volatile int*>(nullptr);
  if (is("abort")) std::abort();
  if (is("exit")) _exit(9);
  if (is("wait")) {
    std::puts("waiting");
    std::fflush(stdout);
    for (;;) pause();
  }
  if (is("endless")) {
    endless<<<1, 32>>>(data);
    return report("endless");
  }
  if (is("fork")) {
    const pid_t child = fork();
    add_one<<<1, 32>>>(data);
    if (child == 0) {
      std::printf("child: %s\n", cudaGetErrorName(cudaGetLastError()));
      return 0;
    }
    waitpid(child, nullptr, 0);
    return report("fork");
  }
  if (is("exec")) return execl(words[0], words[0], "beyond", nullptr);
  if (is("beyond")) {
    add_one<<<1, 33>>>(data);
    return report("beyond");
  }
  if (is("leaks")) {
    for (int i = 0; i < 1000; ++i) cudaMalloc(&data, 16);
    return report("leaks");
  }
  if (is("launches")) {
    for (int i = 0; i < std::atoi(words[2]); ++i) add_one<<<1, 32>>>(data);
    return report("launches");
  }
  if (is("assert") || is("trap")) {
    const int three = 3;
    cudaMemcpy(data + 4, &three, sizeof three, cudaMemcpyHostToDevice);
    if (is("assert")) asserting<<<1, 32>>>(data);  // the error is sticky
    if (is("trap")) trapping<<<1, 32>>>(data);
    return report(what);
  }
  if (is("threads")) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([] {
        int* own;
        cudaMalloc(&own, 128);
        cudaMemset(own, 0, 128);
        for (int launch = 0; launch < 50; ++launch) add_one<<<1, 32>>>(own);
        cudaFree(own);
      });
    }
    for (std::thread& thread : threads) thread.join();
    return report("threads");
  }
  if (is("print")) {
    printing<<<1, 32>>>(1 << 20);
    return report("print");
  }
  return report("nothing");
}
