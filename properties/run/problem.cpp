#include "properties/run/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "base/hash.hpp"
#include "properties/case/domain.hpp"
#include "properties/case/errors.hpp"
#include "properties/generate/data.hpp"
#include "properties/run/element.hpp"
#include "reference/format.hpp"

namespace warpcheck::properties::run {
namespace {

using contract::ArgumentWord;

/// The lines' values with poison between them.
std::vector<std::byte> filled(const Placement& place, const reference::Matrix& values,
                              std::byte padding) {
  const device::Extent extent = place.extent();
  std::vector<std::byte> bytes(place.far ? extent.packed_bytes() : extent.bytes(), padding);
  for (std::int64_t row = 0; row < place.all_rows(); ++row) {
    for (std::int64_t column = 0; column < place.columns; ++column) {
      encode(values(row, column), place.type, bytes.data() + place.index_of(row, column));
    }
  }
  return bytes;
}

/// Lines of one repeated byte with another between them.
std::vector<std::byte> filled(const Placement& place, std::byte value, std::byte padding) {
  const device::Extent extent = place.extent();
  if (place.far) return std::vector<std::byte>(extent.packed_bytes(), value);
  std::vector<std::byte> bytes(extent.bytes(), padding);
  if (bytes.empty()) return bytes;
  for (std::size_t line = 0; line < extent.slices * extent.rows; ++line) {
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(extent.row_begin(line)),
                extent.row_bytes, value);
  }
  return bytes;
}

device::Buffer buffer(const Placement& place, std::vector<std::byte> bytes, device::Access access,
                      bool initialized) {
  const std::size_t element = size_of(place.type);
  device::Buffer result;
  result.name = place.name;
  result.extent = place.extent();
  result.element_bytes = element;
  result.shift_bytes = static_cast<std::size_t>(place.offset) % 256 * element % 256;
  result.access = access;
  result.initialized = initialized;
  result.packed = place.far;
  result.bytes = std::move(bytes);
  return result;
}

device::Scalar scalar(ScalarType type, double value) {
  device::Scalar result;
  result.size = size_of(type);
  encode(value, type, result.bytes.data());
  return result;
}

/// The format in which alpha and beta are handed over in so many bytes.
ScalarType scalar_format(const contract::Contract& contract, std::size_t bytes) {
  if (contract.accumulate == ScalarType::s32 && bytes == 4) return ScalarType::s32;
  if (bytes == 8) return ScalarType::f64;
  if (bytes != 2) return ScalarType::f32;
  return contract.type_a == ScalarType::bf16 ? ScalarType::bf16 : ScalarType::f16;
}

/// Makes the arguments of one launch.
class ArgumentMaker {
 public:
  ArgumentMaker(const Problem& problem) : problem_(problem) {}

  std::vector<device::Argument> all(const contract::LaunchStep& step,
                                    const contract::Entry& entry) const {
    std::vector<device::Argument> arguments;
    for (std::size_t i = 0; i < step.arguments.size(); ++i) {
      arguments.push_back(make(step.arguments[i], entry.parameters.at(i).bytes));
    }
    return arguments;
  }

 private:
  device::Argument make(const contract::Argument& argument, std::size_t bytes) const {
    switch (argument.word) {
      case ArgumentWord::a:
        return named("A");
      case ArgumentWord::b:
        return named("B");
      case ArgumentWord::c:
        return named("C");
      case ArgumentWord::d:
        return named("D");
      case ArgumentWord::bias:
        return named("bias");
      case ArgumentWord::workspace:
        return named(argument.text);
      case ArgumentWord::alpha:
        return scalar(scalar_format(problem_.variant->contract, bytes), problem_.alpha);
      case ArgumentWord::beta:
        return scalar(scalar_format(problem_.variant->contract, bytes), problem_.beta);
      case ArgumentWord::literal:
        return literal(argument, bytes);
      case ArgumentWord::ta:
        return transpose(problem_.line.ta, bytes);
      case ArgumentWord::tb:
        return transpose(problem_.line.tb, bytes);
      default:
        return size(argument, bytes);
    }
  }

  device::Argument named(std::string_view name) const {
    const auto& buffers = problem_.job.buffers;
    const auto found = std::find_if(buffers.begin(), buffers.end(),
                                    [&](const auto& entry) { return entry.name == name; });
    return device::BufferAddress{static_cast<std::size_t>(found - buffers.begin()), 0};
  }

  /// As the BLAS spells it where there is room for a character alone.
  device::Scalar transpose(bool transposed, std::size_t bytes) const {
    if (bytes == 1) return integer(transposed ? 'T' : 'N', bytes, "the transposition", "");
    return integer(transposed ? 1 : 0, bytes, "the transposition", "");
  }

  device::Scalar size(const contract::Argument& argument, std::size_t bytes) const {
    const std::string_view word = contract::name(argument.word);
    const contract::Bindings names = bindings(problem_.variant->contract, problem_.line);
    return integer(names.value(word).value_or(0), bytes, word,
                   word == "ldd"        ? "ldc"
                   : word == "stride_d" ? "stride_c"
                                        : word);
  }

