// Works of streams that access the same bytes. The first argument is the case, a second argument
// "unordered" leaves out what orders the works.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

__global__ void fill(int* out, int value) { out[threadIdx.x] = value; }
__global__ void add(const int* in, int* out) { out[threadIdx.x] += in[threadIdx.x]; }
__global__ void count(int* counter) { atomicAdd(counter, 1); }

constexpr int n = 64;
constexpr int bytes = n * sizeof(int);
bool unordered = false;
int *a, *b, *pinned;
cudaStream_t one, other;
cudaEvent_t event;

/// Lets `to` wait for the work of `from`.
void order(cudaStream_t from, cudaStream_t to) {
  if (unordered) return;
  cudaEventRecord(event, from);
  cudaStreamWaitEvent(to, event, 0);
}

void kernels() {
  fill<<<1, n, 0, one>>>(a, 1);
  order(one, other);
  add<<<1, n, 0, other>>>(a, b);
}

/// Copies of one half each: only the kernel that reads both needs an order.
void copies() {
  cudaMemcpyAsync(a, pinned, bytes / 2, cudaMemcpyHostToDevice, one);
  cudaMemcpyAsync(a + n / 2, pinned + n / 2, bytes / 2, cudaMemcpyHostToDevice, other);
  order(one, other);
  add<<<1, n, 0, other>>>(a, b);
}

/// The buffer of the host is filled again while a copy may read it.
void reuse() {
  cudaMemcpyAsync(a, pinned, bytes, cudaMemcpyHostToDevice, one);
  if (!unordered) cudaStreamSynchronize(one);
  cudaMemcpyAsync(pinned, b, bytes, cudaMemcpyDeviceToHost, other);
}

void double_buffering() {
  int* const buffers[] = {a, b};
  cudaEvent_t free[2];
  for (cudaEvent_t& each : free) cudaEventCreateWithFlags(&each, cudaEventDisableTiming);
  for (int i = 0; i < 6; ++i) {
    if (!unordered) cudaStreamWaitEvent(one, free[i % 2], 0);
    cudaMemcpyAsync(buffers[i % 2], pinned, bytes, cudaMemcpyHostToDevice, one);
    cudaEventRecord(event, one);
    cudaStreamWaitEvent(other, event, 0);
    add<<<1, n, 0, other>>>(buffers[i % 2], buffers[i % 2]);
    cudaEventRecord(free[i % 2], other);
  }
}

/// The default stream waits for blocking streams only.
void default_stream() {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, unordered ? cudaStreamNonBlocking : cudaStreamDefault);
  fill<<<1, n, 0, stream>>>(a, 1);
  add<<<1, n>>>(a, b);
  fill<<<1, n, 0, stream>>>(b, 1);
}

/// Work of blocking streams waits for the record of an event in the default stream.
void default_event() {
  fill<<<1, n, 0, one>>>(a, 1);
  if (!unordered) cudaEventRecord(event);
  add<<<1, n, 0, other>>>(a, b);
}

/// cudaMemset() does not wait.
void set() {
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemset(a, 0, bytes);
  if (!unordered) cudaDeviceSynchronize();
  add<<<1, n, 0, stream>>>(a, b);
}

void pool() {
  int* made;
  cudaMallocAsync(&made, bytes, one);
  fill<<<1, n, 0, one>>>(made, 1);
  order(one, other);
  add<<<1, n, 0, other>>>(made, b);
  order(other, one);
  cudaFreeAsync(made, one);
}

/// Memory belongs to the stream that allocates it.
void pool_allocation() {
  int* made;
  cudaMallocAsync(&made, bytes, one);
  order(one, other);
  fill<<<1, n, 0, other>>>(made, 1);
  order(other, one);
  cudaStreamSynchronize(other);
  cudaFreeAsync(made, one);
}

