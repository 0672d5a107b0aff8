// Guesses the argument words of a contract from the names and types of a kernel's parameters.
#pragma once

#include <string>
#include <vector>

#include "workflows/init/source/parameter_type.hpp"

namespace warpcheck::workflows::init {

struct NamedParameter {
  std::string name;
  ParameterType type;
};

struct ArgumentGuess {
  std::vector<std::string> words;      // one for each parameter
  std::vector<std::string> requires_;  // conditions that the words imply: "m == n" for one extent
  std::vector<std::string> unknown;    // names of parameters whose word is only a placeholder

  /// True if the word of this parameter is a number.
  [[nodiscard]] bool is_number(std::size_t parameter) const;
};

/// The guesses, the most likely one first; at least one.
[[nodiscard]] std::vector<ArgumentGuess> guess_arguments(
    const std::vector<NamedParameter>& parameters);

/// The word that a name alone suggests for a parameter of this kind; empty: none.
[[nodiscard]] std::string word_of_name(const std::string& name, ParameterType::Kind kind);

}  // namespace warpcheck::workflows::init
