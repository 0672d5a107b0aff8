#include "workflows/init/instance_guesses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/text/demangle.hpp"
#include "contract/compile/instantiation.hpp"
#include "workflows/init/source/lower_case.hpp"

namespace warpcheck::workflows::init {
namespace {

using Kind = ParameterType::Kind;

/// Replaces the template's type parameters by the arguments of the instance.
std::string with_arguments(std::string type, const KernelDeclaration& kernel,
                           const Instance& instance) {
  for (std::size_t i = 0; i < kernel.templates.size() && i < instance.arguments.size(); ++i) {
    const std::string& name = kernel.templates[i].name;
    std::vector<Token> tokens = contract::cpp_tokens(type);
    std::string replaced;
    for (const Token& token : tokens) {
      replaced += (replaced.empty() ? "" : " ") +
                  (token.is(name) ? instance.arguments[i] : std::string(token.text));
    }
    type = replaced;
  }
  return type;
}

/// The parameters with their resolved types.
std::vector<NamedParameter> parameters_of_instance(const KernelDeclaration& kernel,
                                                   const Instance& instance,
                                                   const CompiledKernel* compiled) {
  std::vector<std::string> types;
  if (compiled != nullptr) types = parameters_of(demangle(compiled->entry.name));
  std::vector<NamedParameter> parameters;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const std::string written = with_arguments(kernel.parameters[i].type, kernel, instance);
    const bool resolved = types.size() == kernel.parameters.size();
    ParameterType type = parameter_type(resolved ? types[i] : written);
    if (resolved && type.kind == Kind::other) type = parameter_type(written);
    parameters.push_back({kernel.parameters[i].name, std::move(type)});
  }
  return parameters;
}

/// The type of the buffer with this word.
ScalarType element_of(const std::vector<NamedParameter>& parameters, const ArgumentGuess& guess,
                      const std::string& word) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (guess.words[i] == word && parameters[i].type.element) return *parameters[i].type.element;
  }
  return ScalarType::f32;
}

ElementTypes element_types(const std::vector<NamedParameter>& parameters,
                           const ArgumentGuess& guess, const ptx::EntryUsage& usage) {
  const bool has_c = std::find(guess.words.begin(), guess.words.end(), "c") != guess.words.end();
  ElementTypes types;
  types.a = element_of(parameters, guess, "a");
  types.b = element_of(parameters, guess, "b");
  types.c = element_of(parameters, guess, has_c ? "c" : "d");
  if (usage.tf32 && types.a == ScalarType::f32) types.a = types.b = ScalarType::tf32;
  return types;
}

std::vector<ScalarType> accumulators(const ElementTypes& types) {
  if (types.a == ScalarType::f64) return {ScalarType::f64};
  const bool integers = types.c == ScalarType::s32;
  if (integers) return {ScalarType::s32};
  if (types.c == ScalarType::f16 || types.c == ScalarType::bf16) return {ScalarType::f32, types.c};
  return {ScalarType::f32};
}

/// The names in the scope of a launch, and the words of its arguments.
HostScope scope_with_words(const SourceText& source, const KernelDeclaration& kernel,
                           const KernelLaunch& launch, const std::vector<std::string>& words) {
  HostScope scope = scope_at(source, launch);
  for (std::size_t i = 0; i < launch.arguments.size() && i < words.size(); ++i) {
    const bool size = !words[i].empty() &&
                      words[i].find_first_not_of("0123456789.") != std::string::npos &&
                      i < kernel.parameters.size() && !kernel.parameters[i].is_pointer();
    const Tokens argument = launch.arguments[i];
    const bool literal = argument.size() == 1 && argument[0].kind == contract::CppTokenKind::number;
    if (size && !literal) scope.bind(to_text(argument), words[i]);
  }
  return scope;
}

