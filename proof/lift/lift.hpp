// Executes a kernel with symbols for the index of the thread, the sizes and the loop counters.
#pragma once

#include <optional>
#include <stdexcept>

#include "proof/domain/domain.hpp"
#include "proof/lift/lifted.hpp"
#include "proof/solve/solver.hpp"
#include "ptx/module.hpp"

namespace warpcheck::proof {

/// An instruction or a loop that the method does not cover.
class NotLifted : public Unsupported {
 public:
  NotLifted(const std::string& reason, std::size_t instruction)
      : Unsupported(reason), instruction_(instruction) {}
  [[nodiscard]] std::size_t instruction() const { return instruction_; }

 private:
  std::size_t instruction_;
};

/// Throws Unsupported, or NotLifted with the instruction.
[[nodiscard]] Lifted lift(const ptx::Module& module, const ptx::Function& kernel,
                          const Domain& domain, Terms& terms, Solver& solver);

}  // namespace warpcheck::proof
