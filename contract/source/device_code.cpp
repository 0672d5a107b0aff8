#include "contract/source/device_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <vector>

#include "base/files.hpp"
#include "contract/source/cpp_token.hpp"

namespace warpcheck::contract {

namespace fs = std::filesystem;

namespace {

/// The name of a file as a string literal of C++.
std::string string_literal(const std::string& name) {
  std::string literal = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + "\"";
}

/// Names that PyTorch's headers declare and kernels use.
constexpr std::string_view kReplacements =
    "#include <cuda_bf16.h>\n#include <cuda_fp16.h>\n#include <cmath>\n#include <cstdint>\n"
    "#include <limits>\n#include <type_traits>\n"
    "namespace c10 { using Half = __half; using BFloat16 = __nv_bfloat16; }\n"
    "namespace at { using c10::Half; using c10::BFloat16; }\n"
    "namespace torch { using c10::Half; using c10::BFloat16; }\n";

struct Declaration {
  std::size_t begin = 0;  // tokens
  std::size_t end = 0;    // one past the last
  bool device = false;    // a kernel, a device function or a device variable
  bool removable = false;
};

/// Splits a text into the declarations at namespace scope.
class DeclarationReader {
 public:
  explicit DeclarationReader(CppTokens tokens) : tokens_(tokens) {}

  std::vector<Declaration> run() {
    std::vector<Declaration> declarations;
    while (at_ < tokens_.size()) {
      const CppToken& token = tokens_[at_];
      if (token.kind == CppTokenKind::directive || token.is("}") || token.is(";")) {
        ++at_;
      } else if (!enters_scope()) {
        declarations.push_back(read());
      }
    }
    return declarations;
  }

 private:
  /// `namespace name {` or `extern "C" {`: the declarations inside are at namespace scope.
  bool enters_scope() {
    std::size_t i = at_;
    if (tokens_[i].is("inline")) ++i;
    const bool opens = i < tokens_.size() && (tokens_[i].is("namespace") ||
                                              (tokens_[i].is("extern") && i + 1 < tokens_.size() &&
                                               tokens_[i + 1].kind == CppTokenKind::text));
    if (!opens) return false;
    while (++i < tokens_.size()) {
      if (tokens_[i].is("{")) {
        at_ = i + 1;
        return true;
      }
      if (tokens_[i].is(";") || tokens_[i].is("=") || tokens_[i].is("(")) return false;
    }
    return false;
  }

  Declaration read() {
    Declaration declaration{at_, at_, false, false};
    bool is_type = false;
    bool has_parameters = false;
    bool has_value = false;
    bool kept = false;
    for (; at_ < tokens_.size(); ++at_) {
      const CppToken& token = tokens_[at_];
      if (token.kind == CppTokenKind::directive) continue;
      if (token.is(";")) {
        ++at_;
        break;
      }
      if (token.is("{")) {
        at_ = closing_bracket(tokens_, at_);
        if (is_type || has_value) continue;
        at_ = std::min(at_ + 1, tokens_.size());
        break;
      }
      if (token.is("}")) break;  // The namespace ends here: the declaration is not complete.
      if (token.is("template") && at_ + 1 < tokens_.size() && tokens_[at_ + 1].is("<")) {
        const std::size_t close = closing_angle(tokens_, at_ + 1);
        if (close < tokens_.size()) at_ = close;
        continue;
      }
      if (token.is("(") || token.is("[")) {
        has_parameters = has_parameters || (token.is("(") && !has_value);
        at_ = std::min(closing_bracket(tokens_, at_), tokens_.size() - 1);
        continue;
      }
      has_value = has_value || token.is("=");
      declaration.device = declaration.device || is_device_word(token.text);
      kept = kept || token.is("constexpr") || token.is("consteval") || token.is("using") ||
             token.is("typedef") || token.is("static_assert") || token.is("concept");
      is_type = is_type || (!has_parameters && (token.is("struct") || token.is("class") ||
                                                token.is("union") || token.is("enum")));
    }
    declaration.end = at_;
    const bool is_constant = !has_parameters && has_value;
    declaration.removable =
        !declaration.device && !kept && !(is_type && !has_parameters) && !is_constant;
    return declaration;
  }

