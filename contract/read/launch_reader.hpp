// Reads one launch of a contract: the keys of a [[variant.launch]], or of a [[variant]] with one
// launch.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "contract/contract.hpp"
#include "contract/contract_words.hpp"
#include "contract/kernel_key.hpp"
#include "contract/read/value_reader.hpp"

namespace warpcheck::contract {

class LaunchReader : ValueReader {
 public:
  /// `operation` is one of the language; null: gemm.
  LaunchReader(TomlText& text, const TableWithDefaults& table, Constants& constants,
               const TypedOperation* operation, KernelKey kernel = KernelKey::required)
      : ValueReader(text, &constants),
        table_(table),
        kernel_(kernel),
        operation_(operation),
        names_(operation) {}

  /// The keys of a launch, which a [[variant]] with one launch also has.
  [[nodiscard]] static std::vector<std::string_view> keys();

  /// The keys of a [[variant.launch]].
  [[nodiscard]] static std::vector<std::string_view> keys_of_several();

  LaunchStep read();

  /// Reads the keys of the table to report errors in their values. Required keys may be missing.
  void check_values();

  /// True if the arguments are present and each is a word of contracts.
  [[nodiscard]] bool arguments_known() const { return arguments_known_; }

 private:
  struct Key {
    std::string_view name;
    bool required;
    void (LaunchReader::*read)(const toml::node&);
  };
  static const std::array<Key, 6> kKeys;

  void read_kernel(const toml::node& node);
  void read_arguments(const toml::node& node);
  /// Reports ["a", "a", "c"], which would pass the wrong operand.
  void refuse_repeated_operand(ArgumentWord word, ArgumentWord missing);
  [[nodiscard]] std::optional<Argument> read_argument(const toml::node& node);
  [[nodiscard]] std::optional<Argument> read_word(const toml::node& node, Argument argument);
  [[nodiscard]] std::optional<Argument> read_word_of_operation(const toml::node& node,
                                                               Argument argument);
  [[nodiscard]] std::optional<Argument> read_computed(const toml::node& node);
  void read_when();
  void read_block(const toml::node& node);
  void read_grid(const toml::node& node);
  void read_shared(const toml::node& node);
  void read_cluster(const toml::node& node);
  /// One to three extents of at least 1; `largest` bounds each.
  void read_extents(const toml::node& node, std::string_view what,
                    const std::array<std::int64_t, 3>& largest, std::array<Expression, 3>& extents);

  TableWithDefaults table_;
  KernelKey kernel_;
  const TypedOperation* operation_;
  ExpressionNames names_;
  LaunchStep step_;
  bool arguments_known_ = false;
};

}  // namespace warpcheck::contract
