#include "device/virtual/isa/reconvergence_rank.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace warpcheck::isa {
namespace {

using machine::FunctionCode;
using machine::Op;
using machine::Successors;

constexpr std::uint32_t kUnseen = ~0U;

struct Graph {
  std::vector<std::uint32_t> first;  // first op of each basic block
  std::vector<std::vector<std::uint32_t>> successors;
};

template <class F>
void for_targets(const Op& op, F f) {
  if (op.successors == Successors::target || op.successors == Successors::next_or_target) {
    f(op.target);
  }
  if (op.successors == Successors::table) {
    for (const std::uint32_t target : op.detail->targets) f(target);
  }
}

Graph graph_of(FunctionCode& code) {
  std::vector<Op>& ops = code.ops;
  ops.front().leader = true;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    if (ops[i].successors == Successors::next) continue;
    if (i + 1 < ops.size()) ops[i + 1].leader = true;
    for_targets(ops[i], [&](std::uint32_t target) { ops[target].leader = true; });
  }
  Graph graph;
  std::vector<std::uint32_t> block_of(ops.size());
  for (std::uint32_t i = 0; i < ops.size(); ++i) {
    if (ops[i].leader) graph.first.push_back(i);
    block_of[i] = static_cast<std::uint32_t>(graph.first.size() - 1);
  }
  graph.successors.resize(graph.first.size());
  for (std::uint32_t block = 0; block < graph.first.size(); ++block) {
    const std::uint32_t end = block + 1 < graph.first.size()
                                  ? graph.first[block + 1]
                                  : static_cast<std::uint32_t>(ops.size());
    const Op& last = ops[end - 1];
    if (last.successors == Successors::next || last.successors == Successors::next_or_target) {
      if (end < ops.size()) graph.successors[block].push_back(block_of[end]);
    }
    for_targets(last, [&](std::uint32_t t) { graph.successors[block].push_back(block_of[t]); });
  }
  return graph;
}

/// Finds the strongly connected components of the blocks with `label`, in reverse topological
/// order. Each component lists its blocks in the order of the visit. (Tarjan 1972, with an explicit
/// stack.)
class Components {
 public:
  Components(const Graph& graph, const std::vector<std::uint32_t>& labels, std::uint32_t label)
      : graph_(graph),
        labels_(labels),
        label_(label),
        number_(labels.size(), kUnseen),
        low_(labels.size()),
        on_stack_(labels.size()) {}

  std::vector<std::vector<std::uint32_t>> from(const std::vector<std::uint32_t>& members) {
    for (const std::uint32_t block : members) {
      if (number_[block] == kUnseen) visit(block);
    }
    return std::move(found_);
  }

 private:
  void visit(std::uint32_t root) {
    std::vector<std::pair<std::uint32_t, std::size_t>> path;
    open(root, path);
    while (!path.empty()) {
      auto& [block, next] = path.back();
      if (next < graph_.successors[block].size()) {
        const std::uint32_t to = graph_.successors[block][next++];
        if (labels_[to] != label_) continue;
        if (number_[to] == kUnseen) {
          open(to, path);
        } else if (on_stack_[to]) {
          low_[block] = std::min(low_[block], number_[to]);
        }
        continue;
      }
      const std::uint32_t done = block;
      path.pop_back();
      if (!path.empty()) low_[path.back().first] = std::min(low_[path.back().first], low_[done]);
      if (low_[done] == number_[done]) close(done);
    }
  }

  void open(std::uint32_t block, std::vector<std::pair<std::uint32_t, std::size_t>>& path) {
    number_[block] = low_[block] = count_++;
    stack_.push_back(block);
    on_stack_[block] = true;
    path.emplace_back(block, 0);
  }

  void close(std::uint32_t head) {
    const auto begin = std::find(stack_.rbegin(), stack_.rend(), head).base() - 1;
    found_.emplace_back(begin, stack_.end());
    for (const std::uint32_t block : found_.back()) on_stack_[block] = false;
    stack_.erase(begin, stack_.end());
  }

  const Graph& graph_;
  const std::vector<std::uint32_t>& labels_;
  std::uint32_t label_;
  std::vector<std::uint32_t> number_;
  std::vector<std::uint32_t> low_;
  std::vector<bool> on_stack_;
  std::vector<std::uint32_t> stack_;
  std::uint32_t count_ = 0;
  std::vector<std::vector<std::uint32_t>> found_;
};

/// Appends the components in topological order. A loop's head precedes the rest of the loop, which
/// is ordered recursively.
void order(const Graph& graph, std::vector<std::uint32_t>& labels, std::uint32_t& next_label,
           const std::vector<std::uint32_t>& members, std::uint32_t label,
           std::vector<std::uint32_t>& result) {
  auto components = Components(graph, labels, label).from(members);
  std::reverse(components.begin(), components.end());
  for (const std::vector<std::uint32_t>& component : components) {
    const std::uint32_t head = component.front();
    result.push_back(head);
    labels[head] = kUnseen;
    if (component.size() == 1) continue;
    const std::uint32_t inner = next_label++;
    const std::vector<std::uint32_t> rest(component.begin() + 1, component.end());
    for (const std::uint32_t block : rest) labels[block] = inner;
    order(graph, labels, next_label, rest, inner, result);
  }
}

}  // namespace

void rank_for_reconvergence(FunctionCode& code) {
  const Graph graph = graph_of(code);
  const std::size_t blocks = graph.first.size();
  std::vector<std::uint32_t> labels(blocks, 0);
  std::vector<std::uint32_t> members(blocks);
  for (std::uint32_t i = 0; i < blocks; ++i) members[i] = i;
  std::uint32_t next_label = 1;
  std::vector<std::uint32_t> sequence;
  order(graph, labels, next_label, members, 0, sequence);

  code.rank.resize(code.ops.size());
  std::uint32_t rank = 0;
  for (const std::uint32_t block : sequence) {
    const std::size_t end = block + 1 < blocks ? graph.first[block + 1] : code.ops.size();
    for (std::size_t i = graph.first[block]; i < end; ++i) code.rank[i] = rank++;
  }
}

}  // namespace warpcheck::isa
