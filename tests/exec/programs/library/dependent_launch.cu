// Programmatic dependent launch: the second kernel starts before the first one ends, and waits for
// its results. The defect: it reads them before it waits.
#include "../samples/common.h"

constexpr int n = 1024;

__global__ void first(int* data) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  cudaTriggerProgrammaticLaunchCompletion();
  data[at] = static_cast<int>(at);
}

__global__ void second(const int* data, int* out, bool defect) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  int value = 0;
  if (defect) value = data[at];  // finding here
  cudaGridDependencySynchronize();
  if (!defect) value = data[at];
  out[at] = value + 1;
}

/// The same order in a graph: the edge is not a full dependency.
int add_programmatic_edge() {
  cudaGraph_t graph;
  cudaGraphNode_t nodes[2];
  CHECK(cudaGraphCreate(&graph, 0));
  for (cudaGraphNode_t& node : nodes) CHECK(cudaGraphAddEmptyNode(&node, graph, nullptr, 0));
  cudaGraphEdgeData edge{};
  edge.from_port = cudaGraphKernelNodePortProgrammatic;
  edge.type = cudaGraphDependencyTypeProgrammatic;
  const cudaError_t error = cudaGraphAddDependencies(graph, &nodes[0], &nodes[1], &edge, 1);
  std::puts(cudaGetErrorName(error));
  return 0;
}

int main(int argc, char** argv) {
  const Timing timing;
  if (argc > 1 && std::strcmp(argv[1], "edge") == 0) return add_programmatic_edge();
  int *data, *out;
  CHECK(cudaMalloc(&data, n * sizeof(int)));
  CHECK(cudaMalloc(&out, n * sizeof(int)));
  CHECK(cudaMemset(data, 0, n * sizeof(int)));
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  first<<<n / 128, 128, 0, stream>>>(data);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = n / 128;
  config.blockDim = 128;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const int* const in = data;
  const bool defect = has_defect(argc, argv);
  CHECK(cudaLaunchKernelEx(&config, second, in, out, defect));
  int result[n];
  CHECK(cudaMemcpyAsync(result, out, sizeof result, cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::puts(result[n - 1] == n ? "correct" : "wrong");
  CHECK(cudaFree(data));
  CHECK(cudaFree(out));
  CHECK(cudaStreamDestroy(stream));
}