/// Adds the geometry of the launch, with its gaps filled, then those that fit the body.
void add_geometries(const SourceText& source, const KernelDeclaration& kernel,
                    const Instance& instance, const ptx::EntryUsage& usage, Guesses& guesses) {
  const HostScope inside = scope_in(source, kernel, instance);
  const std::vector<std::string>& words = guesses.arguments.front().words;
  const auto has = [&](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  ptx::EntryUsage bounded = usage;
  if (!kernel.bounds_text.empty() && !bounded.most_threads) {
    const HostValue bound = inside.value(kernel.bounds_text);
    if (bound && bound->is_number()) bounded.most_threads = bound->number;
  }
  const GeometryInput input{kernel, inside, bounded, has("batch"), has("4")};
  guesses.geometries = guess_geometry(input);
  std::string& block_note = guesses.base.notes["block"];
  std::string& grid_note = guesses.base.notes["grid"];
  block_note = bounded.most_threads ? "guessed from __launch_bounds__"
                                    : "guessed from the constants of the kernel";
  grid_note = "guessed from the constants of the kernel";
  if (instance.launch == nullptr) return;
  const KernelLaunch& launch = *instance.launch;
  const HostScope scope = scope_with_words(source, kernel, launch, words);
  const auto launched = geometry_of_launch(launch, scope);
  if (!launched) return;
  const std::string note = fmt::format("from the launch in line {}", launch.line);
  const std::vector<Geometry> bodies = guesses.geometries;
  std::vector<Geometry> first;
  for (const Geometry& body : bodies) {
    Geometry filled = *launched;
    if (filled.block.empty()) filled.block = body.block;
    if (filled.grid.empty()) filled.grid = body.grid;
    if (!launched->block.empty() && launched->grid.empty() &&
        filled.block.size() > body.block.size())
      continue;
    first.push_back(std::move(filled));
    if (!launched->block.empty() && !launched->grid.empty()) break;
  }
  if (!launched->block.empty()) block_note = note;
  if (!launched->grid.empty()) grid_note = note;
  guesses.geometry_known = !launched->block.empty() && !launched->grid.empty();
  guesses.launch_geometries = first.size();
  guesses.geometries.insert(guesses.geometries.begin(), first.begin(), first.end());
  if (launched->shared.empty()) return;
  guesses.base.shared_text = launched->shared;
  guesses.base.notes["shared"] = note;
}

void note_arguments(const ArgumentGuess& guess, const Instance& instance, Guesses& guesses) {
  std::map<std::string, std::string>& notes = guesses.base.notes;
  notes["arguments"] =
      guess.unknown.empty()
          ? "guessed from the parameter names"
          : fmt::format("TODO: {}; the others are guessed from the parameter names",
                        fmt::join(guess.unknown, ", "));
  notes["kernel"] = instance.note;
  notes["operation"] = "guessed from the parameters";
  notes["types"] = "from the parameter types; accumulate is guessed";
}

/// Counters, locks or partial sums: enough memory for one per element and slice, set to zero.
void guess_workspace(const ptx::EntryUsage& usage, Guesses& guesses) {
  const std::vector<std::string>& words = guesses.arguments.front().words;
  const auto has = [&](std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (has("workspace")) {
    guesses.base.workspace = R"({ bytes = "16 * m * n + 4096", zeroed = true })";
    guesses.base.notes["workspace"] =
        "TODO: the size and whether the kernel requires zeros are guessed";
  }
  if (usage.block_axes == 3 && !has("batch")) {
    guesses.base.split_k = 4;
    guesses.base.notes["split_k"] = "guessed: the kernel uses blockIdx.z and has no batch";
  }
  if (usage.atomic_sums) {
    guesses.base.deterministic = false;
    guesses.base.notes["deterministic"] = "the kernel adds floating-point numbers by atomics";
  }
}

std::int64_t step_along_k(const HostScope& scope, const KernelDeclaration& kernel) {
  for (const Token& token : kernel.body) {
    const std::string lower = lower_case(token.text);
    const bool named = lower == "bk" || lower == "tk" || lower == "k_step" || lower == "kstep" ||
                       lower == "tile_k" || lower == "tilek" || lower == "block_k" ||
                       lower == "blockk" || lower == "block_size_k";
    if (!named) continue;
    const HostValue value = scope.value(token.text);
    if (value && value->is_number()) return value->number;
  }
  return 0;
}

/// Returns the reason why the parameters are not those of a matrix product; empty if they can be.
std::string other_operation(const std::vector<NamedParameter>& parameters,
                            const ArgumentGuess& guess) {
  const auto has = [&](const char* word) {
    return std::find(guess.words.begin(), guess.words.end(), word) != guess.words.end();
  };
  for (const NamedParameter& parameter : parameters) {
    if (parameter.type.kind == Kind::other) {
      return fmt::format("no contract describes the type of '{}', {}", parameter.name,
                         parameter.type.text);
    }
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].type.kind == Kind::buffer && guess.is_number(i)) {
      return fmt::format("a matrix product has no operand for the pointer '{}'",
                         parameters[i].name);
    }
  }
  if (!has("a") || !has("b") || (!has("c") && !has("d"))) {
    return "a matrix product has two operands and a result; the parameters do not have three "
           "buffers";
  }
  return {};
}

