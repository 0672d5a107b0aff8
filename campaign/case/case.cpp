#include "campaign/case/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <variant>

#include "base/closest_word.hpp"

namespace warpcheck::campaign {
namespace {

constexpr std::array<std::string_view, 16> kRecipeNames = {
    "lattice", "normal", "wide",  "cancellation", "spikes",   "onehot",  "special",   "masked",
    "crowded", "zeros",  "equal", "negative",     "dominant", "ordered", "subnormal", "large"};
static_assert(kRecipeNames.size() == static_cast<std::size_t>(kLastRecipe) + 1);

using Member = std::variant<std::int64_t Case::*, bool Case::*, double Case::*,
                            std::uint64_t Case::*, Recipe Case::*, std::string Case::*>;

struct Field {
  std::string_view name;
  Member member;
  bool always_printed;
};

// THE table of fields: printing, parsing and suggestions follow it, in its order.
constexpr std::array<Field, 21> kFields = {{
    {"m", &Case::m, true},
    {"n", &Case::n, true},
    {"k", &Case::k, true},
    {"ta", &Case::ta, false},
    {"tb", &Case::tb, false},
    {"batch", &Case::batch, false},
    {"lda", &Case::lda, false},
    {"ldb", &Case::ldb, false},
    {"ldc", &Case::ldc, false},
    {"stride_a", &Case::stride_a, false},
    {"stride_b", &Case::stride_b, false},
    {"stride_c", &Case::stride_c, false},
    {"off_a", &Case::off_a, false},
    {"off_b", &Case::off_b, false},
    {"off_c", &Case::off_c, false},
    {"off_bias", &Case::off_bias, false},
    {"alpha", &Case::alpha, true},
    {"beta", &Case::beta, true},
    {"data", &Case::data, true},
    {"seed", &Case::seed, true},
    {"property", &Case::property, false},
}};

constexpr std::string_view kMemoryOrder = "order_";
constexpr std::string_view kOperation = "operation";

/// True for the fields that a case of an operation of the language has beside its own.
bool is_of_every_operation(std::string_view field) {
  return field == "data" || field == "seed" || field == "property";
}

std::string text_of(std::int64_t value) { return fmt::to_string(value); }
std::string text_of(std::uint64_t value) { return fmt::to_string(value); }
std::string text_of(bool transposed) { return transposed ? "t" : "n"; }
std::string text_of(double value) { return fmt::format("{}", value); }  // shortest that round-trips
std::string text_of(Recipe value) { return std::string(name(value)); }
std::string text_of(const std::string& value) { return value; }

/// Each dimension has a digit of the order in memory, also the first one.
std::string text_of(const NamedValue& field) {
  std::string text = text_of(field.value);
  if (!field.name.starts_with(kMemoryOrder)) return text;
  const auto greatest = static_cast<std::size_t>(*std::max_element(text.begin(), text.end()) - '0');
  return text.size() == greatest ? "0" + text : text;
}

/// Reads `text` into `value`. Returns the error message; empty on success.
template <typename Number>
std::string read_number(std::string_view text, Number& value) {
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc::result_out_of_range) return fmt::format("{} is out of range", text);
  if (error != std::errc{} || stop != end) {
    return fmt::format("'{}' is not {} number", text,
                       std::is_floating_point_v<Number> ? "a" : "a whole");
  }
  return {};
}

std::string read(std::string_view text, std::int64_t& value) {
  if (std::string error = read_number(text, value); !error.empty()) return error;
  return value < 0 ? fmt::format("{} is negative", value) : std::string{};
}

std::string read(std::string_view text, std::uint64_t& value) {
  if (text.starts_with('-')) return fmt::format("{} is negative", text);
  return read_number(text, value);
}

std::string read(std::string_view text, bool& transposed) {
  transposed = text == "t";
  return text == "t" || text == "n"
             ? std::string{}
             : fmt::format("'{}' is no transposition: expected t or n", text);
}

std::string read(std::string_view text, double& value) { return read_number(text, value); }

std::string read(std::string_view text, Recipe& value) {
  const auto found = std::find(kRecipeNames.begin(), kRecipeNames.end(), text);
  if (found == kRecipeNames.end()) {
    return fmt::format("'{}' is no data recipe: expected {}", text, fmt::join(kRecipeNames, ", "));
  }
  value = static_cast<Recipe>(found - kRecipeNames.begin());
  return {};
}

std::string read(std::string_view text, std::string& value) {
  value = text;
  return {};
}

/// Parses one line and collects its errors, each at its column.
class LineParser {
 public:
  LineParser(std::string_view text, const std::string& file, unsigned line)
      : text_(text), file_(file), line_(line) {}

