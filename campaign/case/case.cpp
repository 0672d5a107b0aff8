#include "campaign/case/case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "base/closest_word.hpp"
#include "campaign/case/product.hpp"

namespace warpcheck::campaign {
namespace {

constexpr std::array<std::string_view, 16> kRecipeNames = {
    "lattice", "normal", "wide",  "cancellation", "spikes",   "onehot",  "special",   "masked",
    "crowded", "zeros",  "equal", "negative",     "dominant", "ordered", "subnormal", "large"};
static_assert(kRecipeNames.size() == static_cast<std::size_t>(kLastRecipe) + 1);

constexpr std::string_view kOperation = "operation";
// The fields of every operation that are no numbers of it.
constexpr std::array<std::string_view, 3> kCommonFields = {"data", "seed", "property"};

bool is_common(std::string_view field) {
  return std::find(kCommonFields.begin(), kCommonFields.end(), field) != kCommonFields.end();
}

/// Returns the field of the language that has the name.
LineField named_field(std::string_view name) {
  if (name.starts_with("batch_stride_")) return {name, FieldKind::batch_stride};
  if (name.starts_with("stride_")) return {name, FieldKind::leading_dimension};
  if (name.starts_with("order_")) return {name, FieldKind::order};
  if (name.starts_with("off_")) return {name, FieldKind::offset};
  return {name, FieldKind::extent};
}

/// Returns the numeric field of a name; empty if the operation of the case has none.
std::optional<LineField> line_field(const Case& problem, std::string_view name) {
  const std::span<const LineField> known = known_fields(problem.operation);
  if (known.empty()) return is_common(name) ? std::nullopt : std::optional(named_field(name));
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const LineField& field) { return field.name == name; });
  return found == known.end() ? std::nullopt : std::optional(*found);
}

/// Each dimension has a digit of the order in memory, also the first one.
std::string order_text(double digits) {
  std::string text = fmt::to_string(digits);
  const auto greatest = static_cast<std::size_t>(*std::max_element(text.begin(), text.end()) - '0');
  return text.size() == greatest ? "0" + text : text;
}

/// Returns the shortest text that round-trips, of a whole number all digits.
std::string text_of(FieldKind kind, double number) {
  if (kind == FieldKind::transposition) return number != 0.0 ? "t" : "n";
  if (kind == FieldKind::order) return order_text(number);
  const bool has_exponent = number >= 1e16 && number <= 0x1p63;
  return kind != FieldKind::factor && has_exponent ? fmt::to_string(whole_number(number))
                                                   : fmt::to_string(number);
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

std::string read_whole(std::string_view text, double& value) {
  std::int64_t whole = 0;
  if (std::string error = read_number(text, whole); !error.empty()) return error;
  value = static_cast<double>(whole);
  return whole < 0 ? fmt::format("{} is negative", whole) : std::string{};
}

std::string read_transposition(std::string_view text, double& transposed) {
  transposed = text == "t" ? 1.0 : 0.0;
  return text == "t" || text == "n"
             ? std::string{}
             : fmt::format("'{}' is no transposition: expected t or n", text);
}

std::string read_recipe(std::string_view text, Recipe& value) {
  const auto found = std::find(kRecipeNames.begin(), kRecipeNames.end(), text);
  if (found == kRecipeNames.end()) {
    return fmt::format("'{}' is no data recipe: expected {}", text, fmt::join(kRecipeNames, ", "));
  }
  value = static_cast<Recipe>(found - kRecipeNames.begin());
  return {};
}

std::string read_seed(std::string_view text, std::uint64_t& value) {
  if (text.starts_with('-')) return fmt::format("{} is negative", text);
  return read_number(text, value);
}

/// Reads a field of every operation.
std::string read_common(std::string_view field, std::string_view text, Case& problem) {
  if (field == "data") return read_recipe(text, problem.data);
  if (field == "seed") return read_seed(text, problem.seed);
  problem.property = text;
  return {};
}

/// Reads a number of the operation. The contract decides which ones of the language are whole.
std::string read_numeric(const LineField& field, std::string_view text, Case& problem) {
  double number = 0.0;
  const bool is_any = known_fields(problem.operation).empty() || field.kind == FieldKind::factor;
  std::string error = field.kind == FieldKind::transposition ? read_transposition(text, number)
                      : is_any                               ? read_number(text, number)
                                                             : read_whole(text, number);
  problem.set_value(field.name, number);
  return error;
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
      if (value.empty()) return fail(value_at, "operation: expected a name");
      problem_.operation = value;
      return require_first(key, at);
    }
    const std::optional<LineField> numeric = line_field(problem_, key);
    if (!numeric && !is_common(key)) return fail(at, unknown_field(key));
    require_first(key, at);
    const std::string error =
        numeric ? read_numeric(*numeric, value, problem_) : read_common(key, value, problem_);
    if (!error.empty()) fail(value_at, fmt::format("{}: {}", key, error));
  }

  void require_first(std::string_view key, std::size_t at) {
    const bool is_first = std::find(seen_.begin(), seen_.end(), key) == seen_.end();
    if (!is_first) fail(at, fmt::format("{} is given twice", key));
    seen_.push_back(key);
  }

  [[nodiscard]] std::string unknown_field(std::string_view key) const {
    std::vector<std::string_view> names;
    for (const LineField& field : line_fields(Case{})) names.push_back(field.name);
    names.insert(names.end(), kCommonFields.begin(), kCommonFields.end());
    return unknown("field", key, names);
  }

  void fail(std::size_t at, std::string message) {
    errors_.push_back(
        {{file_, line_, static_cast<unsigned>(at + 1)}, std::move(message), std::string(text_)});
  }

  std::string_view text_;
  const std::string& file_;
  unsigned line_;
  Case problem_;
  std::vector<std::string_view> seen_;
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

