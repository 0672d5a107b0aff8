// Conditional nodes of graphs: while, if with else, and switch. With DEFECT, the loop runs once too
// often. With the argument "unset", nothing sets a condition; with "endless", nothing ends a loop.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                    \
  do {                                                                 \
    if (const cudaError_t error = (call)) {                            \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error)); \
      std::exit(7);                                                    \
    }                                                                  \
  } while (false)

constexpr int kSteps = 5;

// steps[0] is the number of the step.
__global__ void step(int* steps, int* squares, cudaGraphConditionalHandle more) {
  const int at = steps[0]++;
  squares[at] = at * at;  // finding here
#ifdef DEFECT
  cudaGraphSetConditional(more, at < kSteps);
#else
  cudaGraphSetConditional(more, at + 1 < kSteps);
#endif
}

__global__ void choose(const int* steps, cudaGraphConditionalHandle odd,
                       cudaGraphConditionalHandle number) {
  cudaGraphSetConditional(odd, static_cast<unsigned>(steps[0] % 2));
  cudaGraphSetConditional(number, 2);
}

__global__ void add(int* result, int value) { *result += value; }

cudaGraphNode_t add_node(cudaGraph_t graph, cudaGraphNode_t after,
                         cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type,
                         unsigned size, cudaGraph_t* bodies) {
  cudaGraphNodeParams parameters = {cudaGraphNodeTypeConditional};
  parameters.conditional.handle = handle;
  parameters.conditional.type = type;
  parameters.conditional.size = size;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddNode(&node, graph, &after, nullptr, after == nullptr ? 0 : 1, &parameters));
  for (unsigned i = 0; i < size; ++i) bodies[i] = parameters.conditional.phGraph_out[i];
  return node;
}

void add_kernel(cudaGraph_t graph, int* result, int value) {
  void* arguments[] = {&result, &value};
  cudaKernelNodeParams kernel{};
  kernel.func = reinterpret_cast<void*>(add);
  kernel.gridDim = kernel.blockDim = dim3(1);
  kernel.kernelParams = arguments;
  cudaGraphNode_t node;
  CHECK(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &kernel));
}

// A loop whose graph has no node.
int run_endless_loop() {
  cudaGraph_t graph, body;
  cudaGraphExec_t exec;
  cudaGraphConditionalHandle more;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphConditionalHandleCreate(&more, graph, 1, cudaGraphCondAssignDefault));
  add_node(graph, nullptr, more, cudaGraphCondTypeWhile, 1, &body);
  CHECK(cudaGraphInstantiate(&exec, graph));
  CHECK(cudaGraphLaunch(exec, nullptr));
  CHECK(cudaDeviceSynchronize());
  std::puts("ended");
  return 0;
}

int main(int count, char** arguments) {
  if (count > 1 && arguments[1][0] == 'e') return run_endless_loop();
  int *steps, *squares, *result;
  CHECK(cudaMalloc(&steps, sizeof(int)));
  CHECK(cudaMalloc(&squares, kSteps * sizeof(int)));
  CHECK(cudaMalloc(&result, sizeof(int)));
  CHECK(cudaMemset(result, 0, sizeof(int)));
  cudaGraph_t graph, loop, branches[2], cases[3];
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle more, odd, number;
  CHECK(cudaGraphConditionalHandleCreate(&more, graph, 1, cudaGraphCondAssignDefault));
  CHECK(cudaGraphConditionalHandleCreate(&odd, graph));
  CHECK(cudaGraphConditionalHandleCreate(&number, graph));
  const cudaGraphNode_t looping = add_node(graph, nullptr, more, cudaGraphCondTypeWhile, 1, &loop);
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCaptureToGraph(stream, loop, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeGlobal));
  step<<<1, 1, 0, stream>>>(steps, squares, more);
  CHECK(cudaStreamEndCapture(stream, nullptr));
  cudaGraphNode_t last = looping;
  if (count == 1) {
    CHECK(cudaStreamBeginCaptureToGraph(stream, graph, &looping, nullptr, 1,
                                        cudaStreamCaptureModeGlobal));
    choose<<<1, 1, 0, stream>>>(steps, odd, number);
    const cudaGraphNode_t* captured;
    cudaStreamCaptureStatus status;
    CHECK(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &captured, nullptr, nullptr));
    last = captured[0];
    CHECK(cudaStreamEndCapture(stream, nullptr));
  }
  const cudaGraphNode_t branching = add_node(graph, last, odd, cudaGraphCondTypeIf, 2, branches);
  add_kernel(branches[0], result, 1);
  add_kernel(branches[1], result, 100);
  add_node(graph, branching, number, cudaGraphCondTypeSwitch, 3, cases);
  for (int i = 0; i < 3; ++i) add_kernel(cases[i], result, 10 * i);
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph));
  for (int launch = 0; launch < 2; ++launch) {
    CHECK(cudaMemsetAsync(steps, 0, sizeof(int), stream));
    CHECK(cudaGraphLaunch(exec, stream));
  }
  CHECK(cudaStreamSynchronize(stream));
  int host[kSteps], sum = 0;
  CHECK(cudaMemcpy(host, squares, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&sum, result, sizeof sum, cudaMemcpyDeviceToHost));
  bool right = sum == 2 * (1 + 20);
  for (int i = 0; i < kSteps; ++i) right = right && host[i] == i * i;
  std::puts(right ? "correct" : "wrong");
  cudaGraphExecDestroy(exec);
  cudaGraphDestroy(graph);
  cudaStreamDestroy(stream);
  for (int* const memory : {steps, squares, result}) cudaFree(memory);
}
