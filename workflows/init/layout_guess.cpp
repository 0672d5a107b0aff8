#include "workflows/init/layout_guess.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include "workflows/init/source/lower_case.hpp"

namespace warpcheck::workflows::init {

using contract::closing_bracket;

namespace {

/// The coordinate that the name of an index suggests.
enum class Coordinate { unknown, row, column };

Coordinate coordinate_of(std::string_view word) {
  const std::string name = lower_case(word);
  if (name.find("row") != std::string::npos || name == "y" || name == "ty" || name == "m" ||
      name == "i")
    return Coordinate::row;
  if (name.find("col") != std::string::npos || name == "x" || name == "tx" || name == "n" ||
      name == "j")
    return Coordinate::column;
  return Coordinate::unknown;
}

class LayoutReader {
 public:
  LayoutReader(Tokens body, const std::vector<std::string>& names,
               const std::vector<std::string>& words)
      : body_(body) {
    for (std::size_t i = 0; i < names.size(); ++i) word_of_[names[i]] = words[i];
  }

  /// True for columns; empty if no index expression of the operand shows its layout.
  std::optional<bool> layout(const std::string& operand) const {
    for (std::size_t i = 0; i + 1 < body_.size(); ++i) {
      const auto word = word_of_.find(std::string(body_[i].text));
      const bool is_d = operand == "c" && word != word_of_.end() && word->second == "d";
      if (word == word_of_.end() || (word->second != operand && !is_d)) continue;
      if (const auto found = layout_of_index(index_after(i), operand)) return found;
    }
    return std::nullopt;
  }

 private:
  /// The tokens between the brackets of `a[...]`, or after the + of `a + ...`.
  [[nodiscard]] Tokens index_after(std::size_t name) const {
    const std::size_t next = name + 1;
    if (body_[next].is("[")) {
      const std::size_t close = closing_bracket(body_, next);
      return close < body_.size() ? body_.subspan(next + 1, close - next - 1) : Tokens();
    }
    if (!body_[next].is("+")) return {};
    std::size_t end = next + 1;
    for (; end < body_.size(); ++end) {
      if (body_[end].is("(") || body_[end].is("[")) {
        end = std::min(closing_bracket(body_, end), body_.size() - 1);
      } else if (body_[end].is(")") || body_[end].is(",") || body_[end].is(";") ||
                 body_[end].is("=")) {
        break;
      }
    }
    return body_.subspan(next + 1, std::min(end, body_.size()) - next - 1);
  }

  [[nodiscard]] std::optional<bool> layout_of_index(Tokens index,
                                                    const std::string& operand) const {
    for (std::size_t i = 1; i < index.size(); ++i) {
      if (!index[i].is("*")) continue;
      std::string stride = i + 1 < index.size() ? word_of(index[i + 1]) : std::string();
      Tokens factor = factor_before(index, i);
      if (stride.empty()) {  // K * row
        stride = word_of(index[i - 1]);
        factor = index.subspan(i + 1, 1);
      }
      if (stride.empty()) continue;
      if (const auto found = layout_of_stride(stride, factor, rest_of(index, factor), operand))
        return found;
    }
    return std::nullopt;
  }

  [[nodiscard]] std::string word_of(const Token& token) const {
    const auto found = word_of_.find(std::string(token.text));
    return found == word_of_.end() ? std::string() : found->second;
  }

  /// The longer part of an index before or after a factor and its stride.
  static Tokens rest_of(Tokens index, Tokens factor) {
    const auto before = static_cast<std::size_t>(factor.data() - index.data());
    const std::size_t after = std::min(before + factor.size() + 2, index.size());
    return before > index.size() - after ? index.first(before) : index.subspan(after);
  }

  static Tokens factor_before(Tokens index, std::size_t star) {
    std::size_t begin = star;
    int depth = 0;
    while (begin > 0) {
      const Token& token = index[begin - 1];
      if (token.is(")") || token.is("]")) ++depth;
      if ((token.is("(") || token.is("[")) && depth-- == 0) break;
      if (depth == 0 && (token.is("+") || token.is("-"))) break;
      --begin;
    }
    return index.subspan(begin, star - begin);
  }