  device::Scalar literal(const contract::Argument& argument, std::size_t bytes) const {
    const char* end = argument.text.data() + argument.text.size();
    std::int64_t whole = 0;
    const auto [stop, error] = std::from_chars(argument.text.data(), end, whole);
    if (error == std::errc{} && stop == end) return integer(whole, bytes, "the literal", "");
    double value = 0.0;
    std::from_chars(argument.text.data(), end, value);
    return scalar(bytes == 8 ? ScalarType::f64 : ScalarType::f32, value);
  }

  device::Scalar integer(std::int64_t value, std::size_t bytes, std::string_view what,
                         std::string_view field) const {
    device::Scalar result;
    result.size = bytes == 0 ? 4 : bytes;
    const int bits = static_cast<int>(result.size) * 8;
    // Signed or not is not to be seen in PTX: the bits must hold the value in one of the two ways.
    if (bits < 64 &&
        (value >= std::int64_t{1} << bits || value < -(std::int64_t{1} << (bits - 1)))) {
      throw case_error(problem_.line, field,
                       fmt::format("{}={} does not fit the kernel's {}-byte parameter", what, value,
                                   result.size));
    }
    std::memcpy(result.bytes.data(), &value, result.size);
    return result;
  }

  const Problem& problem_;
};

std::int64_t evaluated(const Problem& problem, const contract::Expression& expression,
                       std::string_view what) {
  const contract::Contract& contract = problem.variant->contract;
  const auto value = expression.evaluate(bindings(contract, problem.line));
  if (value) return *value;
  throw InputError(Diagnostic{contract.where,
                              fmt::format("{} '{}' has no value for the case {}", what,
                                          expression.text(), to_line(problem.line)),
                              {}});
}

/// Values that no launch can have are kept as bad as they are, for the device to refuse.
unsigned extent(std::int64_t value) {
  return static_cast<unsigned>(
      std::clamp<std::int64_t>(value, 0, std::numeric_limits<unsigned>::max()));
}

device::Launch launch(const Problem& problem, const contract::LaunchStep& step,
                      const contract::Entry& entry) {
  const auto dim3 = [&](const std::array<contract::Expression, 3>& axes, std::string_view what) {
    const auto axis = [&](std::size_t i) { return extent(evaluated(problem, axes[i], what)); };
    return Dim3{axis(0), axis(1), axis(2)};
  };
  device::Launch result;
  result.entry = entry.name;
  result.grid = dim3(step.grid, "the grid expression");
  result.block = dim3(step.block, "the block expression");
  const std::int64_t shared = evaluated(problem, step.shared, "the shared memory expression");
  result.shared_bytes = static_cast<std::size_t>(std::max<std::int64_t>(shared, 0));
  result.arguments = ArgumentMaker(problem).all(step, entry);
  return result;
}

/// alpha or beta as the kernel receives it: rounded to the accumulator's type, so that a kernel
/// that computes with it there has nothing left to round, and to that of its parameter.
double received(const Problem& problem, ArgumentWord word, double value, std::string_view field) {
  if (!std::isfinite(value)) {
    throw case_error(problem.line, field,
                     fmt::format("{} is {}: expected a finite number", field, value));
  }
  const contract::Variant& variant = *problem.variant;
  for (std::size_t i = 0; i < variant.entries.size(); ++i) {
    const auto& arguments = variant.contract.launches[i].arguments;
    const auto found = std::find_if(arguments.begin(), arguments.end(),
                                    [&](const auto& entry) { return entry.word == word; });
    if (found == arguments.end()) continue;
    const auto index = static_cast<std::size_t>(found - arguments.begin());
    const ScalarType format =
        scalar_format(variant.contract, variant.entries[i].parameters.at(index).bytes);
    const double rounded = reference::round_to(variant.contract.accumulate, value);
    return decode(format, scalar(format, rounded).bytes.data());
  }
  return value;
}

/// As the contract describes it; throws where it takes more than a matrix may.
device::Buffer workspace(const Problem& problem, const contract::Workspace& described) {
  const contract::Contract& contract = problem.variant->contract;
  const auto element = static_cast<std::int64_t>(size_of(contract.accumulate));
  const std::int64_t bytes =
      described.bytes
          ? evaluated(problem, *described.bytes, "the workspace expression")
          : contract.split_k * problem.line.batch * problem.line.m * problem.line.n * element;
  if (bytes < 0 || static_cast<std::size_t>(bytes) > kBufferLimitBytes) {
    throw case_error(problem.line, "m",
                     fmt::format("the {} takes {} bytes: the limit is {}", described.name, bytes,
                                 kBufferLimitBytes));
  }
  device::Buffer buffer;
  buffer.name = described.name;
  buffer.extent = {1, static_cast<std::size_t>(bytes), static_cast<std::size_t>(bytes)};
  buffer.element_bytes = static_cast<std::size_t>(element);
  buffer.initialized = described.zeroed;
  buffer.bytes.assign(buffer.extent.bytes(),
                      described.zeroed ? std::byte{0} : problem.poison.output);
  return buffer;
}

void add_buffers(Problem& problem) {
  using device::Access;
  const contract::Contract& contract = problem.variant->contract;
  const Layouts& layouts = problem.layouts;
  const Poison& poison = problem.poison;
  std::vector<device::Buffer>& buffers = problem.job.buffers;
  const auto values = [&](const Placement& place, const reference::Matrix& matrix, Access access) {
    return buffer(place, filled(place, matrix, poison.padding), access, true);
  };
  buffers.push_back(values(layouts.a, problem.operands.a, Access::read_only));
  buffers.push_back(values(layouts.b, problem.operands.b, Access::read_only));
  const auto unread = [&](const Placement& place, Access access) {
    return buffer(place, filled(place, poison.output, poison.padding), access,
                  !poison.output_reads_are_findings);
  };
  if (!layouts.d || contract.takes(ArgumentWord::c)) {
    const Access access = layouts.d ? Access::read_only : Access::read_write;
    buffers.push_back(problem.reads_c() ? values(layouts.c, problem.operands.c, access)
                                        : unread(layouts.c, access));
  }
  if (layouts.d) buffers.push_back(unread(*layouts.d, Access::read_write));
  problem.output = buffers.size() - 1;
  if (layouts.bias) {
    buffers.push_back(values(*layouts.bias, problem.operands.bias, Access::read_only));
  }
  for (const contract::Workspace& described : contract.workspaces) {
    buffers.push_back(workspace(problem, described));
  }
}

}  // namespace