/// The product of numbers; empty if one of them is another expression.
std::optional<std::int64_t> product_of(const std::vector<std::string>& numbers) {
  std::int64_t product = 1;
  for (const std::string& one : numbers) {
    if (one.empty() || one.size() > 9 || one.find_first_not_of("0123456789") != std::string::npos) {
      return std::nullopt;
    }
    product *= std::stoll(one);
  }
  return product;
}

/// Why there is no contract if no parameter is a size; empty if one is.
std::string without_size(const std::vector<NamedParameter>& parameters, const Guesses& guesses) {
  const bool has_size =
      std::any_of(parameters.begin(), parameters.end(),
                  [](const NamedParameter& one) { return one.type.kind == Kind::integer; });
  if (has_size) return {};
  std::string text =
      "no parameter is a size; write an operation with an extent that `requires` fixes";
  const Geometry& geometry = guesses.geometries.front();
  const auto threads = product_of(geometry.block);
  const auto blocks = product_of(geometry.grid);
  if (guesses.geometry_known && threads && blocks) {
    text += fmt::format(", such as \"n == {}\" for the threads of the launch", *threads * *blocks);
  }
  return text + ": docs/operations.md";
}

/// True if the names of parameters suggest the three extents of a matrix product.
bool has_extents_of_product(const std::vector<NamedParameter>& parameters) {
  constexpr std::array<std::string_view, 3> kExtents = {"m", "n", "k"};
  return std::all_of(kExtents.begin(), kExtents.end(), [&](std::string_view extent) {
    return std::any_of(parameters.begin(), parameters.end(), [&](const NamedParameter& one) {
      return one.type.kind == Kind::integer && word_of_name(one.name, one.type.kind) == extent;
    });
  });
}

/// True if the body multiplies elements of both operands: a[...] * b[...].
bool multiplies_operands(const KernelDeclaration& kernel, const ArgumentGuess& guess) {
  const auto word_of = [&](const Token& token) -> std::string {
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      if (token.is(kernel.parameters[i].name)) return guess.words[i];
    }
    return {};
  };
  const Tokens body = kernel.body;
  for (std::size_t i = 0; i + 1 < body.size(); ++i) {
    const std::string first = word_of(body[i]);
    if ((first != "a" && first != "b") || !body[i + 1].is("[")) continue;
    const std::size_t close = contract::closing_bracket(body, i + 1);
    if (close + 2 >= body.size() || !body[close + 1].is("*")) continue;
    if (word_of(body[close + 2]) == (first == "a" ? "b" : "a")) return true;
  }
  return false;
}

