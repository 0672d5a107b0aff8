#include "campaign/interpret/layout_interpretations.hpp"

#include <fmt/format.h>

#include <utility>

#include "campaign/case/product.hpp"

namespace warpcheck::campaign::interpret {
namespace {

using contract::Contract;
using contract::Layout;

std::string_view word(Layout layout) { return layout == Layout::row ? "row" : "col"; }

}  // namespace

std::vector<Interpretation> layout_interpretations(const Contract& contract) {
  std::vector<Interpretation> all;
  if (!is_product(contract)) return all;
  // Bit 0 exchanges the layout of A, bit 1 that of B, bit 2 that of C.
  for (const unsigned exchanged : {1U, 2U, 4U, 3U, 5U, 6U, 7U}) {
    Contract other = contract;
    const auto exchange = [](Layout& layout) {
      layout = layout == Layout::row ? Layout::column : Layout::row;
    };
    if ((exchanged & 1U) != 0) exchange(other.layout_a);
    if ((exchanged & 2U) != 0) exchange(other.layout_b);
    if ((exchanged & 4U) != 0) exchange(other.layout_c);
    std::string change =
        fmt::format("layout = {{ a = \"{}\", b = \"{}\", c = \"{}\" }}", word(other.layout_a),
                    word(other.layout_b), word(other.layout_c));
    all.push_back({std::move(change), std::move(other)});
  }
  return all;
}

}  // namespace warpcheck::campaign::interpret