  /// Rows of A are k elements apart, those of B and C n; columns of A and C m, those of B k. With a
  /// leading dimension, or if m = n = k, the factor decides.
  [[nodiscard]] std::optional<bool> layout_of_stride(const std::string& stride, Tokens factor,
                                                     Tokens rest,
                                                     const std::string& operand) const {
    if (!is_square() && stride == (operand == "a" ? "k" : "n")) return false;
    if (!is_square() && stride == (operand == "b" ? "k" : "m")) return true;
    const bool leading = stride.starts_with("ld") || is_square();
    if (!leading) return std::nullopt;
    return layout_of_names(coordinate_in(factor), coordinate_in(rest), operand);
  }

  static Coordinate coordinate_in(Tokens tokens) {
    for (const Token& token : tokens) {
      const Coordinate found = token.is_word() ? coordinate_of(token.text) : Coordinate::unknown;
      if (found != Coordinate::unknown) return found;
    }
    return Coordinate::unknown;
  }

  /// `factor` is multiplied by the stride, `rest` is not. The other coordinate of A and B runs
  /// along k.
  static std::optional<bool> layout_of_names(Coordinate factor, Coordinate rest,
                                             const std::string& operand) {
    const Coordinate own = operand == "b" ? Coordinate::column : Coordinate::row;
    const bool by_column_if_factor = operand == "b";
    if (factor == own) return by_column_if_factor;
    if (rest == own) return !by_column_if_factor;
    if (operand == "c" && factor == Coordinate::column) return true;
    if (operand == "c" && rest == Coordinate::column) return false;
    return std::nullopt;
  }

  [[nodiscard]] bool is_square() const {
    int extents = 0;
    for (const auto& [name, word] : word_of_)
      extents += word == "m" || word == "n" || word == "k" ? 1 : 0;
    return extents < 2;
  }

  Tokens body_;
  std::map<std::string, std::string> word_of_;
};

}  // namespace

LayoutGuess guess_layout(Tokens body, const std::string& kernel,
                         const std::vector<std::string>& names,
                         const std::vector<std::string>& words) {
  LayoutGuess guess;
  const LayoutReader reader(body, names, words);
  const std::string lower = lower_case(kernel);
  const bool columns =
      lower.find("column") != std::string::npos || lower.find("colmajor") != std::string::npos;
  guess.column = {columns, columns, columns};
  if (lower.ends_with("_nt") || lower.find("_nt_") != std::string::npos) guess.column[1] = true;
  if (lower.ends_with("_tn") || lower.find("_tn_") != std::string::npos) guess.column[0] = true;
  const char* const operands[] = {"a", "b", "c"};
  for (std::size_t i = 0; i < 3; ++i) {
    if (const auto found = reader.layout(operands[i])) {
      guess.column[i] = *found;
      guess.seen[i] = true;
    }
  }
  return guess;
}

std::vector<std::array<bool, 3>> layouts_by_likelihood(const LayoutGuess& guess) {
  std::vector<std::pair<int, std::array<bool, 3>>> ranked;
  for (unsigned bits = 0; bits < 8; ++bits) {
    int rank = 0;
    std::array<bool, 3> layout{};
    for (std::size_t i = 0; i < 3; ++i) {
      const bool differs = ((bits >> i) & 1U) != 0;
      layout[i] = guess.column[i] != differs;
      rank += differs ? (guess.seen[i] ? 3 : 1) : 0;
    }
    if (bits == 7 && rank == 3) rank = 1;  // all operands lie by columns
    ranked.emplace_back(rank, layout);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& x, const auto& y) { return x.first < y.first; });
  std::vector<std::array<bool, 3>> layouts;
  for (const auto& [rank, layout] : ranked) layouts.push_back(layout);
  return layouts;
}

}  // namespace warpcheck::workflows::init
