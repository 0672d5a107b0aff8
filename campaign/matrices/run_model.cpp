#include "campaign/run/run_model.hpp"

#include "campaign/run/buffer_adder.hpp"
#include "campaign/run/launches.hpp"
#include "campaign/run/problem.hpp"

namespace warpcheck::campaign::run {
namespace {

using contract::ArgumentWord;
using contract::Contract;

class MatrixRunModel final : public RunModel {
 public:
  Operands operands(const Contract& contract, const Case& problem) const override {
    return matrix_operands(contract, problem);
  }

  void add_operands(Problem& problem, BufferAdder& adder) const override {
    using device::Access;
    const contract::Contract& contract = problem.variant->contract;
    const Layouts& layouts = problem.layouts;
    const Operands& values = problem.operands;
    adder.add_values(Operand::a, layouts.a, values.a, Access::read_only);
    adder.add_values(Operand::b, layouts.b, values.b, Access::read_only);
    if (!layouts.d || contract.takes(contract::ArgumentWord::c)) {
      const Access access = layouts.d ? Access::read_only : Access::read_write;
      if (problem.c_has_values()) {
        adder.add_values(Operand::c, layouts.c, values.c, access);
      } else {
        adder.add_poison(Operand::c, layouts.c, access, problem.may_read_c());
      }
    }
    if (layouts.d) adder.add_poison(Operand::d, *layouts.d, Access::read_write);
    problem.output = problem.job.buffers.size() - 1;
    if (layouts.bias) {
      adder.add_values(Operand::bias, *layouts.bias, values.bias, Access::read_only);
    }
  }

  void receive_scalars(Problem& problem) const override {
    problem.alpha = received_factor(problem, ArgumentWord::alpha, problem.line.alpha);
    problem.beta = received_factor(problem, ArgumentWord::beta, problem.line.beta);
  }

  std::int64_t workspace_bytes(const Contract& contract, const Case& problem) const override {
    const auto element = static_cast<std::int64_t>(size_of(contract.accumulate));
    return contract.split_k * problem.batch * problem.m * problem.n * element;
  }

  double most_instructions(const Contract&, const Case& problem) const override {
    constexpr double kLeast = 1 << 22;
    // Multiply-adds of the matrices, if one lane of a warp is active.
    constexpr double kPerMultiplyAdd = 16.0;
    // Multiply-adds of whole tiles, which all lanes compute.
    constexpr double kPerPaddedMultiplyAdd = 2.0;
    constexpr double kTile = 128.0;  // elements by which tiles may exceed m and n
    constexpr double kStep = 32.0;   // the same for k
    const auto extent = [](std::int64_t size, double more) {
      return static_cast<double>(size) + more;
    };
    const double own = extent(problem.m, 0) * extent(problem.n, 0) * extent(problem.k, 0);
    const double padded =
        extent(problem.m, kTile) * extent(problem.n, kTile) * extent(problem.k, kStep);
    const double work = static_cast<double>(problem.batch) *
                        (kPerMultiplyAdd * own + kPerPaddedMultiplyAdd * padded);
    return kLeast + work;
  }

  std::uint64_t compulsory_bytes(const Problem& problem) const override {
    return packed_bytes(problem, 0) + packed_bytes(problem, 1) +
           packed_bytes(problem, problem.output) * (problem.reads_c() ? 2 : 1);
  }

  ScalarType half_format(const Contract& contract) const override {
    return contract.type_a == ScalarType::bf16 ? ScalarType::bf16 : ScalarType::f16;
  }
};

}  // namespace

const RunModel& RunModel::of_matrices() {
  static const MatrixRunModel kModel;
  return kModel;
}

}  // namespace warpcheck::campaign::run
