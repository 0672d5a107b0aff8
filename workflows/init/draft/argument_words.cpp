#include "workflows/init/draft/argument_words.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <set>
#include <string_view>

#include "workflows/init/source/lower_case.hpp"

namespace warpcheck::workflows::init {
namespace {

using Kind = ParameterType::Kind;

struct Names {
  const char* word;
  std::initializer_list<std::string_view> names;
};

const std::array<Names, 8> kBufferNames = {{
    {"a", {"a", "lhs", "left", "in1", "ina", "input1", "inputa", "first", "mata", "ma"}},
    {"b",
     {"b", "rhs", "right", "in2", "inb", "input2", "inputb", "second", "weight", "weights", "w",
      "matb", "mb"}},
    {"c",
     {"c", "out", "output", "result", "res", "outc", "product", "prod", "dst", "y", "matc", "mc"}},
    {"d", {"d", "matd"}},
    {"bias", {"bias", "biases"}},
    {"workspace",
     {"workspace", "ws", "partials", "partial", "partialsums", "turns", "tickets", "locks",
      "semaphores", "scratch", "tmp", "counters"}},
    {"a", {"x", "in", "input", "activations", "act"}},
    {"c", {"p"}},
}};

const std::array<Names, 16> kIntegerNames = {{
    {"m", {"m",     "rows",  "nrows",    "numrows",  "height",  "h",     "ha",
           "arows", "rowsa", "numarows", "numcrows", "crows",   "rowsc", "hc",
           "msize", "sizem", "dimm",     "rowa",     "heighta", "mdim",  "nra"}},
    {"n", {"n",     "cols",     "ncols",       "columns",  "numcols",     "numcolumns", "wb",
           "bcols", "colsb",    "numbcolumns", "numbcols", "numccolumns", "numccols",   "ccols",
           "colsc", "wc",       "nsize",       "sizen",    "dimn",        "colb",       "widthb",
           "ndim",  "bcolumns", "ccolumns",    "ncb"}},
    {"k", {"k",     "wa",     "acols",     "colsa", "numacolumns", "numacols", "numbrows", "brows",
           "rowsb", "hb",     "inner",     "depth", "common",      "ksize",    "sizek",    "dimk",
           "cola",  "widtha", "shareddim", "l",     "kdim",        "acolumns", "innerdim", "nca"}},
    {"lda", {"lda", "alda", "ald", "pitcha", "leadinga", "stridearow"}},
    {"ldb", {"ldb", "bld", "pitchb", "leadingb"}},
    {"ldc", {"ldc", "cld", "pitchc", "leadingc"}},
    {"ldd", {"ldd", "dld"}},
    {"batch", {"batch", "batches", "batchsize", "batchcount", "nbatch", "numbatches", "bs", "bsz"}},
    {"stride_a", {"stridea", "batchstridea", "astride"}},
    {"stride_b", {"strideb", "batchstrideb", "bstride"}},
    {"stride_c", {"stridec", "batchstridec", "cstride"}},
    {"stride_d", {"strided"}},
    {"ta", {"ta", "transa", "transposea", "atrans"}},
    {"tb", {"tb", "transb", "transposeb", "btrans"}},
    {"4", {"slices", "splits", "splitk", "ksplits", "numsplits", "splitkslices"}},
    {"size", {"size", "width", "dim", "len", "matrixsize", "order", "sz", "wid", "matsize", "msz"}},
}};

/// Lower case, without '_' and without the affixes of device memory.
std::string plain(const std::string& name) {
  std::string text = lower_case(name);
  for (const std::string_view prefix :
       {"d_", "dev_", "device_", "g_", "gpu_", "p_", "mat_", "matrix_", "ptr_"}) {
    if (text.starts_with(prefix) && text.size() > prefix.size()) text.erase(0, prefix.size());
  }
  for (const std::string_view suffix :
       {"_d", "_dev", "_device", "_ptr", "_gpu", "_global", "_matrix", "_data", "_"}) {
    if (text.ends_with(suffix) && text.size() > suffix.size()) {
      text.erase(text.size() - suffix.size());
    }
  }
  std::erase(text, '_');
  for (const std::string_view prefix : {"dev", "matrix", "device"}) {
    if (text.starts_with(prefix) && text.size() > prefix.size()) text.erase(0, prefix.size());
  }
  // dA, pA: a lower-case letter before one capital.
  if (name.size() == 2 && (name[0] == 'd' || name[0] == 'p' || name[0] == 'g') && name[1] >= 'A' &&
      name[1] <= 'D') {
    text = text.substr(1);
  }
  if (name.size() == 2 && name[1] == 'd' && name[0] >= 'A' && name[0] <= 'P') text.resize(1);
  return text;
}

template <std::size_t N>
std::string lookup(const std::array<Names, N>& table, const std::string& name) {
  for (const Names& row : table) {
    if (std::find(row.names.begin(), row.names.end(), name) != row.names.end()) return row.word;
  }
  return {};
}

class ArgumentGuesser {
 public:
  explicit ArgumentGuesser(const std::vector<NamedParameter>& parameters)
      : parameters_(parameters), words_(parameters.size()) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      words_[i] = word_of_name(parameters[i].name, parameters[i].type.kind);
    }
  }

