// Graphs of work.
#pragma once

#include <memory>
#include <vector>

#include "runtime/work/work.hpp"

struct CUgraphNode_st {
  CUgraphNode_st(CUgraph_st* of, warpcheck::runtime::Work does);
  CUgraphNode_st(const CUgraphNode_st&) = delete;
  CUgraphNode_st& operator=(const CUgraphNode_st&) = delete;
  ~CUgraphNode_st();

  CUgraph_st* graph;
  warpcheck::runtime::Work work;
  std::vector<CUgraphNode_st*> dependencies;
  const CUgraphNode_st* cloned_from = nullptr;
  bool enabled = true;
  std::vector<void*> arguments;     // arguments of a kernel, as the program reads them
  std::vector<cudaGraph_t> bodies;  // bodies of a conditional node, as the program reads them
};

struct CUgraph_st {
  std::vector<std::unique_ptr<CUgraphNode_st>> nodes;  // the oldest first
  bool owned = false;  // a node or the capture of a stream owns the graph
};

/// A graph that can be launched. Its nodes are clones.
struct CUgraphExec_st {
  std::unique_ptr<CUgraph_st> graph;
  std::vector<CUgraphNode_st*> order;
  unsigned long long flags = 0;
};

namespace warpcheck::runtime {

// The handles that exist; the runtime is locked while they are used.
[[nodiscard]] bool exists(const CUgraphNode_st* node);
[[nodiscard]] std::vector<std::unique_ptr<CUgraph_st>>& graphs();  // graphs of the program
[[nodiscard]] std::vector<std::unique_ptr<CUgraphExec_st>>& graph_execs();

[[nodiscard]] std::unique_ptr<CUgraph_st> clone(const CUgraph_st& graph);
/// The nodes so that each follows its dependencies; fewer than there are if the graph has a cycle.
[[nodiscard]] std::vector<CUgraphNode_st*> topological_order(const CUgraph_st& graph);
/// The node of a clone that stands for a node of its original; null: none.
[[nodiscard]] CUgraphNode_st* find_in_clone(const CUgraph_st& clone, const CUgraphNode_st* node);
[[nodiscard]] cudaGraphNodeType type_of(const Work& work);

/// Replaces the work of `target` by that of a graph with the same nodes and edges.
[[nodiscard]] cudaGraphExecUpdateResult update(CUgraph_st& target, const CUgraph_st& from,
                                               cudaGraphNode_t& changed);

/// Executes the nodes of a graph in order, as work of a stream. Call this without the lock of the
/// runtime.
cudaError_t run(const CUgraphExec_st& exec, cudaStream_t stream);

}  // namespace warpcheck::runtime
