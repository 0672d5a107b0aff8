#include "contract/read/factor_reader.hpp"

#include <fmt/format.h>

#include "contract/contract_words.hpp"

namespace warpcheck::contract {

void FactorReader::read(const toml::node& node, std::string_view key, bool& reads) {
  if (const auto text = word(node, key, "'ignores' or 'reads'", kZeroFactors))
    reads = *text == "reads";
}

void FactorReader::read_alpha_zero(const toml::node& node) {
  read(node, "alpha_zero", contract_.reads_ab_at_alpha_zero);
}

void FactorReader::read_beta_zero(const toml::node& node) {
  read(node, "beta_zero", contract_.reads_c_at_beta_zero);
}

void FactorReader::match(const toml::table& own) {
  const auto require = [&](std::string_view key, ArgumentWord word) {
    const toml::node* value = own.get(key);
    if (value == nullptr || contract_.takes(word)) return;
    text_.error(*value, fmt::format("no argument of the kernel is '{}', so '{}' has no effect",
                                    contract::name(word), key));
  };
  require("alpha_zero", ArgumentWord::alpha);
  require("beta_zero", ArgumentWord::beta);
}

}  // namespace warpcheck::contract
