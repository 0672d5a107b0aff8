#include "ptx/operand.hpp"

#include <algorithm>

namespace warpcheck::ptx {

std::optional<RegisterPart> RegisterPart::of(std::string_view text) {
  if (text.size() < 2 || text.size() > 5) return std::nullopt;
  const std::size_t count = text.size() - 1;
  const bool bytes = text[0] == 'b';
  if (!bytes && text[0] != 'h') return std::nullopt;
  if (count != 1 && count != (bytes ? 4 : 2)) return std::nullopt;
  // One value selects a part of one register; several select parts of two registers.
  const int parts = (bytes ? 4 : 2) * (count == 1 ? 1 : 2);
  const bool in_range = std::all_of(text.begin() + 1, text.end(), [&](char digit) {
    return digit >= '0' && digit < '0' + parts;
  });
  if (!in_range) return std::nullopt;
  RegisterPart part;
  std::copy(text.begin(), text.end(), part.text_.begin());
  return part;
}

}  // namespace warpcheck::ptx
