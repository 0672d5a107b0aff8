// Reads the types of a variant's operation of the language.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "contract/contract.hpp"
#include "contract/read/value_reader.hpp"
#include "operation/operation.hpp"

namespace warpcheck::contract {

using Operations = std::vector<operation::Operation>;

class TypedOperationReader : ValueReader {
 public:
  explicit TypedOperationReader(TomlText& text) : ValueReader(text) {}

  /// The operation that the variant names, with its key `types`. Null for gemm, and for a name that
  /// is unknown. Sets `accumulate` if the table has it.
  std::shared_ptr<const TypedOperation> read(const TableWithDefaults& table,
                                             const Operations& operations, ScalarType& accumulate);

  /// Reports each tensor that is no argument of a launch: without an input, the kernel cannot
  /// compute its outputs. Reports strides whose names do not fit together.
  void require_arguments(const Contract& contract);

 private:
  void require_one_kind_of_strides(const Contract& contract, const operation::Tensor& tensor);
  void read_types(const toml::table& types, TypedOperation& typed, ScalarType& accumulate);
};

/// The operation that alone has the key of a [[variant]], if that is of another one: "the operation
/// 'gemm'". Empty: the variant may have the key.
[[nodiscard]] std::string operation_with_key(std::string_view key, bool is_of_language);

}  // namespace warpcheck::contract
