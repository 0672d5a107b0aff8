#include "workflows/init/alternatives.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "contract/source/cpp_token.hpp"

namespace warpcheck::workflows::init {
namespace {

constexpr std::size_t kLists = 5;
using Choice = std::array<std::size_t, kLists>;  // arguments, layout, geometry, accumulator, shared

/// The most choices of one list that take part in the search.
constexpr Choice kMostChoices = {7, 8, 40, 2, 8};

std::array<std::size_t, kLists> sizes_of(const Guesses& guesses) {
  std::array<std::size_t, kLists> sizes = {
      guesses.arguments.size(), guesses.layouts.empty() ? 0 : guesses.layouts.front().size(),
      guesses.geometries.size(), guesses.accumulators.size(), guesses.shared.size()};
  for (std::size_t i = 0; i < kLists; ++i)
    sizes[i] = std::clamp<std::size_t>(sizes[i], 1, kMostChoices[i]);
  return sizes;
}

/// The less likely a choice, the later it is tried. Parameters with unusual names are in doubt;
/// usual names and the geometry of a launch rarely are.
std::size_t cost_of(const Choice& choice, const Guesses& guesses) {
  const bool geometry_open = !guesses.geometry_known;
  std::size_t cost = choice[1] + choice[3] * 2 + choice[4];
  if (choice[0] > 0) cost += 2 + choice[0];
  if (choice[2] > 0) cost += geometry_open ? choice[2] : 3 + choice[2];
  return cost;
}

std::vector<Choice> choices_by_cost(const Guesses& guesses) {
  const auto sizes = sizes_of(guesses);
  std::vector<Choice> choices;
  Choice choice{};
  for (choice[0] = 0; choice[0] < sizes[0]; ++choice[0]) {
    for (choice[1] = 0; choice[1] < sizes[1]; ++choice[1]) {
      for (choice[2] = 0; choice[2] < sizes[2]; ++choice[2]) {
        for (choice[3] = 0; choice[3] < sizes[3]; ++choice[3]) {
          for (choice[4] = 0; choice[4] < sizes[4]; ++choice[4]) choices.push_back(choice);
        }
      }
    }
  }
  std::stable_sort(choices.begin(), choices.end(), [&](const Choice& x, const Choice& y) {
    return cost_of(x, guesses) < cost_of(y, guesses);
  });
  return choices;
}

/// Replaces the words of the first guess of the arguments by those of another one, in an expression
/// of a launch, which was read with the first ones.
std::string renamed(const std::string& expression, const ArgumentGuess& first,
                    const ArgumentGuess& other) {
  std::string result;
  for (const contract::CppToken& token : contract::cpp_tokens(expression)) {
    while (result.size() < token.offset) result += ' ';
    const auto at = std::find(first.words.begin(), first.words.end(), token.text);
    const bool is_word = token.is_word() && at != first.words.end();
    const std::string text = is_word
                                 ? other.words[static_cast<std::size_t>(at - first.words.begin())]
                                 : std::string(token.text);
    result += text;
  }
  return result;
}

void rename_launch(Draft& draft, const Guesses& guesses, std::size_t arguments) {
  const ArgumentGuess& first = guesses.arguments.front();
  const ArgumentGuess& other = guesses.arguments[arguments];
  for (auto* const list : {&draft.block, &draft.grid}) {
    for (std::string& text : *list) text = renamed(text, first, other);
  }
  draft.shared_text = renamed(draft.shared_text, first, other);
}

SearchResult chosen(const Guesses& guesses, const Choice& choice) {
  SearchResult result;
  Draft& draft = result.draft = guesses.base;
  if (!guesses.arguments.empty()) {
    const ArgumentGuess& arguments = guesses.arguments[choice[0]];
    draft.arguments = arguments.words;
    draft.requires_ = arguments.requires_;
  }
  if (!guesses.layouts.empty()) draft.column = guesses.layouts[choice[0]][choice[1]];
  if (!guesses.geometries.empty()) {
    result.geometry = guesses.geometries[choice[2]];
    draft.block = result.geometry.block;
    draft.grid = result.geometry.grid;
    if (choice[0] > 0 && choice[2] < guesses.launch_geometries)
      rename_launch(draft, guesses, choice[0]);
  }
  if (!guesses.accumulators.empty()) draft.types.accumulate = guesses.accumulators[choice[3]];
  if (!guesses.shared.empty()) draft.shared = guesses.shared[choice[4]];
  return result;
}

/// A size that is a multiple of the tiles of all likely geometries.
std::int64_t screening_tile(const Guesses& guesses) {
  std::int64_t tile = 32;
  for (std::size_t i = 0; i < std::min<std::size_t>(guesses.geometries.size(), 4); ++i) {
    tile = std::max({tile, guesses.geometries[i].tile_m, guesses.geometries[i].tile_n});
  }
  return std::min<std::int64_t>(tile, 128);
}

/// Replaces `best` by the alternative that passes the most screening cases. Returns the number of
/// contracts that it has tried.
int try_alternatives(const Guesses& guesses, const Trial& trial, int most, double most_seconds,
                     SearchResult& best) {
  const auto start = std::chrono::steady_clock::now();
  int tried = 0;
  for (const Choice& choice : choices_by_cost(guesses)) {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    if (tried == most || best.passed == Trial::kShapes || elapsed.count() > most_seconds) break;
    // A kernel that is right for some shapes only: another contract is rarely better.
    if (best.passed >= 2 && tried >= most / 2) break;
    SearchResult candidate = chosen(guesses, choice);
    ++tried;
    candidate.passed = trial.passed_shapes(candidate.draft, best.screening, best.passed);
    if (candidate.passed <= best.passed) continue;
    candidate.screening = best.screening;
    best = std::move(candidate);
  }
  return tried;
}

}  // namespace

SearchResult first_guess(const Guesses& guesses) { return chosen(guesses, {}); }

SearchResult search(const Guesses& guesses, const Trial& trial, int most, double most_seconds) {
  SearchResult best = first_guess(guesses);
  best.screening.tile = screening_tile(guesses);
  int tried = try_alternatives(guesses, trial, most, most_seconds, best);
  // A kernel that ignores beta is correct only for 0.
  if (best.passed == 0 && best.draft.takes("beta")) {
    best.screening.beta = 0.0;
    tried += try_alternatives(guesses, trial, most, most_seconds, best);
  }
  best.tried = tried;
  return best;
}

}  // namespace warpcheck::workflows::init
