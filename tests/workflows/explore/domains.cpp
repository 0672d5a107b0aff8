#include "tests/workflows/explore/domains.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "campaign/case/domain.hpp"

namespace warpcheck::workflows::explore::testing {
namespace {

using campaign::Case;
using Engine = std::mt19937_64;
using Move = std::function<void(Case&, std::uint64_t)>;

constexpr std::int64_t kMostSize = 2048;

std::vector<contract::Expression> parsed(const std::vector<std::string>& texts) {
  std::vector<contract::Expression> expressions;
  for (const std::string& text : texts) {
    expressions.push_back(contract::Expression::parse(text, {"test", 1, 1}));
  }
  return expressions;
}

bool all_hold(const contract::Contract& contract,
              const std::vector<contract::Expression>& expressions, const Case& problem) {
  const contract::Bindings names = campaign::bindings(contract, problem);
  return std::all_of(expressions.begin(), expressions.end(), [&](const auto& expression) {
    return expression.evaluate(names).value_or(0) != 0;
  });
}

std::int64_t pick(Engine& random, const std::vector<std::int64_t>& values) {
  return values[random() % values.size()];
}

}  // namespace

struct RandomDomain::Part {
  std::string text;
  Move move;  // changes a case so that the expression holds; takes a random number
};

const contract::Contract& full_contract() {
  static const contract::Contract kContract = contract::parse_contracts(
      R"toml([[variant]]
name      = "full"
kernel    = "full"
operation = "gemm"
arguments = ["a", "lda", "b", "ldb", "c", "ldc", "m", "n", "k", "alpha", "beta"]
block     = [8, 8]
grid      = ["ceil_div(n, 8)", "ceil_div(m, 8)"]
)toml",
      {"full.toml", 1, 1})[0];
  return kContract;
}

bool holds_all(const contract::Contract& contract, const std::vector<std::string>& expressions,
               const Case& problem) {
  return all_hold(contract, parsed(expressions), problem);
}

TrialFunction correct_where(const contract::Contract& contract,
                            std::vector<std::string> expressions, std::string exempt) {
  const auto required = parsed(expressions);
  const auto exceptions =
      parsed(exempt.empty() ? std::vector<std::string>{"0 == 1"} : std::vector{exempt});
  return [&contract, required, exceptions](const Case& problem) {
    if (all_hold(contract, required, problem) || all_hold(contract, exceptions, problem)) {
      return Trial{Outcome::passed, {}};
    }
    return Trial{Outcome::failed, Finding{}};
  };
}

