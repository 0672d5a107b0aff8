// The text of a .cu and of the user's headers that it includes, as tokens, with macros and small
// functions that return one expression.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "contract/source/cpp_token.hpp"

namespace warpcheck::workflows::init {

using Token = contract::CppToken;
using Tokens = contract::CppTokens;
using contract::to_text;

struct Macro {
  std::vector<std::string> parameters;
  bool takes_arguments = false;
  std::vector<Token> body;
};

/// A file with its tokens, which refer to its text.
struct FileTokens {
  std::string file;
  std::shared_ptr<const std::string> text;
  std::vector<Token> tokens;
};

struct SourceText {
  FileTokens main;
  std::vector<FileTokens> headers;      // included with quotes, each once
  std::map<std::string, Macro> macros;  // #define, and functions `return expression;`
};

/// Throws InputError if the file is not readable.
[[nodiscard]] SourceText read_source(const std::filesystem::path& file);

/// `name = expression` of the declarations and enumerators among the tokens; the last one of a
/// name.
[[nodiscard]] std::map<std::string, std::vector<Token>> values_in(Tokens tokens);

/// `dim3 name(x, y, z)` with brackets or braces, `dim3 name = dim3(...)`, and assignments to
/// members.
using Extents = std::vector<std::vector<Token>>;
[[nodiscard]] std::map<std::string, Extents> extents_in(Tokens tokens);

}  // namespace warpcheck::workflows::init
