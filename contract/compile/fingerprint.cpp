#include "contract/compile/fingerprint.hpp"

#include <algorithm>
#include <string_view>

#include "base/content_hash.hpp"

namespace warpcheck::contract {
namespace {

/// The PTX without the lines that name source files, because they contain the folder.
void add_ptx(ContentHash& hash, std::string_view ptx) {
  while (!ptx.empty()) {
    const std::size_t end = std::min(ptx.find('\n'), ptx.size() - 1) + 1;
    const std::string_view line = ptx.substr(0, end);
    ptx.remove_prefix(end);
    const std::size_t word = line.find_first_not_of(" \t");
    if (word == std::string_view::npos || !line.substr(word).starts_with(".file")) hash.add(line);
  }
}

void add(ContentHash& hash, const LaunchStep& step) {
  hash.add(step.kernel);
  for (const Argument& argument : step.arguments) {
    hash.add(name(argument.word));
    hash.add(argument.text);
  }
  for (const Expression& extent : step.block) hash.add(extent.text());
  for (const Expression& extent : step.grid) hash.add(extent.text());
  hash.add(step.shared.text());
  if (step.when) hash.add("when " + step.when->text());
}

/// Folders of headers as written, so that a copy of the tree has the same hash.
void add(ContentHash& hash, const BuildOptions& build) {
  for (const LocatedText& folder : build.include) hash.add("include " + folder.text);
  for (const Define& define : build.defines) hash.add(define_flag(define));
  for (const LocatedText& flag : build.flags) hash.add("flag " + flag.text);
}

}  // namespace

std::string fingerprint(const Variant& variant) {
  const Contract& contract = variant.contract;
  ContentHash hash;
  add_ptx(hash, variant.compiled->ptx);
  hash.add(contract.operation);
  for (const Layout layout : {contract.layout_a, contract.layout_b, contract.layout_c}) {
    hash.add(layout == Layout::row ? "row" : "col");
  }
  for (const ScalarType type :
       {contract.type_a, contract.type_b, contract.type_c, contract.accumulate}) {
    hash.add(name(type));
  }
  if (contract.tensors != nullptr) {
    hash.add(operation::print(contract.tensors->operation));
    if (!contract.tensors->operation.reference.empty()) hash.add(variant.compiled->source);
    for (const auto& [tensor, type] : contract.tensors->types) {
      hash.add(tensor);
      hash.add(name(type));
    }
    for (const auto& [tensor, type] : contract.tensors->intermediate_types) {
      hash.add(tensor);
      hash.add(name(type));
    }
  }
  hash.add(contract.tensor_cores ? "tensor cores" : "");
  for (const LaunchStep& step : contract.launches) add(hash, step);
  hash.add("workspaces");
  for (const Workspace& workspace : contract.workspaces) {
    hash.add(workspace.name);
    hash.add(workspace.bytes ? workspace.bytes->text() : "");
    hash.add(workspace.zeroed ? "zeroed" : "");
  }
  hash.add("requires");
  for (const Expression& demand : contract.requires_) hash.add(demand.text());
  hash.add(std::to_string(contract.split_k));
  hash.add(contract.deterministic ? "deterministic" : "");
  for (const std::string& extent : contract.batch_invariant) hash.add("invariant " + extent);
  for (const std::string& name : contract.predecessor.writes) hash.add("written before " + name);
  for (const std::string& name : contract.predecessor.reads) hash.add("read before " + name);
  if (contract.strict_barriers) hash.add("strict barriers");
  if (contract.fast_math) hash.add("fast math");
  hash.add(contract.architecture);
  add(hash, contract.build);
  return hash.digits();
}

}  // namespace warpcheck::contract
