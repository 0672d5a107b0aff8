// Writes seeds of PTX text for libFuzzer: a kernel for every eighth instruction form of the golden
// list, and a dictionary of all words of the instruction table.
//
//   fuzz_seeds FOLDER     writes FOLDER/ptx/*.ptx and FOLDER/ptx.dict
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "device/virtual/isa/form.hpp"
#include "tests/golden/forms/form.hpp"
#include "tests/golden/forms/kernel.hpp"
#include "tests/golden/mma/form.hpp"

namespace {

namespace fs = std::filesystem;
using namespace warpcheck;

constexpr std::size_t kEvery = 8;  // neighbouring forms differ little

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// Splits "[rn|rz] wide" into rn, rz, wide.
void add_words(std::set<std::string>& words, std::string_view text) {
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_not_of(" []|.=*"), text.size());
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(" []|.="), text.size());
    if (end > 0) words.emplace(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::string dictionary() {
  std::set<std::string> mnemonics;
  std::set<std::string> words;
  for (const isa::Form& form : isa::table()) {
    mnemonics.emplace(form.mnemonic);
    add_words(words, form.modifiers);
    add_words(words, form.types);
  }
  std::string text;
  for (const std::string& mnemonic : mnemonics) text += fmt::format("\"{}\"\n", mnemonic);
  for (const std::string& word : words) text += fmt::format("\".{}\"\n", word);
  return text;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("fuzz_seeds: expected a folder\n", stderr);
    return 2;
  }
  const fs::path folder = arguments[1];
  fs::create_directories(folder / "ptx");
  const auto forms = golden::all_forms();
  for (std::size_t i = 0; i < forms.size(); i += kEvery) {
    write(folder / "ptx" / fmt::format("form-{}.ptx", i), golden::module_of(forms[i]));
  }
  const auto products = golden::all_mma_forms();
  for (std::size_t i = 0; i < products.size(); i += kEvery) {
    write(folder / "ptx" / fmt::format("product-{}.ptx", i), golden::mma_module(products[i]));
  }
  write(folder / "ptx.dict", dictionary());
  return 0;
}
