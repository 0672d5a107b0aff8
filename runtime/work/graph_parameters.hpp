// The parameters of graph nodes, in the structures of the CUDA runtime.
#pragma once

#include "runtime/work/graph.hpp"

namespace warpcheck::runtime {

// These set `work`, and return the error of parameters that cannot be executed.
cudaError_t read_parameters(Runtime& runtime, const cudaKernelNodeParams& from, Work& work);
cudaError_t read_parameters(Runtime& runtime, const cudaMemcpy3DParms& from, Work& work);
cudaError_t read_parameters(Runtime& runtime, const cudaMemsetParams& from, Work& work);
cudaError_t read_parameters(Runtime& runtime, const cudaHostNodeParams& from, Work& work);
cudaError_t read_parameters(Runtime& runtime, const cudaGraphNodeParams& from, Work& work);

/// The work of a node that copies one row.
[[nodiscard]] CopyWork plain_copy(void* to, const void* from, std::size_t bytes,
                                  cudaMemcpyKind kind);

// The node has the type of the structure.
void write_parameters(CUgraphNode_st& node, cudaKernelNodeParams& to);
void write_parameters(CUgraphNode_st& node, cudaMemcpy3DParms& to);
void write_parameters(CUgraphNode_st& node, cudaMemsetParams& to);
void write_parameters(CUgraphNode_st& node, cudaHostNodeParams& to);

}  // namespace warpcheck::runtime