/// Two branches of a graph and their join.
void graph() {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(other, event, 0);
  fill<<<1, n, 0, one>>>(a, 1);
  fill<<<1, n, 0, other>>>(unordered ? a : b, 2);
  cudaEventRecord(event, other);
  cudaStreamWaitEvent(one, event, 0);
  add<<<1, n, 0, one>>>(a, b);
  cudaStreamEndCapture(one, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  for (int i = 0; i < 3; ++i) cudaGraphLaunch(exec, one);
  cudaStreamSynchronize(one);
}

/// A graph is work of the stream that launches it.
void after_graph() {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
  fill<<<1, n, 0, one>>>(a, 1);
  cudaStreamEndCapture(one, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, one);
  order(one, other);
  add<<<1, n, 0, other>>>(a, b);
}

/// A node that waits for an event orders the nodes after it, and the work after the graph.
void graph_wait() {
  cudaStream_t third;
  cudaEvent_t outside;
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamCreate(&third);
  cudaEventCreateWithFlags(&outside, cudaEventDisableTiming);
  fill<<<1, n, 0, third>>>(a, 1);
  cudaEventRecord(outside, third);
  cudaStreamBeginCapture(one, cudaStreamCaptureModeGlobal);
  cudaEventRecord(event, one);
  cudaStreamWaitEvent(other, event, 0);
  cudaStreamWaitEvent(other, outside, cudaEventWaitExternal);
  add<<<1, n, 0, unordered ? one : other>>>(a, b);
  cudaEventRecord(event, other);
  cudaStreamWaitEvent(one, event, 0);
  cudaStreamEndCapture(one, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, one);
  fill<<<1, n, 0, one>>>(a, 1);
}

/// Atomics of different streams do not race; a copy of their result does.
void atomics() {
  count<<<4, n, 0, one>>>(a);
  count<<<4, n, 0, other>>>(a);
  order(one, other);
  cudaMemcpyAsync(pinned, a, sizeof(int), cudaMemcpyDeviceToHost, other);
}

void continue_other(void*) {}

/// A function of the host may continue threads that submit other work.
void host_function() {
  fill<<<1, n, 0, one>>>(a, 1);
  if (!unordered) cudaLaunchHostFunc(one, continue_other, nullptr);
  add<<<1, n, 0, other>>>(a, b);
}

/// Work of two threads, each in the default stream.
void threads() {
  std::thread([] {
    fill<<<1, n>>>(a, 1);
    if (!unordered) cudaStreamSynchronize(nullptr);
  }).join();
  add<<<1, n>>>(a, b);
}

/// The driver's functions for the default stream as this file is compiled.
void entry_points() {
  void *legacy, *of_thread, *usual;
  const auto find = [](void** function, unsigned long long flags) {
    cudaGetDriverEntryPointByVersion("cuMemsetD8Async", function, 12000, flags);
  };
  find(&legacy, cudaEnableLegacyStream);
  find(&of_thread, cudaEnablePerThreadDefaultStream);
  find(&usual, cudaEnableDefault);
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  const void* const expected = of_thread;
#else
  const void* const expected = legacy;
#endif
  if (legacy == of_thread || usual != expected) std::exit(8);
}

struct Case {
  const char* name;
  void (*run)();
};
constexpr Case cases[] = {{"kernels", kernels},
                          {"copies", copies},
                          {"reuse", reuse},
                          {"double-buffering", double_buffering},
                          {"default-stream", default_stream},
                          {"default-event", default_event},
                          {"set", set},
                          {"pool", pool},
                          {"pool-allocation", pool_allocation},
                          {"graph", graph},
                          {"after-graph", after_graph},
                          {"graph-wait", graph_wait},
                          {"atomics", atomics},
                          {"host-function", host_function},
                          {"threads", threads},
                          {"entry-points", entry_points}};

int main(int argc, char** argv) {
  unordered = argc > 2;
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMallocHost(&pinned, bytes);
  memset(pinned, 0, bytes);
  cudaMemset(a, 0, bytes);
  cudaMemset(b, 0, bytes);
  cudaStreamCreate(&one);
  cudaStreamCreate(&other);
  cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  for (const Case& each : cases) {
    if (argc > 1 && strcmp(argv[1], each.name) != 0 && strcmp(argv[1], "all") != 0) continue;
    cudaDeviceSynchronize();
    each.run();
  }
  if (cudaDeviceSynchronize() != cudaSuccess) return 7;
  cudaFree(a);
  cudaFree(b);
  cudaFreeHost(pinned);
  std::puts("done");
}
