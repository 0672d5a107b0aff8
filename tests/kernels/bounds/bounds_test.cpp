// The bounds of every built-in operation: a thousand kernels with sums in random orders, in five
// pairs of types, never exceed them, and the worst comes within a factor of 100.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "campaign/generate/data/tensor_data.hpp"
#include "campaign/generate/measured_case.hpp"
#include "contract/kernel_source.hpp"
#include "reference/gemm.hpp"
#include "tests/kernels/bounds/arithmetics.hpp"
#include "tests/kernels/bounds/tree_kernel.hpp"
#include "tests/reference/evaluate/problems.hpp"

namespace warpcheck::reference {
namespace {

using contract::Contract;
using Outputs = std::map<std::string, ExpectedTensor, std::less<>>;

constexpr int kData = 20;         // data sets per operation and type
constexpr int kOrders = 50;       // orders per data set
constexpr double kSteps = 256.0;  // twice for each extent
constexpr std::uint64_t kSeed = 1;

/// The variant with tensors and sums of these types; those of integers and of 8 bits remain.
Contract in_types(Contract contract, ScalarType storage, ScalarType accumulate) {
  auto typed = std::make_shared<contract::TypedOperation>(*contract.tensors);
  for (auto& [tensor, of] : typed->types) {
    if (of == ScalarType::f32 || of == ScalarType::f16 || of == ScalarType::bf16) of = storage;
  }
  typed->intermediate_types.clear();
  contract.tensors = std::move(typed);
  contract.accumulate = accumulate;
  contract.tensor_cores = false;
  return contract;
}

/// The errors of kernels in units of the bound.
struct Shares {
  double worst = 0.0;
  std::int64_t elements = 0;
  std::int64_t exact = 0;      // elements without tolerance
  std::int64_t unbounded = 0;  // any value is correct
  std::int64_t rejected = 0;   // elements of kernels that the reference does not accept

  /// Adds the output of a kernel. `exact_values` are those of 200 bits.
  void add(const ExpectedTensor& expected, const std::vector<double>& got,
           const std::vector<Exact>& exact_values) {
    for (std::size_t i = 0; i < got.size(); ++i) {
      const Bounded bound = expected.nearest(i, got[i]);
      ++elements;
      rejected += expected.accepts(i, got[i]) ? 0 : 1;
      exact += bound.error == 0.0 ? 1 : 0;
      unbounded += std::isinf(bound.error) ? 1 : 0;
      if (bound.error == 0.0 || std::isinf(bound.error)) continue;
      const double bound_share = exact_values[i].distance(got[i]) / bound.error;
      worst = bound_share <= worst ? worst : bound_share;  // also NaN
    }
  }

  void print(const std::string& operation, const std::string& types) const {
    std::cout << fmt::format("{:<18} {:<12} {:>8} elements {:>5.1f} % exact {:>5.1f} % unbounded",
                             operation, types, elements, share(exact), share(unbounded));
    if (worst > 0.0)
      std::cout << fmt::format("  worst {:.4f}  bound/worst {:.1f}", worst, 1 / worst);
    std::cout << '\n';
  }

  [[nodiscard]] double share(std::int64_t count) const {
    return 100.0 * static_cast<double>(count) /
           static_cast<double>(std::max<std::int64_t>(elements, 1));
  }
};

/// Adds kernels of a problem to the shares. `sums` is the type of their running sums.
void add_kernels(const TensorProblem& problem, const Outputs& expected, ScalarType sums,
                 std::uint64_t seed, int orders, Shares& shares) {
  ExactArithmetic exact;
  const auto exact_values = TreeKernel(problem, exact).compute();
  for (int order = 0; order < orders; ++order) {
    RoundingArithmetic rounding(problem.accumulate, sums,
                                seed * 1000 + static_cast<std::uint64_t>(order));
    const auto got = TreeKernel(problem, rounding).compute();
    for (const auto& [name, tensor] : expected) {
      shares.add(tensor, got.at(name), exact_values.at(name));
    }
  }
}

TensorProblem problem_of(const Contract& contract, std::uint64_t seed) {
  const auto extents = static_cast<int>(contract.tensors->operation.extents.size());
  const double steps = std::ldexp(kSteps, extents);
  auto problem = campaign::generate::even_case(campaign::generate::limited_solver(contract),
                                               {8.0 * steps, steps});
  problem->seed = seed;
  for (const std::string& scalar : contract.tensors->operation.scalars) {
    problem->set_value(scalar, 0.75);
  }
  return campaign::generate::tensor_problem(
      contract, *problem, campaign::generate::tensor_values(*contract.tensors, *problem));
}

Shares shares_of(const Contract& contract, ScalarType sums, int data, int orders) {
  Shares shares;
  for (int i = 0; i < data; ++i) {
    const std::uint64_t seed = kSeed + static_cast<std::uint64_t>(i);
    const TensorProblem problem = problem_of(contract, seed);
    add_kernels(problem, evaluate(problem), sums, seed, orders, shares);
  }
  return shares;
}

/// One contract of each operation in kernels/operations.
std::vector<Contract> operations() {
  std::set<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(WARPCHECK_SOURCE_DIR "/kernels/operations")) {
    if (entry.path().extension() == ".cu") files.insert(entry.path());
  }
  std::map<std::string, Contract> found;
  for (const std::filesystem::path& file : files) {
    for (const Contract& contract : contract::read_kernel_source(file).contracts) {
      found.emplace(contract.operation, contract);
    }
  }
  std::vector<Contract> all;
  for (auto& [name, contract] : found) all.push_back(std::move(contract));
  return all;
}

struct Types {
  ScalarType storage;
  ScalarType accumulate;