double Case::number(std::string_view name) const {
  if (const std::optional<double> stated = value(name)) return *stated;
  const std::optional<LineField> field = line_field(*this, name);
  return field ? field->default_number : 0.0;
}

std::int64_t Case::whole(std::string_view name) const { return whole_number(number(name)); }

bool operator==(const Case& one, const Case& other) {
  const auto has_numbers_of = [](const Case& here, const Case& there) {
    return std::all_of(there.values.begin(), there.values.end(), [&](const NamedValue& field) {
      return here.number(field.name) == field.value;
    });
  };
  return std::tie(one.variant, one.operation, one.data, one.seed, one.property) ==
             std::tie(other.variant, other.operation, other.data, other.seed, other.property) &&
         has_numbers_of(one, other) && has_numbers_of(other, one);
}

std::int64_t whole_number(double value) {
  using Limits = std::numeric_limits<std::int64_t>;
  if (value >= 0x1p63) return Limits::max();
  return value > -0x1p63 ? std::llround(value) : Limits::min();
}

std::vector<LineField> line_fields(const Case& problem) {
  const std::span<const LineField> known = known_fields(problem.operation);
  std::vector<LineField> fields(known.begin(), known.end());
  if (!known.empty()) return fields;
  for (const NamedValue& field : problem.values) fields.push_back(named_field(field.name));
  return fields;
}

double size_measure(const Case& problem) {
  double size = 1.0;
  for (const LineField& field : line_fields(problem)) {
    const bool is_size = field.kind == FieldKind::extent || field.kind == FieldKind::batch;
    if (is_size) size *= 1.0 + std::abs(problem.number(field.name));
  }
  return size;
}

std::string to_line(const Case& problem) {
  std::string line = problem.variant;
  if (problem.operation != kDefaultOperation) {
    line += fmt::format(" {}={}", kOperation, problem.operation);
  }
  for (const LineField& field : line_fields(problem)) {
    const double number = problem.value(field.name).value_or(field.default_number);
    if (!is_always_stated(field.kind) && number == field.default_number) continue;
    line += fmt::format(" {}={}", field.name, text_of(field.kind, number));
  }
  line += fmt::format(" data={} seed={}", name(problem.data), problem.seed);
  if (!problem.property.empty()) line += fmt::format(" property={}", problem.property);
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
