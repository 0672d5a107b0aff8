// Changes valid texts: the parser returns errors or a module, and printing preserves the module.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "base/diagnostic.hpp"
#include "ptx/parser.hpp"
#include "ptx/printer.hpp"
#include "tests/ptx/texts.hpp"

namespace warpcheck::ptx {
namespace {

std::vector<std::string> valid_texts() {
  std::vector<std::string> texts;
  for (const char* folder : {"recorded", "written"}) {
    for (const auto& file : files_in(folder, ".ptx")) {
      std::string text = read(file);
      // The parser skips the debug strings at the end.
      texts.push_back(text.substr(0, text.find("\t.section")));
    }
  }
  return texts;
}

void parse_print_parse(const std::string& text) {
  Module module;
  try {
    module = parse(text, "mutated.ptx");
  } catch (const InputError&) {
    RC_TAG("refused");
    return;
  }
  RC_TAG("accepted");
  const std::string printed = to_text(module);
  RC_ASSERT(parse(printed, "printed.ptx") == module);
}

RC_GTEST_PROP(MutatedText, ChangedBytesNeverCrash, ()) {
  static const std::vector<std::string> texts = valid_texts();
  std::string text = *rc::gen::elementOf(texts);
  const auto edits = *rc::gen::inRange<std::size_t>(1, 4);
  for (std::size_t i = 0; i < edits && !text.empty(); ++i) {
    const auto place = *rc::gen::inRange<std::size_t>(0, text.size());
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        text[place] = *rc::gen::arbitrary<char>();
        break;
      case 1:
        text[place] = *rc::gen::elementOf(std::string("{}()[]<>,;:|+-*/%&^~!?=@._$\"09afxU \n"));
        break;
      case 2:
        text.erase(place, *rc::gen::inRange<std::size_t>(1, 30));
        break;
      default:
        text.resize(place);
    }
  }
  parse_print_parse(text);
}

RC_GTEST_PROP(MutatedText, CopiedPiecesNeverCrash, ()) {
  static const std::vector<std::string> texts = valid_texts();
  std::string text = *rc::gen::elementOf(texts);
  const auto from = *rc::gen::inRange<std::size_t>(0, text.size());
  const auto size = *rc::gen::inRange<std::size_t>(1, 200);
  const auto to = *rc::gen::inRange<std::size_t>(0, text.size());
  text.insert(to, text.substr(from, size));
  parse_print_parse(text);
}

/// Moves or drops lines, which are mostly statements: most of these texts are still PTX.
RC_GTEST_PROP(MutatedText, CopiedAndDroppedLinesNeverCrash, ()) {
  static const std::vector<std::string> texts = valid_texts();
  std::string text = *rc::gen::elementOf(texts);
  const auto line_at = [&](std::size_t place) {
    const std::size_t begin = text.rfind('\n', place);
    const std::size_t first = begin == std::string::npos ? 0 : begin;
    return std::pair{first, std::min(text.find('\n', first + 1), text.size()) - first};
  };
  const auto first = line_at(*rc::gen::inRange<std::size_t>(0, text.size()));
  const auto second = line_at(*rc::gen::inRange<std::size_t>(0, text.size()));
  const std::string line = text.substr(first.first, first.second);
  if (*rc::gen::arbitrary<bool>()) {
    text.erase(first.first, first.second);
  } else {
    text.insert(second.first, line);
  }
  parse_print_parse(text);
}

}  // namespace
}  // namespace warpcheck::ptx