RandomDomain::RandomDomain(std::uint64_t seed) {
  Engine random(seed);
  const auto congruence = [&](const char* name) {
    const std::int64_t modulus = pick(random, {2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48, 64});
    const std::int64_t residue =
        random() % 4 == 0 ? static_cast<std::int64_t>(random()) % modulus : 0;
    const std::int64_t rest = (residue + modulus) % modulus;
    add({fmt::format("{} % {} == {}", name, modulus, rest), [=](Case& problem, std::uint64_t) {
           const std::int64_t value = problem.whole(name);
           problem.set_value(name, value + (rest - value % modulus + modulus) % modulus);
         }});
  };
  const auto limit = [&](const char* name) {
    if (random() % 2 == 0) {
      const std::int64_t least = 1 + static_cast<std::int64_t>(random() % 60);
      add({fmt::format("{} >= {}", name, least), [=](Case& problem, std::uint64_t) {
             problem.set_value(name, std::max(problem.whole(name), least));
           }});
    } else {
      const std::int64_t most = 64 + static_cast<std::int64_t>(random() % 1500);
      add({fmt::format("{} <= {}", name, most), [=](Case& problem, std::uint64_t choice) {
             if (problem.whole(name) <= most) return;
             problem.set_value(name, most - static_cast<std::int64_t>(choice % 8));
           }});
    }
  };
  const auto extent = [&](const char* name) {
    const std::uint64_t kind = random() % 4;
    if (kind < 2) congruence(name);
    if (kind == 2) limit(name);
  };
  // A relation between extents takes the place of a condition on one of them.
  switch (random() % 5) {
    case 0:
      extent("n");
      add({"m == n",
           [](Case& problem, std::uint64_t) { problem.set_value("m", problem.whole("n")); }});
      break;
    case 1:
      add({"m <= n", [](Case& problem, std::uint64_t) {
             const auto [least, most] = std::minmax({problem.whole("m"), problem.whole("n")});
             problem.set_value("m", least);
             problem.set_value("n", most);
           }});
      break;
    default:
      extent("m");
      extent("n");
  }
  extent("k");
  switch (random() % 4) {
    case 0:
      add({"lda % 4 == 0", [](Case& problem, std::uint64_t) {
             const std::int64_t tight = std::max<std::int64_t>(problem.whole("k"), 1);
             problem.set_value("lda", (std::max(problem.whole("lda"), tight) + 3) / 4 * 4);
           }});
      break;
    case 1:
      add({"lda == k", [](Case& problem, std::uint64_t) { problem.set_value("lda", 0); }});
      break;
    case 2:
      add({"ldb == ldc",
           [](Case& problem, std::uint64_t) { problem.set_value("ldc", problem.whole("ldb")); }});
      break;
    default:
      break;
  }
  if (random() % 3 == 0) {
    const std::int64_t bytes = pick(random, {8, 16, 32, 64});
    add({fmt::format("aligned(b, {})", bytes), [=](Case& problem, std::uint64_t choice) {
           problem.set_value("off_b", static_cast<std::int64_t>(choice % 3) * bytes / 4);
         }});
  }
  switch (random() % 6) {
    case 0:
      add({"alpha == 1", [](Case& problem, std::uint64_t) { problem.set_value("alpha", 1.0); }});
      break;
    case 1:
      add({"beta == 0", [](Case& problem, std::uint64_t) { problem.set_value("beta", 0.0); }});
      break;
    case 2:
      add({"beta != 0", [](Case& problem, std::uint64_t) { problem.set_value("beta", 2.0); }});
      break;
    default:
      break;
  }
}

void RandomDomain::add(const Part& part) {
  expressions_.push_back(part.text);
  moves_.push_back(part.move);
}

Case RandomDomain::sample(std::uint64_t seed) const {
  Engine random(seed);
  const auto size = [&] {
    return random() % 2 == 0 ? 2 + static_cast<std::int64_t>(random() % 40)
                             : 2 + static_cast<std::int64_t>(random() % (kMostSize - 1));
  };
  Case problem;
  problem.variant = "full";
  problem.set_value("m", size());
  problem.set_value("n", random() % 3 == 0 ? problem.whole("m") : size());
  problem.set_value("k", random() % 3 == 0 ? problem.whole("n") : size());
  problem.set_value("off_b", static_cast<std::int64_t>(random() % 20));
  problem.set_value("alpha", random() % 2 == 0 ? 1.0 : 2.0);
  problem.set_value("beta", random() % 2 == 0 ? 0.0 : 1.0);
  const bool padded = random() % 2 == 0;
  const std::size_t skipped = random() % (2 * moves_.size() + 1);  // half of the time none
  for (int pass = 0; pass < 3; ++pass) {
    for (std::size_t i = 0; i < moves_.size(); ++i) {
      if (i != skipped) moves_[i](problem, random());
    }
    if (padded && pass == 0) {
      problem.set_value("lda", std::max<std::int64_t>(problem.whole("k"), 1) +
                                   static_cast<std::int64_t>(random() % 9));
      problem.set_value("ldb", problem.whole("n") + static_cast<std::int64_t>(random() % 9));
      problem.set_value("ldc", random() % 2 == 0 ? problem.whole("ldb") : problem.whole("n"));
    }
  }
  if (problem.whole("lda") < problem.whole("k")) problem.set_value("lda", 0);
  if (problem.whole("ldb") < problem.whole("n")) problem.set_value("ldb", 0);
  if (problem.whole("ldc") < problem.whole("n")) problem.set_value("ldc", 0);
  return problem;
}

}  // namespace warpcheck::workflows::explore::testing
