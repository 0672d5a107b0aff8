#include "contract/build/identifier.hpp"

#include <algorithm>

namespace warpcheck::contract {

bool is_identifier_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_identifier(std::string_view text) {
  return !text.empty() && (text.front() < '0' || text.front() > '9') &&
         std::all_of(text.begin(), text.end(), is_identifier_character);
}

}  // namespace warpcheck::contract