  static bool is_device_word(std::string_view word) {
    return word == "__global__" || word == "__device__" || word == "__constant__" ||
           word == "__managed__";
  }

  CppTokens tokens_;
  std::size_t at_ = 0;
};

/// Overwrites a range with blanks, apart from line breaks and directives.
void blank(std::string& text, CppTokens tokens) {
  for (const CppToken& token : tokens) {
    if (token.kind == CppTokenKind::directive) continue;
    for (std::size_t i = token.offset; i < token.offset + token.text.size(); ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
  }
}

/// "file.cu(12): error: ..." -> file.cu and 12; empty for any other line.
std::optional<std::pair<std::string, unsigned>> error_place(std::string_view line) {
  const std::size_t end = line.find("): error");
  if (end == std::string_view::npos) return std::nullopt;
  const std::size_t open = line.rfind('(', end);
  if (open == std::string_view::npos) return std::nullopt;
  unsigned number = 0;
  std::from_chars(line.data() + open + 1, line.data() + end, number);
  if (number == 0) return std::nullopt;
  return std::pair(std::string(line.substr(0, open)), number);
}

}  // namespace

std::optional<std::string> missing_header(std::string_view nvcc_output) {
  constexpr std::string_view kOpening = "fatal error: ";
  const std::size_t end = nvcc_output.find(": No such file or directory");
  if (end == std::string_view::npos) return std::nullopt;
  const std::size_t begin = nvcc_output.rfind(kOpening, end);
  if (begin == std::string_view::npos) return std::nullopt;
  return std::string(nvcc_output.substr(begin + kOpening.size(), end - begin - kOpening.size()));
}

std::string DeviceCode::text() const {
  std::set<std::string> included;
  return std::string(kReplacements) + code_of(file_, text_, included);
}

bool DeviceCode::avoid(std::string_view nvcc_output) {
  if (auto header = missing_header(nvcc_output)) return missing_.insert(std::move(*header)).second;
  const std::string before = text();
  std::istringstream lines{std::string(nvcc_output)};
  for (std::string line; std::getline(lines, line);) {
    if (auto place = error_place(line)) rejected_.insert(std::move(*place));
  }
  return text() != before;
}

std::string DeviceCode::without_host_code(const fs::path& file, const std::string& text) const {
  const std::vector<CppToken> tokens = cpp_tokens(text);
  std::string code = text;
  for (const Declaration& declaration : DeclarationReader(tokens).run()) {
    const CppTokens range =
        std::span(tokens).subspan(declaration.begin, declaration.end - declaration.begin);
    const auto rejected = std::any_of(rejected_.begin(), rejected_.end(), [&](const Place& place) {
      return place.first == file.string() && place.second >= range.front().line &&
             place.second <= range.back().line;
    });
    if (declaration.removable || (rejected && !declaration.device)) blank(code, range);
  }
  return code;
}

std::string DeviceCode::code_of(const fs::path& file, const std::string& text,
                                std::set<std::string>& included) const {
  const std::string code = without_host_code(file, text);
  const std::string literal = string_literal(file.string());
  std::string result = fmt::format("#line 1 {}\n", literal);
  std::istringstream lines(code);
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const std::size_t begin = line.find_first_not_of(" \t");
    const auto include = begin != std::string::npos && line[begin] == '#'
                             ? included_file(std::string_view(line).substr(begin))
                             : std::nullopt;
    if (include && missing_.contains(std::string(include->name))) {
      line.clear();
    } else if (include && include->quoted) {
      const fs::path header = (file.parent_path() / include->name).lexically_normal();
      if (const auto header_text = read_file(header)) {
        line =
            included.insert(header.string()).second ? code_of(header, *header_text, included) : "";
        line += fmt::format("\n#line {} {}", number + 1, literal);
      }
    } else if (begin != std::string::npos && line.find("#pragma once") == begin) {
      line.clear();
    }
    result += line + "\n";
  }
  return result;
}

}  // namespace warpcheck::contract
