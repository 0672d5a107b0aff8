#include "runtime/work/graph.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "runtime/work/conditions.hpp"
#include "runtime/work/stream_races.hpp"

using warpcheck::runtime::Work;

namespace warpcheck::runtime {
namespace {

std::unordered_set<const CUgraphNode_st*>& graph_nodes() {
  static auto* const all = new std::unordered_set<const CUgraphNode_st*>();
  return *all;
}

Work clone_of(const Work& work) {
  if (const auto* const conditional = std::get_if<ConditionalWork>(&work)) {
    ConditionalWork copy{conditional->condition, conditional->type, {}};
    for (const auto& body : conditional->bodies) copy.bodies.push_back(clone(*body));
    return copy;
  }
  const auto* const child = std::get_if<ChildWork>(&work);
  return child == nullptr ? work : ChildWork{clone(*child->graph)};
}

/// Executes a node in its turn: functions of the host without the lock. A node that is disabled
/// orders others all the same.
cudaError_t run_node(const CUgraphNode_st& node, GraphOrder& order);

cudaError_t run_nodes(const std::vector<CUgraphNode_st*>& nodes, GraphOrder& order) {
  cudaError_t first = cudaSuccess;
  for (const CUgraphNode_st* const node : nodes) {
    const cudaError_t error = run_node(*node, order);
    if (first == cudaSuccess) first = error;
  }
  return first;
}

/// Executes the bodies of a conditional node, each after the one before. Without one, the node
/// orders others all the same.
cudaError_t run_conditional(const CUgraphNode_st& node, const ConditionalWork& work,
                            std::vector<const void*> dependencies, GraphOrder& order) {
  for (std::uint64_t runs = 0;; ++runs) {
    const CUgraph_st* body = nullptr;
    const cudaError_t failed = api_call([&](Runtime& runtime) {
      body = next_body(runtime, work, runs);
      return body != nullptr || runs != 0
                 ? cudaSuccess
                 : execute_node(runtime, order, &node, dependencies, EmptyWork{});
    });
    if (failed != cudaSuccess || body == nullptr) return failed;
    GraphOrder inner = StreamOrder::begin_child(order, dependencies);
    const cudaError_t error = run_nodes(topological_order(*body), inner);
    StreamOrder::end_child(order, &node, inner);
    if (error != cudaSuccess) return error;
    dependencies = {&node};
  }
}

cudaError_t run_node(const CUgraphNode_st& node, GraphOrder& order) {
  const Work& work = node.enabled ? node.work : Work(EmptyWork{});
  const std::vector<const void*> dependencies(node.dependencies.begin(), node.dependencies.end());
  if (const auto* const child = std::get_if<ChildWork>(&work)) {
    GraphOrder inner = StreamOrder::begin_child(order, dependencies);
    const cudaError_t error = run_nodes(topological_order(*child->graph), inner);
    StreamOrder::end_child(order, &node, inner);
    return error;
  }
  if (const auto* const conditional = std::get_if<ConditionalWork>(&work)) {
    return run_conditional(node, *conditional, dependencies, order);
  }
  if (const auto* const host = std::get_if<HostWork>(&work)) host->function(host->data);
  return api_call(
      [&](Runtime& runtime) { return execute_node(runtime, order, &node, dependencies, work); });
}

/// The indices of the dependencies of each node.
std::vector<std::vector<std::size_t>> edges_of(const CUgraph_st& graph) {
  std::unordered_map<const CUgraphNode_st*, std::size_t> numbers;
  std::vector<std::vector<std::size_t>> edges;
  for (const auto& node : graph.nodes) numbers.emplace(node.get(), numbers.size());
  for (const auto& node : graph.nodes) {
    std::vector<std::size_t>& from = edges.emplace_back();
    for (const CUgraphNode_st* const one : node->dependencies) from.push_back(numbers.at(one));
    std::sort(from.begin(), from.end());
  }
  return edges;
}

}  // namespace

bool exists(const CUgraphNode_st* node) { return graph_nodes().contains(node); }

std::vector<std::unique_ptr<CUgraph_st>>& graphs() {
  static auto* const all = new std::vector<std::unique_ptr<CUgraph_st>>();
  return *all;
}

std::vector<std::unique_ptr<CUgraphExec_st>>& graph_execs() {
  static auto* const all = new std::vector<std::unique_ptr<CUgraphExec_st>>();
  return *all;
}

std::unique_ptr<CUgraph_st> clone(const CUgraph_st& graph) {
  auto result = std::make_unique<CUgraph_st>();
  std::unordered_map<const CUgraphNode_st*, CUgraphNode_st*> clones;
  for (const auto& node : graph.nodes) {
    auto& copy = result->nodes.emplace_back(
        std::make_unique<CUgraphNode_st>(result.get(), clone_of(node->work)));
    copy->cloned_from = node.get();
    copy->enabled = node->enabled;
    clones[node.get()] = copy.get();
  }
  for (const auto& node : result->nodes) {
    for (const CUgraphNode_st* const one : node->cloned_from->dependencies) {
      node->dependencies.push_back(clones.at(one));
    }
  }
  return result;
}

std::vector<CUgraphNode_st*> topological_order(const CUgraph_st& graph) {
  std::vector<CUgraphNode_st*> order;
  std::unordered_set<const CUgraphNode_st*> done;
  for (bool found = true; found;) {
    found = false;
    for (const auto& node : graph.nodes) {
      const auto is_done = [&](const CUgraphNode_st* one) { return done.contains(one); };
      if (is_done(node.get()) ||
          !std::all_of(node->dependencies.begin(), node->dependencies.end(), is_done)) {
        continue;
      }
      order.push_back(node.get());
      done.insert(node.get());
      found = true;
    }
  }
  return order;
}

CUgraphNode_st* find_in_clone(const CUgraph_st& clone, const CUgraphNode_st* node) {
  const auto found = std::find_if(clone.nodes.begin(), clone.nodes.end(),
                                  [&](const auto& one) { return one->cloned_from == node; });
  return found == clone.nodes.end() ? nullptr : found->get();
}

cudaGraphNodeType type_of(const Work& work) {
  constexpr cudaGraphNodeType kTypes[] = {
      cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,      cudaGraphNodeTypeMemset,
      cudaGraphNodeTypeHost,   cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeWaitEvent,
      cudaGraphNodeTypeEmpty,  cudaGraphNodeTypeMemAlloc,    cudaGraphNodeTypeMemFree,
      cudaGraphNodeTypeGraph,  cudaGraphNodeTypeConditional, cudaGraphNodeTypeKernel};
  static_assert(std::size(kTypes) == std::variant_size_v<Work>);
  return kTypes[work.index()];
}

cudaGraphExecUpdateResult update(CUgraph_st& target, const CUgraph_st& from,
                                 cudaGraphNode_t& changed) {
  changed = nullptr;
  if (target.nodes.size() != from.nodes.size() || edges_of(target) != edges_of(from)) {
    return cudaGraphExecUpdateErrorTopologyChanged;
  }
  for (std::size_t i = 0; i < from.nodes.size(); ++i) {
    changed = from.nodes[i].get();
    if (target.nodes[i]->work.index() != changed->work.index()) {
      return cudaGraphExecUpdateErrorNodeTypeChanged;
    }
  }
  for (std::size_t i = 0; i < from.nodes.size(); ++i) {
    target.nodes[i]->work = clone_of(from.nodes[i]->work);
    target.nodes[i]->cloned_from = from.nodes[i].get();
  }
  changed = nullptr;
  return cudaGraphExecUpdateSuccess;
}

cudaError_t run(const CUgraphExec_st& exec, cudaStream_t stream) {
  Runtime& runtime = Runtime::instance();
  const HostGuards::Pause pause;  // functions of the host are nodes
  GraphOrder order;
  {
    const std::lock_guard lock(runtime.mutex());
    order = runtime.order().begin_graph(ordered(stream));
    assign_defaults(runtime, *exec.graph);
  }
  const cudaError_t error = run_nodes(exec.order, order);
  const std::lock_guard lock(runtime.mutex());
  runtime.order().end_graph(order);
  return error;
}

}  // namespace warpcheck::runtime

CUgraphNode_st::CUgraphNode_st(CUgraph_st* of, Work does) : graph(of), work(std::move(does)) {
  warpcheck::runtime::graph_nodes().insert(this);
}

CUgraphNode_st::~CUgraphNode_st() { warpcheck::runtime::graph_nodes().erase(this); }
