// Reads the [[operation]] tables of a contract's document.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "contract/read/value_reader.hpp"
#include "operation/extent.hpp"
#include "operation/operation.hpp"

namespace warpcheck::contract {

class OperationReader : ValueReader {
 public:
  explicit OperationReader(TomlText& text) : ValueReader(text) {}

  /// The operations of the document, in its order. Those with errors, which are reported, lack
  /// statements.
  std::vector<operation::Operation> read(const toml::table& document);

 private:
  operation::Operation read_operation(const toml::table& table);
  void require_updated_inputs(const toml::table& table, const operation::Operation& operation);
  void read_reference(const toml::table& table, operation::Operation& operation);
  void read_name(const toml::node& node, operation::Operation& operation);
  std::vector<std::string> names(const toml::node& node, std::string_view expected);
  std::vector<operation::Tensor> tensors(const toml::node& node,
                                         const std::vector<std::string>& extents, bool are_inputs);
  operation::Tensor tensor(std::string_view name, const toml::node& node,
                           const std::vector<std::string>& extents, bool is_input);
  void read_input(const toml::table& table, const std::vector<std::string>& extents,
                  operation::Tensor& input);
  void read_distinct(const toml::node& node, operation::Tensor& input);
  void read_range(const toml::node& node, const std::vector<std::string>& extents,
                  operation::Tensor& input);
  /// A dimension of a tensor, see operation/extent.hpp.
  std::optional<std::string> dimension(const toml::node& node,
                                       const std::vector<std::string_view>& extents);
  std::optional<operation::Dimension> known_dimension(const toml::node& node,
                                                      const std::string& text,
                                                      const std::vector<std::string_view>& extents);
  std::optional<operation::Limit> limit(const toml::node& node,
                                        const std::vector<std::string>& extents);
  void require_new(const toml::node& node, std::string_view name);

  std::vector<std::string> known_;  // names of the current operation
  bool is_complete_ = true;         // the current operation has all that its definition needs
};

}  // namespace warpcheck::contract
