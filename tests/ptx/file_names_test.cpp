#include "ptx/file_names.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "ptx/module.hpp"
#include "ptx/parser.hpp"
#include "ptx/printer.hpp"

namespace warpcheck::ptx {
namespace {

TEST(FileNames, OctalEscapesAreBytes) {
  EXPECT_EQ(decoded_string(R"(Zo\303\253.cu)"), "Zoë.cu");
  EXPECT_EQ(decoded_string(R"(e\033[31m.cu)"), "e\033[31m.cu");
  EXPECT_EQ(decoded_string(R"(a\\b\"c\n\t)"), "a\\b\"c\n\t");
  EXPECT_EQ(decoded_string(R"(\0601)"), "01");  // an escape has at most three digits
  EXPECT_EQ(decoded_string("end\\"), "end\\");
}

TEST(FileNames, ModuleHasTheNamesThemselves) {
  const std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n"
      "\t.file\t1 \"/k/Zo\\303\\253.cu\"\n\t.file\t2 \"/k/a\\\"b.cu\"\n";
  const Module module = parse(text, "x.ptx");
  EXPECT_EQ(module.file(1), "/k/Zoë.cu");
  EXPECT_EQ(module.file(2), "/k/a\"b.cu");
  EXPECT_EQ(parse(to_text(module), "again.ptx").files, module.files);
}

TEST(FileNames, RenameKeepsEverythingElse) {
  const std::string text =
      ".version 8.0\n\t.file\t1 \"x.cu\", 17, 4\n\t.file 3\n\t.file\t2 \"y.cu\"\n";
  EXPECT_EQ(with_file_names(text, [](const std::string& name) { return "/é/" + name; }),
            ".version 8.0\n\t.file\t1 \"/\\303\\251/x.cu\", 17, 4\n\t.file 3\n"
            "\t.file\t2 \"/\\303\\251/y.cu\"\n");
  EXPECT_EQ(with_file_names(text, [](const std::string& name) { return name; }), text);
}

RC_GTEST_PROP(FileNames, DecodingInvertsEncoding, (const std::string& bytes)) {
  const std::string encoded = encoded_string(bytes);
  RC_ASSERT(decoded_string(encoded) == bytes);
  for (const char c : encoded) RC_ASSERT(c >= 0x20 && c < 0x7f);
}

}  // namespace
}  // namespace warpcheck::ptx