generate::DataTypes data_types(const contract::Contract& contract) {
  return {contract.type_a, contract.type_b, contract.type_c, contract.accumulate,
          contract.tensor_cores};
}

Operands operands(const contract::Contract& contract, const Case& problem) {
  Operands all{{0, problem.k}, {0, problem.n}, {0, problem.n}, {}};
  const auto append = [](reference::Matrix& to, const reference::Matrix& more) {
    to.rows += more.rows;
    to.values.insert(to.values.end(), more.values.begin(), more.values.end());
  };
  for (std::int64_t number = 0; number < problem.batch; ++number) {
    const generate::Data data(product_of(problem, number), data_types(contract));
    append(all.a, data.matrix(generate::Operand::a));
    append(all.b, data.matrix(generate::Operand::b));
    append(all.c, data.matrix(generate::Operand::c));
  }
  if (contract.takes(ArgumentWord::bias)) {
    all.bias = generate::Data(problem, data_types(contract)).bias();
  }
  return all;
}

Case product_of(const Case& problem, std::int64_t number) {
  Case product = problem;
  product.seed += fibonacci_hash(static_cast<std::uint64_t>(number));
  return product;
}

Poison usual_poison(const Case& problem) {
  Poison poison;
  if (problem.seed % 2 != 0) poison.output = kLargePoison;
  return poison;
}

Problem make_problem(const contract::Variant& variant, const Case& line, Operands values,
                     const Poison& poison, std::size_t limit_bytes) {
  Problem problem;
  problem.variant = &variant;
  problem.line = normalized(variant.contract, line);
  problem.layouts = lay_out(variant.contract, problem.line, limit_bytes);
  problem.operands = std::move(values);
  problem.poison = poison;
  problem.alpha = received(problem, ArgumentWord::alpha, problem.line.alpha, "alpha");
  problem.beta = received(problem, ArgumentWord::beta, problem.line.beta, "beta");
  add_buffers(problem);
  problem.job.schedule_seed = problem.line.seed;
  if (line.m == 0 || line.n == 0) return problem;
  for (std::size_t i = 0; i < variant.entries.size(); ++i) {
    problem.job.launches.push_back(
        launch(problem, variant.contract.launches[i], variant.entries[i]));
  }
  return problem;
}

reference::Matrix rows_of(const reference::Matrix& matrix, std::int64_t first, std::int64_t count) {
  reference::Matrix rows(0, matrix.columns);
  rows.rows = count;
  const auto begin = matrix.values.begin() + static_cast<std::ptrdiff_t>(first * matrix.columns);
  rows.values.assign(begin, begin + static_cast<std::ptrdiff_t>(count * matrix.columns));
  return rows;
}

reference::Gemm reference_problem(const Problem& problem, std::int64_t number) {
  const std::int64_t m = problem.line.m;
  const std::int64_t k = problem.line.k;
  const contract::Contract& contract = problem.variant->contract;
  reference::Gemm gemm;
  gemm.a = rows_of(problem.operands.a, number * m, m);
  gemm.b = rows_of(problem.operands.b, number * k, k);
  if (problem.reads_c()) gemm.c = rows_of(problem.operands.c, number * m, m);
  gemm.bias = problem.operands.bias;
  gemm.alpha = problem.alpha;
  gemm.beta = problem.beta;
  gemm.type_a = contract.type_a;
  gemm.type_b = contract.type_b;
  gemm.type_c = contract.type_c;
  gemm.accumulate = contract.accumulate;
  gemm.tensor_cores = contract.tensor_cores;
  gemm.split_k = contract.split_k;
  gemm.mean_zero = generate::mean_zero(problem.line.data);
  return gemm;
}

}  // namespace warpcheck::properties::run