  ArgumentGuess run() {
    name_buffers();
    name_strides();
    name_extents();
    name_factors();
    ArgumentGuess guess;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if (words_[i].empty()) {
        guess.unknown.push_back(parameters_[i].name);
        words_[i] = parameters_[i].type.kind == Kind::floating ? "1.0" : "1";
      }
    }
    guess.words = words_;
    guess.requires_ = requires_;
    return guess;
  }

 private:
  [[nodiscard]] std::vector<std::size_t> indices(Kind kind) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (parameters_[i].type.kind == kind) found.push_back(i);
    }
    return found;
  }

  [[nodiscard]] bool has(std::string_view word) const {
    return std::find(words_.begin(), words_.end(), word) != words_.end();
  }

  /// The first buffer keeps a word that several have; the others are named by position.
  void name_buffers() {
    const std::vector<std::size_t> buffers = indices(Kind::buffer);
    // The kernel writes its result: a constant C needs a D.
    for (const std::size_t i : buffers) {
      if (words_[i] == "c" && parameters_[i].type.constant && !has("d")) words_[i].clear();
    }
    std::set<std::string> seen;
    for (const std::size_t i : buffers) {
      if (!words_[i].empty() && !seen.insert(words_[i]).second) words_[i].clear();
    }
    name_output(buffers);
    for (const char* word : {"a", "b", "c", "d"}) {
      if (has(word) || (std::string_view(word) == "d")) continue;
      for (const std::size_t i : buffers) {
        if (words_[i].empty()) {
          words_[i] = word;
          break;
        }
      }
    }
    name_several_workspaces(buffers);
  }

  /// A kernel with C and D reads C: without a constant C, D is another output.
  void name_output(const std::vector<std::size_t>& buffers) {
    std::vector<std::size_t> outputs;
    for (const std::size_t i : buffers) {
      if (!parameters_[i].type.constant && words_[i] != "workspace") outputs.push_back(i);
    }
    if (has("c") || buffers.size() < 3) return;
    const bool first_is_output =
        outputs.size() == 1 || (outputs.size() > 1 && words_[outputs.back()].empty());
    if (!outputs.empty() && first_is_output) {
      words_[outputs.back()] = "c";
      return;
    }
    // float* M, float* N, float* P: the last one.
    if (outputs.size() == buffers.size()) words_[buffers.back()] = "c";
  }

  void name_several_workspaces(const std::vector<std::size_t>& buffers) {
    std::vector<std::size_t> found;
    for (const std::size_t i : buffers) {
      if (words_[i] == "workspace") found.push_back(i);
    }
    if (found.size() < 2) return;
    for (const std::size_t i : found) words_[i] = "workspace." + plain(parameters_[i].name);
  }

  /// "strideA" of a kernel without a batch is a leading dimension.
  void name_strides() {
    if (has("batch") || !has("stride_a")) return;
    const bool leading = has("lda");
    for (std::string& word : words_) {
      if (!leading && word.starts_with("stride_")) word = "ld" + word.substr(7);
    }
  }

  void name_extents() {
    const std::vector<std::size_t> integers = indices(Kind::integer);
    std::size_t squares = 0;
    for (const std::size_t i : integers) squares += words_[i] == "size" ? 1 : 0;
    const bool any_extent = has("m") || has("n") || has("k");
    for (const std::size_t i : integers) {
      if (words_[i] == "size") words_[i] = any_extent || squares > 1 ? "" : "n";
    }
    std::size_t unnamed = 0;
    for (const std::size_t i : integers) unnamed += words_[i].empty() ? 1 : 0;
    if (!has("m") && !has("n") && !has("k") && unnamed == 1) {
      for (const std::size_t i : integers) {
        if (words_[i].empty()) words_[i] = "n";
      }
      unnamed = 0;
    }
    for (const char* word : {"m", "n", "k"}) {
      if (has(word) || unnamed == 0) continue;
      for (const std::size_t i : integers) {
        if (!words_[i].empty()) continue;
        words_[i] = word;
        --unnamed;
        break;
      }
    }
    require_equal_extents();
  }

  /// A kernel without m, n or k takes it from another extent, or from a leading dimension.
  void require_equal_extents() {
    const int count = (has("m") ? 1 : 0) + (has("n") ? 1 : 0) + (has("k") ? 1 : 0);
    if (count == 1) {
      const std::string word = has("m") ? "m" : has("n") ? "n" : "k";
      if (word != "m") requires_.push_back("m == " + word);
      if (word != "n") requires_.push_back("n == " + word);
      if (word != "k") requires_.push_back("k == " + word);
    }
  }

  void name_factors() {
    for (const char* word : {"alpha", "beta"}) {
      if (has(word)) continue;
      for (const std::size_t i : indices(Kind::floating)) {
        if (!words_[i].empty()) continue;
        words_[i] = word;
        break;
      }
    }
  }

  const std::vector<NamedParameter>& parameters_;
  std::vector<std::string> words_;
  std::vector<std::string> requires_;
};