/// The kernel calls an intrinsic function such as __expf.
bool uses_fast_math(const KernelDeclaration& kernel) {
  constexpr std::array<std::string_view, 9> kIntrinsics = {"__expf",   "__logf", "__log2f",
                                                           "__log10f", "__sinf", "__cosf",
                                                           "__tanf",   "__powf", "__fdividef"};
  return std::any_of(kernel.body.begin(), kernel.body.end(), [&](const Token& token) {
    return std::find(kIntrinsics.begin(), kIntrinsics.end(), token.text) != kIntrinsics.end();
  });
}

OperationKernel operation_kernel(const SourceText& source, const KernelDeclaration& kernel,
                                 const Instance& instance, const Draft& base,
                                 const ptx::EntryUsage& usage,
                                 std::vector<NamedParameter> parameters) {
  OperationKernel made{base, std::move(parameters), kernel.body, usage, {}};
  made.base.workspace.clear();
  made.base.split_k = 1;
  made.base.shared = 0;
  made.base.fast_math = uses_fast_math(kernel);
  made.base.notes.erase("operation");  // its definition has a note
  made.base.notes["arguments"] = "from the parameters; their roles are guessed";
  std::string& shared = made.base.notes["shared"];
  if (shared.empty()) shared = "guessed: the kernel uses dynamic shared memory";
  if (instance.launch != nullptr) {
    made.launched = [&source, &kernel, &instance](const std::vector<std::string>& words) {
      return geometry_of_launch(*instance.launch,
                                scope_with_words(source, kernel, *instance.launch, words));
    };
  }
  return made;
}

}  // namespace

InstanceGuesses guesses_for(const SourceText& source, const KernelDeclaration& kernel,
                            const Instance& instance, const CompiledKernel* compiled) {
  InstanceGuesses found;
  Guesses& guesses = found.guesses;
  const std::vector<NamedParameter> parameters = parameters_of_instance(kernel, instance, compiled);
  const ptx::EntryUsage usage =
      compiled != nullptr ? ptx::entry_usage(compiled->compiled->ptx, compiled->entry.name)
                          : ptx::EntryUsage{};
  guesses.arguments = guess_arguments(parameters);
  const ArgumentGuess& first = guesses.arguments.front();
  found.not_a_product = other_operation(parameters, first);
  guesses.base.kernel = instance_name(kernel, instance);
  guesses.base.name = variant_name(kernel, instance);
  guesses.base.types = element_types(parameters, first, usage);
  guesses.base.tensor_cores = usage.tensor_cores;
  if (usage.fp8) guesses.base.architecture = "sm_89";
  guess_workspace(usage, guesses);
  guesses.accumulators = accumulators(guesses.base.types);
  note_arguments(first, instance, guesses);
  std::vector<std::string> names;
  for (const NamedParameter& parameter : parameters) names.push_back(parameter.name);
  const LayoutGuess layout = guess_layout(kernel.body, kernel.name, names, first.words);
  for (const ArgumentGuess& guess : guesses.arguments) {
    guesses.layouts.push_back(
        layouts_by_likelihood(guess_layout(kernel.body, kernel.name, names, guess.words)));
  }
  const bool seen = layout.seen[0] && layout.seen[1] && layout.seen[2];
  found.is_likely_product =
      seen || has_extents_of_product(parameters) || multiplies_operands(kernel, first);
  guesses.base.notes["layout"] = seen ? "guessed from the index expressions" : "guessed";
  add_geometries(source, kernel, instance, usage, guesses);
  if (found.not_a_product.empty()) found.not_a_product = without_size(parameters, guesses);
  found.operation = operation_kernel(source, kernel, instance, guesses.base, usage, parameters);
  if (usage.dynamic_shared && guesses.base.shared_text.empty()) {
    guesses.shared = {4096, 8192, 16384, 32768, 65536, 131072};
    guesses.base.notes["shared"] = "guessed: the kernel uses dynamic shared memory";
  }
  found.step_k = step_along_k(scope_in(source, kernel, instance), kernel);
  return found;
}

}  // namespace warpcheck::workflows::init
