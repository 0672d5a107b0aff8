#include "campaign/conditions/quantity_model.hpp"

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/scalar_type.hpp"
#include "campaign/case/tensor_case.hpp"
#include "contract/contract_words.hpp"

namespace warpcheck::campaign::conditions {
namespace {

using contract::Contract;
using Of = Quantity::Kind;

Quantity named(Of kind, std::string_view name, std::string field) {
  Quantity quantity;
  quantity.kind = kind;
  quantity.name = name;
  quantity.is_named = true;
  quantity.field = std::move(field);
  return quantity;
}

class TensorQuantityModel final : public QuantityModel {
 public:
  /// Scalars are no names of `requires`.
  std::vector<Quantity> of_contract(const Contract& contract) const override {
    const contract::TypedOperation& typed = *contract.tensors;
    std::vector<Quantity> all;
    for (const std::string& extent : typed.operation.extents) {
      all.push_back(named(Of::extent, extent, extent));
    }
    for (const operation::Tensor& tensor : typed.tensors) {
      for (const std::string& stride : tensor::strides_taken(contract, tensor)) {
        all.push_back(named(Of::stride, stride, stride));
      }
    }
    for (const operation::Tensor& tensor : typed.tensors) {
      Quantity offset = named(Of::offset, tensor.name, contract::offset_field(tensor.name));
      offset.element_bytes =
          static_cast<std::int64_t>(size_of(typed.types.find(tensor.name)->second));
      all.push_back(std::move(offset));
    }
    return all;
  }

  /// Extents, scalars, strides and offsets, as far as one of the cases names them.
  std::vector<Quantity> of_cases(const std::vector<Case>& cases) const override {
    std::map<std::string, std::size_t> counts;
    for (const Case& problem : cases) {
      for (const NamedValue& field : problem.values) ++counts[field.name];
    }
    std::vector<Quantity> all;
    for (const auto& [name, count] : counts) {
      Quantity quantity;
      // Fields with their default are left out of a case: only extents and scalars are in each.
      quantity.kind = count == cases.size() ? Of::extent : Of::base_offset;
      quantity.name = name;
      quantity.is_named = true;
      quantity.field = name;
      all.push_back(std::move(quantity));
    }
    return all;
  }
};

}  // namespace

const QuantityModel& QuantityModel::of_tensors() {
  static const TensorQuantityModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::conditions