/// The guess with two words exchanged; empty if it has not both.
std::optional<ArgumentGuess> exchanged(ArgumentGuess guess, const std::string& x,
                                       const std::string& y) {
  const bool both = std::find(guess.words.begin(), guess.words.end(), x) != guess.words.end() &&
                    std::find(guess.words.begin(), guess.words.end(), y) != guess.words.end();
  if (!both) return std::nullopt;
  for (std::string& word : guess.words) word = word == x ? y : word == y ? x : word;
  return guess;
}

}  // namespace

bool ArgumentGuess::is_number(std::size_t parameter) const {
  return words[parameter].find_first_not_of("0123456789.") == std::string::npos;
}

std::string word_of_name(const std::string& name, Kind kind) {
  const std::string text = plain(name);
  if (kind == Kind::buffer) return lookup(kBufferNames, text);
  if (text == "alpha" || text == "beta") return text;
  if (kind == Kind::integer) return lookup(kIntegerNames, text);
  return {};
}

std::vector<ArgumentGuess> guess_arguments(const std::vector<NamedParameter>& parameters) {
  std::vector<ArgumentGuess> guesses = {ArgumentGuesser(parameters).run()};
  const ArgumentGuess first = guesses.front();
  for (const auto& [x, y] : {std::pair("n", "k"), std::pair("m", "n"), std::pair("m", "k")}) {
    if (auto other = exchanged(first, x, y)) guesses.push_back(std::move(*other));
  }
  for (const auto& [x, y] : {std::pair("n", "k"), std::pair("m", "k")}) {
    const auto other = exchanged(first, "m", "n");
    const auto third = other ? exchanged(*other, x, y) : std::nullopt;
    if (third) guesses.push_back(*third);
  }
  if (auto other = exchanged(first, "a", "b")) guesses.push_back(std::move(*other));
  return guesses;
}

}  // namespace warpcheck::workflows::init
