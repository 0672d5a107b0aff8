#include "contract/contract_words.hpp"

#include <algorithm>
#include <charconv>

#include "base/text/characters.hpp"
#include "operation/operation.hpp"

namespace warpcheck::contract {

std::vector<std::string_view> type_words() {
  std::vector<std::string_view> words;
  for (int i = 0; i <= static_cast<int>(ScalarType::e5m2); ++i) {
    words.push_back(name(static_cast<ScalarType>(i)));
  }
  return words;
}

std::vector<std::string_view> argument_words() {
  std::vector<std::string_view> words;
  for (int i = 0; i < static_cast<int>(ArgumentWord::literal); ++i) {
    words.push_back(name(static_cast<ArgumentWord>(i)));
  }
  return words;
}

ExpressionNames::ExpressionNames(const TypedOperation* operation) : is_gemm_(operation == nullptr) {
  if (is_gemm_) return;
  sizes_.assign(operation->sizes.begin(), operation->sizes.end());
  buffers_.assign(operation->buffers.begin(), operation->buffers.end());
  for (const auto& tensor : operation->tensors) fields_.push_back(offset_field(tensor.name));
  case_fields_ = sizes_;
  case_fields_.insert(case_fields_.end(), fields_.begin(), fields_.end());
  case_fields_.insert(case_fields_.end(), operation->operation.scalars.begin(),
                      operation->operation.scalars.end());
  case_fields_.emplace_back("seed");
}

Vocabulary ExpressionNames::contract_vocabulary() const {
  return is_gemm_ ? kContractVocabulary : Vocabulary{sizes_, buffers_};
}

Vocabulary ExpressionNames::argument_vocabulary() const {
  return is_gemm_ ? kArgumentVocabulary : Vocabulary{sizes_, {}};
}

Vocabulary ExpressionNames::case_vocabulary() const {
  return is_gemm_ ? kCaseVocabulary : Vocabulary{case_fields_, {}};
}

std::string stride_field(std::string_view tensor) { return "stride_" + std::string(tensor); }
std::string stride_field(std::string_view tensor, std::size_t dimension) {
  return stride_field(tensor) + "_" + std::to_string(dimension);
}
std::string order_field(std::string_view tensor) { return "order_" + std::string(tensor); }
std::string batch_stride_field(std::string_view tensor) {
  return "batch_stride_" + std::string(tensor);
}
std::string offset_field(std::string_view tensor) { return "off_" + std::string(tensor); }

bool is_operation_name(std::string_view text) { return operation::is_name(text); }

bool is_workspace_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_identifier_character);
}

namespace {

bool is_named(std::string_view text, std::string_view opening) {
  return text.starts_with(opening) && is_workspace_name(text.substr(opening.size()));
}

}  // namespace

bool is_workspace_word(std::string_view text) { return is_named(text, "workspace."); }

bool is_tensor_map_word(std::string_view text) { return is_named(text, "tensor_map."); }

bool is_number(std::string_view text) {
  if (text.find_first_not_of("0123456789+-.eE") != std::string_view::npos) return false;
  double value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && stop == text.data() + text.size();
}

bool is_variant_name(std::string_view text) {
  return !text.empty() && text != "." && text != ".." &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return is_identifier_character(c) || c == '-' || c == '.'; });
}

bool is_kernel_name(std::string_view text) {
  constexpr std::string_view kPunctuation = ":<>(),*& +-/%.'|^~!=";
  return !text.empty() && text.find("//") == std::string_view::npos &&
         text.find("/*") == std::string_view::npos &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return is_identifier_character(c) || kPunctuation.find(c) != std::string_view::npos;
         });
}

bool is_architecture(std::string_view text) {
  if (!text.starts_with("sm_")) return false;
  text.remove_prefix(3);
  if (text.ends_with('a') || text.ends_with('f')) text.remove_suffix(1);
  return text.size() >= 2 && text.size() <= 3 &&
         text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace warpcheck::contract
