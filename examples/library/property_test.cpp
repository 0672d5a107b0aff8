// Properties with RapidCheck over the cases of a contract: of host code, of a correct kernel, and
// of one with a defect, whose smallest case the test expects.
#include <cstdint>
#include <cstdio>
#include <string>
#include <warpcheck/rapidcheck.hpp>

namespace {

/// The bytes that the host code of scale allocates for one tensor, a multiple of 256.
std::int64_t allocated_bytes(std::int64_t count) { return (count * 4 + 255) / 256 * 256; }

}  // namespace

int main() {
  warpcheck::Contract right(KERNELS "/scale.cu");
  warpcheck::Contract wrong(KERNELS "/scale_no_guard.cu");

  const bool allocation_is_large_enough = rc::check("the allocation holds all elements", [&] {
    const warpcheck::Case problem = *warpcheck::cases_of(right, "scale");
    const auto count = static_cast<std::int64_t>(problem.value("count").value());
    RC_ASSERT(allocated_bytes(count) >= 4 * count);
  });
  const bool right_passes = rc::check("scale passes twice", [&] {
    const warpcheck::Case problem = *warpcheck::cases_of(right, "scale");
    const warpcheck::Result first = right.run_case(problem.line);
    RC_PRE(!first.mistrusted());
    RC_ASSERT(first.passed());
    RC_ASSERT(right.run_case(problem.line).passed());
  });

  warpcheck::Case smallest;
  const bool wrong_passes = rc::check("scale without a guard passes", [&] {
    const warpcheck::Case problem = *warpcheck::cases_of(wrong, "scale_no_guard");
    const warpcheck::Result result = wrong.run_case(problem.line);
    RC_PRE(!result.mistrusted());
    if (result.passed()) return;
    smallest = problem;
    RC_FAIL("it does not pass");
  });
  std::printf("smallest case: %s\n", smallest.line.c_str());

  const bool found = !wrong_passes && smallest.value("count") == 1.0;
  return allocation_is_large_enough && right_passes && found ? 0 : 1;
}
