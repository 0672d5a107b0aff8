// Copies of whole objects. nvcc compiles `*to = *from` to loads and stores of words, which copy the
// padding between and behind the members, too.
#pragma once

#include <cstddef>
#include <optional>

#include "device/virtual/machine/core/program.hpp"

namespace warpcheck::machine {

/// A store of one or more consecutive words of an object, of which other stores write the others.
struct WordsOfObject {
  std::size_t bytes_ahead = 0;  // that another store writes just before; 0: these are the first
  std::size_t bytes = 0;
  bool last = false;  // no other store writes the bytes behind
};

/// Empty unless such a store stores element `value`, which was loaded, and not computed.
[[nodiscard]] std::optional<WordsOfObject> words_of_object(const Program& program,
                                                           const FunctionCode& code,
                                                           const Op& store, std::size_t value);

}  // namespace warpcheck::machine