  [[nodiscard]] std::string text() const {
    return fmt::format("{}_in_{}", name(storage), name(accumulate));
  }
};

void expect_tight(const std::string& operation, const Types& types, const Shares& shares) {
  SCOPED_TRACE(fmt::format("{}, seed {}", operation, kSeed));
  shares.print(operation, types.text());
  EXPECT_EQ(shares.rejected, 0);
  EXPECT_LE(shares.worst, 1.0);
  EXPECT_LT(shares.unbounded, shares.elements / 2);
  const bool has_bounds = shares.exact + shares.unbounded < shares.elements;
  EXPECT_TRUE(!has_bounds || shares.worst >= 0.01);
}

class BoundsOfOperations : public testing::TestWithParam<Types> {};

TEST_P(BoundsOfOperations, ThousandKernelsAreWithinAndNear) {
  const Types& types = GetParam();
  for (const Contract& contract : operations()) {
    const Contract typed = in_types(contract, types.storage, types.accumulate);
    expect_tight(contract.operation, types, shares_of(typed, types.accumulate, kData, kOrders));
  }
}

TEST_P(BoundsOfOperations, ThousandProductsAreWithinAndNear) {
  const auto& [storage, accumulate] = GetParam();
  const operation::Operation operation = gemm_operation();
  Shares shares;
  for (std::uint64_t seed = kSeed; seed < kSeed + kData; ++seed) {
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    Gemm gemm{.a = Matrix(3, 64), .b = Matrix(64, 5), .c = Matrix(3, 5), .alpha = 0.75, .beta = -3};
    gemm.type_a = gemm.type_b = gemm.type_c = storage;
    gemm.accumulate = accumulate;
    for (Matrix* matrix : {&gemm.a, &gemm.b, &gemm.c}) {
      for (double& value : matrix->values) value = round_to(storage, normal(random));
    }
    TensorProblem problem = tensor_problem(operation, gemm);
    problem.types = {{"d", storage}};
    problem.accumulate = accumulate;
    const Expected expected = reference::gemm(gemm);
    ExpectedTensor tensor;
    const Values& values = expected.value.values;
    const Values& tolerances = expected.tolerance.values;
    tensor.value = {{3, 5}, {values.begin(), values.end()}};
    tensor.tolerance.assign(tolerances.begin(), tolerances.end());
    add_kernels(problem, {{"d", tensor}}, accumulate, seed, kOrders, shares);
  }
  expect_tight("gemm", GetParam(), shares);
}

INSTANTIATE_TEST_SUITE_P(Bounds, BoundsOfOperations,
                         testing::Values(Types{ScalarType::f32, ScalarType::f32},
                                         Types{ScalarType::f16, ScalarType::f16},
                                         Types{ScalarType::bf16, ScalarType::bf16},
                                         Types{ScalarType::f16, ScalarType::f32},
                                         Types{ScalarType::bf16, ScalarType::f32}),
                         [](const auto& types) { return types.param.text(); });

TEST(Bounds, SumsInANarrowerTypeExceedThem) {
  for (const Contract& contract : operations()) {
    if (contract.tensors->operation.definition.find("sum(") == std::string::npos) continue;
    const Contract typed = in_types(contract, ScalarType::f32, ScalarType::f32);
    const Shares shares = shares_of(typed, ScalarType::f16, 2, 10);
    EXPECT_GT(shares.rejected, 0) << contract.operation;
    EXPECT_GT(shares.worst, 10.0) << contract.operation;
  }
}

}  // namespace
}  // namespace warpcheck::reference
