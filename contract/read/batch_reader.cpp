#include "contract/read/batch_reader.hpp"

#include <algorithm>
#include <string_view>

#include "base/closest_word.hpp"

namespace warpcheck::contract {
namespace {

const std::vector<std::string>& batch_extents(const Contract& contract) {
  static const std::vector<std::string> kOfGemm = {"m", "batch"};
  return contract.tensors == nullptr ? kOfGemm : contract.tensors->operation.extents;
}

}  // namespace

void BatchReader::read(const toml::node& node) {
  if (contract_.tensors == nullptr && node.is_boolean()) {
    if (node.value_or(false)) contract_.batch_invariant = batch_extents(contract_);
  } else if (const toml::array* const names = node.as_array()) {
    for (const toml::node& name : *names) read_name(name);
  } else {
    read_name(node);
  }
}

void BatchReader::read_name(const toml::node& node) {
  const auto* const name = node.as_string();
  if (name == nullptr) return wrong_type(node, "the name of an extent, or an array of names");
  const std::vector<std::string>& extents = batch_extents(contract_);
  if (std::ranges::find(extents, name->get()) == extents.end()) {
    const std::vector<std::string_view> known(extents.begin(), extents.end());
    return text_.error(node, unknown("extent", name->get(), known));
  }
  contract_.batch_invariant.push_back(name->get());
}

}  // namespace warpcheck::contract
