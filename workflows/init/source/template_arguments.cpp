#include "workflows/init/source/template_arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text/characters.hpp"
#include "workflows/init/source/lower_case.hpp"
#include "workflows/init/source/parameter_type.hpp"

namespace warpcheck::workflows::init {
namespace {

bool is_type_parameter(const TemplateParameter& parameter) { return parameter.kind == "typename"; }

/// The value for a parameter of which nothing but the name is known.
std::string guessed_number(const std::string& name) {
  const std::string lower = lower_case(name);
  const auto has = [&](std::string_view part) { return lower.find(part) != std::string::npos; };
  if (has("pad") || has("skew")) return "1";
  if (lower == "tm" || lower == "tn" || has("per_thread") || has("thread_m") || has("thread_n"))
    return "4";
  if (lower == "bk" || has("tile_k") || has("k_step") || has("block_k") || has("tilek")) return "8";
  if (has("stage")) return "2";
  if (has("thread")) return "256";
  return "32";
}

/// Scores how well the name of a type fits the name of a kernel: "E4m3" and "fp8gemm".
int fitness(const std::string& type, const std::string& kernel) {
  struct Hint {
    std::string_view kernel, type;
  };
  constexpr Hint kHints[] = {{"fp8", "e4m3"},  {"tf32", "tf32"},  {"hgemm", "f16"}, {"half", "f16"},
                             {"bf16", "bf16"}, {"bgemm", "bf16"}, {"igemm", "s8"},  {"int8", "s8"},
                             {"dgemm", "f64"}, {"sgemm", "tf32"}};
  for (const Hint& hint : kHints) {
    if (kernel.find(hint.kernel) != std::string::npos && type == hint.type) return 2;
  }
  return 1;
}

/// A struct of the files whose name is that of an element type, for a template parameter with
/// members, as in `typename Instruction::Element`. Empty if there is none.
std::string struct_with_members(const SourceText& source, const std::string& kernel) {
  constexpr std::string_view kTypes[] = {"f16", "bf16", "tf32", "f64", "s8", "e4m3", "e5m2", "f32"};
  std::string best;
  int fit = 0;
  const auto search = [&](const FileTokens& file) {
    std::string scope;
    for (std::size_t i = 0; i + 2 < file.tokens.size(); ++i) {
      if (file.tokens[i].is("namespace") && file.tokens[i + 2].is("{"))
        scope = file.tokens[i + 1].text;
      if (!file.tokens[i].is("struct") || !file.tokens[i + 1].is_word()) continue;
      const std::string type = lower_case(file.tokens[i + 1].text);
      if (std::find(std::begin(kTypes), std::end(kTypes), type) == std::end(kTypes)) continue;
      const int found = fitness(type, lower_case(kernel));
      if (found <= fit) continue;
      fit = found;
      best = (scope.empty() ? "" : scope + "::") + std::string(file.tokens[i + 1].text);
    }
  };
  for (const FileTokens& header : source.headers) search(header);
  search(source.main);
  return best;
}

bool uses_members(const KernelDeclaration& kernel, const std::string& name) {
  const auto in = [&](const std::string& text) {
    return text.find(name + "::") != std::string::npos;
  };
  return std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [&](const KernelParameter& p) { return in(p.type); }) ||
         std::any_of(kernel.templates.begin(), kernel.templates.end(),
                     [&](const TemplateParameter& p) { return in(p.value); });
}

std::string guessed_argument(const TemplateParameter& parameter, const KernelDeclaration& kernel,
                             const SourceText& source) {
  if (is_type_parameter(parameter)) {
    if (uses_members(kernel, parameter.name)) {
      if (std::string type = struct_with_members(source, kernel.name); !type.empty()) return type;
    }
    return "float";
  }
  if (parameter.kind == "bool") return "false";
  return guessed_number(parameter.name);
}

/// The argument at a launch: a type, or a number that the scope evaluates. Empty if unknown.
std::string argument_at(const std::string& text, const TemplateParameter& parameter,
                        const HostScope& scope) {
  if (is_type_parameter(parameter)) {
    const bool known = parameter_type(text).kind != ParameterType::Kind::other ||
                       text.find("::") != std::string::npos;
    return known && text != "scalar_t" && text != "T" ? text : "float";
  }
  if (parameter.kind == "bool") return text == "true" || text == "false" ? text : "";
  const HostValue value = scope.value(text);
  return value && value->is_number() ? to_text(*value) : "";
}

/// Completes the arguments with guesses; trailing ones that have defaults are left out.
Instance completed(const std::vector<std::string>& given, const KernelDeclaration& kernel,
                   const SourceText& source, const HostScope& scope, bool& guessed) {
  Instance instance;
  for (std::size_t i = 0; i < kernel.templates.size(); ++i) {
    const TemplateParameter& parameter = kernel.templates[i];
    std::string argument = i < given.size() ? argument_at(given[i], parameter, scope) : "";
    if (argument.empty() && i >= given.size() && !parameter.value.empty()) break;
    if (argument.empty()) {
      argument = guessed_argument(parameter, kernel, source);
      guessed = true;
    }
    instance.arguments.push_back(std::move(argument));
  }
  return instance;
}

void add_instance(std::vector<Instance>& instances, Instance instance) {
  const auto same = std::find_if(instances.begin(), instances.end(), [&](const Instance& other) {
    return other.arguments == instance.arguments;
  });
  if (same == instances.end()) return instances.push_back(std::move(instance));
  if (same->launch == nullptr) same->launch = instance.launch;
}

void define_constants(const SourceText& source, HostScope& scope) {
  for (const FileTokens& header : source.headers) scope.define(header.tokens);
}

}  // namespace

