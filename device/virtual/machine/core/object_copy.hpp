// Copies of whole objects. nvcc compiles `*to = *from` to loads and stores of words, which also
// copy the padding between and after the members.
#pragma once

#include <cstddef>
#include <optional>

#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {

/// A store of one or more consecutive words of an object. Other stores write the other words.
struct WordsOfObject {
  // Bytes just before these, which another store writes; 0: these are the first bytes.
  std::size_t bytes_ahead = 0;
  std::size_t bytes = 0;
  bool last = false;  // no other store writes the bytes after these
};

/// Empty unless such a store stores element `value`, and this value was loaded, not computed.
[[nodiscard]] std::optional<WordsOfObject> words_of_object(const Program& program,
                                                           const FunctionCode& code,
                                                           const Op& store, std::size_t value);

}  // namespace warpcheck::machine
