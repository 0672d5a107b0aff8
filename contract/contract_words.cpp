#include "contract/contract_words.hpp"

#include <algorithm>
#include <charconv>

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
