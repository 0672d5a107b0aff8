// Parses the directives of a module (PTX ISA, sections 11.1, 11.5 and 11.6).
#include <fmt/format.h>

#include <charconv>

#include "ptx/file_names.hpp"
#include "ptx/parse/parser_impl.hpp"

namespace warpcheck::ptx {
namespace {

/// "9.0": two numbers with a point between them.
bool read_version(std::string_view text, Module& module) {
  const char* end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, module.version_major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return false;
  const auto minor = std::from_chars(major.ptr + 1, end, module.version_minor);
  return minor.ec == std::errc() && minor.ptr == end;
}

}  // namespace

/// PTX ISA 11.1: .version, then .target, then optionally .address_size.
void Parser::parse_header() {
  if (!accept_dotted("version")) fail_expected("'.version', with which every PTX text begins");
  if (token_.kind != TokenKind::number || !read_version(token_.text, module_)) {
    fail_expected("a version such as 9.0");
  }
  advance();
  if (!accept_dotted("target")) fail_expected("'.target' after '.version'");
  const Token target = expect_identifier("a target such as sm_80");
  if (!target.text.starts_with("sm_") && !target.text.starts_with("compute_")) {
    fail(target.place, fmt::format("found {}, expected a target such as sm_80", quoted(target)));
  }
  module_.target = target.text;
  while (accept(",")) {
    module_.target_options.emplace_back(expect_identifier("an option of '.target'").text);
  }
  module_.address_size = 32;  // PTX ISA 11.1.3: the default
  if (accept_dotted("address_size")) {
    const Place place = token_.place;
    module_.address_size = static_cast<unsigned>(expect_integer("32 or 64", 64));
    if (module_.address_size != 32 && module_.address_size != 64) {
      fail(place, fmt::format("found address size {}, expected 32 or 64", module_.address_size));
    }
  }
}

void Parser::parse_module_directive() {
  const Linkage linkage = parse_linkage();
  if (token_.kind != TokenKind::dotted) fail_expected("a directive");
  const Token word = token_;
  advance();
  if (word.text == "entry") return parse_function(true, linkage);
  if (word.text == "func") return parse_function(false, linkage);
  if (const auto space = state_space(word.text)) {
    if (*space != StateSpace::global && *space != StateSpace::const_ &&
        *space != StateSpace::shared && *space != StateSpace::local) {
      fail(word.place, fmt::format("found {} outside of a function", quoted(word)));
    }
    return parse_module_variables(*space, linkage);
  }
  if (linkage != Linkage::none) {
    fail(word.place, fmt::format("found {}, expected a function or a variable", quoted(word)));
  }
  if (word.text == "file") return parse_file();
  if (word.text == "section") return parse_section();
  if (word.text == "alias") return parse_alias();
  if (word.text == "pragma") return parse_pragma();
  fail(word.place, fmt::format("found {}, which is not a directive of a module", quoted(word)));
}

Linkage Parser::parse_linkage() {
  if (accept_dotted("visible")) return Linkage::visible;
  if (accept_dotted("extern")) return Linkage::extern_;
  if (accept_dotted("weak")) return Linkage::weak;
  if (accept_dotted("common")) return Linkage::common;
  return Linkage::none;
}

/// `.file 1 "path" [, time, size]`
void Parser::parse_file() {
  const std::uint64_t index = expect_integer("the index of a file", kMaximumFiles);
  const Place place = token_.place;
  const std::string_view path = expect_string("the path of a file");
  if (path.empty()) fail(place, "found an empty string, expected the path of a file");
  for (int i = 0; i < 2 && accept(","); ++i) {
    static_cast<void>(expect_integer(i == 0 ? "a time" : "a size", ~0ull));
  }
  if (module_.files.size() <= index) module_.files.resize(index + 1);
  module_.files[index] = decoded_string(path);
}

/// `.section .debug_str { ... }`: its content is ignored.
void Parser::parse_section() {
  if (token_.kind != TokenKind::dotted && token_.kind != TokenKind::identifier) {
    fail_expected("the name of a section");
  }
  const Place place = token_.place;
  if (!after_.is("{")) {
    advance();
    fail_expected("'{'");
  }
  // after_ is the brace, so the lexer continues after it.
  if (!lexer_.skip_block())
    error(place, "found the end of the text, expected '}' to close this section");
  token_ = lexer_.next();
  after_ = lexer_.next();
}

/// `.alias name, target;`: both are declared, and only the target has a body.
void Parser::parse_alias() {
  const auto function = [this] {
    const Token name = expect_identifier("a function");
    const Entity entity = names_.find(name.text);
    if (entity.kind != Entity::Kind::function) {
      fail(name.place, fmt::format("{} is not declared as a function", quoted(name)));
    }
    return entity.index;
  };
  const Place place = token_.place;
  const unsigned alias = function();
  expect(",");
  const unsigned target = function();
  expect(";");
  if (alias == target) fail(place, "found a function as the alias of itself");
  if (!module_.functions[alias].is_declaration) {
    fail(place, fmt::format("'{}' has a body, an alias has none", module_.functions[alias].name));
  }
  module_.functions[alias].alias_of = target;
}

/// `.pragma "nounroll";`: a hint to ptxas without meaning here.
void Parser::parse_pragma() {
  do {
    static_cast<void>(expect_string("a string"));
  } while (accept(","));
  expect(";");
}

}  // namespace warpcheck::ptx