std::vector<Instance> instances_of(const KernelDeclaration& kernel, const SourceText& source,
                                   const std::vector<KernelLaunch>& launches) {
  std::vector<Instance> instances;
  for (const KernelLaunch& launch : launches) {
    if (launch.kernel != kernel.name) continue;
    bool guessed = false;
    Instance instance =
        completed(launch.templates, kernel, source, scope_at(source, launch), guessed);
    instance.launch = &launch;
    instance.note = fmt::format(
        "{} line {}", guessed ? "guessed; launched in" : "from the launch in", launch.line);
    add_instance(instances, std::move(instance));
  }
  const HostScope scope = scope_in(source, kernel, {});
  for (const auto& [name, arguments] : explicit_instances(source)) {
    if (name != kernel.name) continue;
    bool guessed = false;
    Instance instance = completed(arguments, kernel, source, scope, guessed);
    instance.note = "from the explicit instantiation";
    add_instance(instances, std::move(instance));
  }
  if (instances.empty()) {
    bool guessed = false;
    Instance instance = completed({}, kernel, source, scope, guessed);
    if (guessed) instance.note = "guessed: no launch shows the template arguments";
    instances.push_back(std::move(instance));
  }
  return instances;
}

std::string instance_name(const KernelDeclaration& kernel, const Instance& instance) {
  if (kernel.templates.empty()) return kernel.qualified;
  return fmt::format("{}<{}>", kernel.qualified, fmt::join(instance.arguments, ", "));
}

std::string variant_name(const KernelDeclaration& kernel, const Instance& instance) {
  std::string name = kernel.name;
  bool number_before = false;
  for (const std::string& argument : instance.arguments) {
    const bool number = argument.find_first_not_of("0123456789") == std::string::npos;
    if (!number || number_before) name += '_';
    for (const char c : argument) {
      if (is_letter(c) || is_digit(c)) name += c;
    }
    number_before = number;
  }
  return name;
}

HostScope scope_at(const SourceText& source, const KernelLaunch& launch) {
  HostScope scope(source);
  define_constants(source, scope);
  const Tokens tokens = source.main.tokens;
  scope.define(tokens.first(launch.function_begin));
  scope.define(tokens.subspan(launch.function_begin, launch.place - launch.function_begin));
  return scope;
}

HostScope scope_in(const SourceText& source, const KernelDeclaration& kernel,
                   const Instance& instance) {
  HostScope scope(source);
  define_constants(source, scope);
  const Tokens tokens = source.main.tokens;
  const bool has_body = !kernel.body.empty();
  const std::size_t begin =
      has_body ? static_cast<std::size_t>(kernel.body.data() - tokens.data()) : 0;
  scope.define(tokens.first(begin));
  scope.define(kernel.body);
  for (std::size_t i = 0; i < kernel.templates.size(); ++i) {
    const std::string& text =
        i < instance.arguments.size() ? instance.arguments[i] : kernel.templates[i].value;
    scope.define(kernel.templates[i].name, contract::cpp_tokens(text));
  }
  return scope;
}

}  // namespace warpcheck::workflows::init