  Case parse() {
    constexpr std::string_view kSpace = " \t\r";
    const std::string_view words = text_.substr(0, text_.find('#'));
    for (std::size_t at = words.find_first_not_of(kSpace); at < words.size();) {
      const std::size_t end = std::min(words.find_first_of(kSpace, at), words.size());
      word(words.substr(at, end - at), at);
      at = words.find_first_not_of(kSpace, end);
    }
    if (problem_.variant.empty() && errors_.empty()) {
      fail(0, "no variant: a case line begins with the name of a variant");
    }
    if (!errors_.empty()) throw InputError(std::move(errors_));
    return std::move(problem_);
  }

 private:
  void word(std::string_view word, std::size_t at) {
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) {
      if (problem_.variant.empty()) {
        problem_.variant = word;
      } else {
        fail(at, fmt::format("found '{}', expected field=value", word));
      }
      return;
    }
    field(word.substr(0, equals), word.substr(equals + 1), at, at + equals + 1);
  }

  void field(std::string_view key, std::string_view value, std::size_t at, std::size_t value_at) {
    if (key == kOperation) {
      if (!problem_.operation.empty()) fail(at, fmt::format("{} is given twice", key));
      if (value.empty()) fail(value_at, "operation: expected a name");
      problem_.operation = value;
      return;
    }
    if (!problem_.operation.empty() && !is_of_every_operation(key)) {
      return named_value(key, value, at, value_at);
    }
    for (std::size_t i = 0; i < kFields.size(); ++i) {
      if (kFields[i].name != key) continue;
      if (std::exchange(seen_[i], true)) return fail(at, fmt::format("{} is given twice", key));
      const std::string error =
          std::visit([&](auto member) { return read(value, problem_.*member); }, kFields[i].member);
      if (!error.empty()) fail(value_at, fmt::format("{}: {}", key, error));
      return;
    }
    std::array<std::string_view, kFields.size()> names;
    std::transform(kFields.begin(), kFields.end(), names.begin(),
                   [](const Field& field) { return field.name; });
    fail(at, unknown("field", key, names));
  }

  void named_value(std::string_view key, std::string_view value, std::size_t at,
                   std::size_t value_at) {
    if (problem_.value(key)) return fail(at, fmt::format("{} is given twice", key));
    double number = 0.0;
    const std::string error = read(value, number);
    if (!error.empty()) fail(value_at, fmt::format("{}: {}", key, error));
    problem_.set_value(key, number);
  }

  void fail(std::size_t at, std::string message) {
    errors_.push_back(
        {{file_, line_, static_cast<unsigned>(at + 1)}, std::move(message), std::string(text_)});
  }

  std::string_view text_;
  const std::string& file_;
  unsigned line_;
  Case problem_;
  std::array<bool, kFields.size()> seen_{};
  std::vector<Diagnostic> errors_;
};

}  // namespace

std::string_view name(Recipe recipe) { return kRecipeNames[static_cast<std::size_t>(recipe)]; }

std::optional<double> Case::value(std::string_view name) const {
  for (const NamedValue& field : values) {
    if (field.name == name) return field.value;
  }
  return std::nullopt;
}

void Case::set_value(std::string_view name, double value) {
  for (NamedValue& field : values) {
    if (field.name != name) continue;
    field.value = value;
    return;
  }
  values.push_back({std::string(name), value});
}

double size_measure(const Case& problem) {
  double size = static_cast<double>(problem.batch) + 1.0;
  for (const std::int64_t extent : {problem.m, problem.n, problem.k}) {
    size *= static_cast<double>(extent) + 1.0;
  }
  for (const NamedValue& field : problem.values) {
    const bool is_layout = field.name.starts_with("stride_") || field.name.starts_with("off_") ||
                           field.name.starts_with("batch_stride_") ||
                           field.name.starts_with(kMemoryOrder);
    if (!is_layout) size *= 1.0 + std::abs(field.value);
  }
  return size;
}

std::string to_line(const Case& problem) {
  static const Case kDefaults;
  std::string line = problem.variant;
  if (!problem.operation.empty()) line += fmt::format(" {}={}", kOperation, problem.operation);
  for (const NamedValue& field : problem.values) {
    line += fmt::format(" {}={}", field.name, text_of(field));
  }
  for (const Field& field : kFields) {
    if (!problem.operation.empty() && !is_of_every_operation(field.name)) continue;
    std::visit(
        [&](auto member) {
          if (!field.always_printed && problem.*member == kDefaults.*member) return;
          line += fmt::format(" {}={}", field.name, text_of(problem.*member));
        },
        field.member);
  }
  return line;
}

Case parse_case(std::string_view text, const std::string& file, unsigned line) {
  return LineParser(text, file, line).parse();
}

std::vector<Case> parse_cases(std::string_view text, const std::string& file) {
  std::vector<Case> cases;
  std::vector<Diagnostic> errors;
  for (unsigned line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t first = row.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || row[first] == '#') continue;
    try {
      cases.push_back(parse_case(row, file, line));
    } catch (const InputError& error) {
      errors.insert(errors.end(), error.diagnostics().begin(), error.diagnostics().end());
    }
  }
  if (!errors.empty()) throw InputError(std::move(errors));
  return cases;
}

}  // namespace warpcheck::campaign
