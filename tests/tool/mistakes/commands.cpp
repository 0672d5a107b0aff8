#include "tests/tool/harness/tool.hpp"
#include "tests/tool/mistakes/mistake.hpp"

namespace warpcheck::tool {
namespace {

Mistake command(const std::string& name, std::vector<std::string> words, const std::string& error,
                int status = 2) {
  return {name, correct_kernel("x"), std::move(words), error, status};
}

/// `check` of a built-in variant, which needs no nvcc.
Mistake option(const std::string& name, std::vector<std::string> words, const std::string& error) {
  words.insert(words.begin(), {"check", "sgemm_naive", "--cases", "1"});
  return {name, "", std::move(words), error};
}

/// A policy that is wrong in its second line.
Mistake policy(const std::string& name, const std::string& line, const std::string& error) {
  return {name, "", {"gate"}, error, 2, {{"warpcheck.toml", "targets = [\"x.cu\"]\n" + line}}};
}

}  // namespace

std::vector<Mistake> mistakes_in_commands() {
  return {
      command("MisspeltCommand", {"chek", "x.cu"}, "unknown command 'chek': did you mean 'check'?"),
      command("OtherSuffix", {"check", "stdout"},
              "stdout: error: expected a .cu file, a .ptx file or a folder"),
      command("AbsentFile", {"check", "y.cu"}, "y.cu: error: no such file or folder"),
      command("MistypedFile", {"check", "xx.cu"},
              "xx.cu: error: no such file or folder: did you mean 'x.cu'?"),
      command("MistypedSuffix", {"check", "x.cuu"},
              "x.cuu: error: no such file or folder: did you mean 'x.cu'?"),
      command("FileWithoutSuffix", {"check", "x"},
              "unknown built-in variant, file or folder 'x': did you mean 'x.cu'?"),
      command("AbsentVariant", {"mutate", "sgemm_niave"}, "did you mean 'sgemm_naive'?"),
      option("ReportIsAFolder", {"--junit", "/"}, "/: error: cannot be written: Is a directory"),
      option("ReportInAnAbsentFolder", {"--html", "no/where/x.html"},
             "no/where/x.html: error: cannot be written: No such file or directory"),
      option("TwoReportsInOneFile", {"--sarif", "r", "--junit", "r"},
             "r: error: found as the file of two reports, expected a file for each"),
      option("UnknownProperty", {"--property", "wrng"},
             "--property: unknown property 'wrng': expected one of matches-reference, "),
      option("MisspeltProperty", {"--property", "match-reference"},
             "--property: unknown property 'match-reference': did you mean 'matches-reference'?"),
      option("MisspeltDevice", {"--device", "cud"},
             "--device: expected auto|virtual|cuda, found 'cud': did you mean 'cuda'?"),
      option("UnknownDevice", {"--device", "gpu"},
             "--device: expected auto|virtual|cuda, found 'gpu'\n"),
      option("WordAsNumber", {"--seed", "many"},
             "--seed: expected a number from 0 to 2^64 - 1, found many"),
      option("NumberMissing", {"--seed"}, "--seed: the value is missing"),
      option("TimeWithoutUnit", {"--time", "soon"},
             "--time: expected a time such as 30s or 2m, found soon"),
      option("ShardBeyondTheLast", {"--shard", "5/4"},
             "--shard: expected a shard such as 3/16, from 1/N to N/N"),
      option("UnknownLimit", {"--limit", "block=4"},
             "--limit: expected instructions, blocks, memory, printed, elements or work"),
      option("HistoryIsAFolder", {"--history", "."},
             ".: error: found a folder, expected a file for the history"),
      command("HistoryIsAText", {"check", "sgemm_naive", "--history", "x.cu"},
              "x.cu: error: found a file that is no SQLite database, expected a history"),
      option("ResumeWithoutHistory", {"--resume"}, "--resume requires --history"),
      command("NoCase", {"replay", "--in", "x.cu"}, "case is required"),
      command("UnknownField", {"replay", "--in", "x.cu", "x mm=3"},
              "case:1:3: error: unknown field 'mm': expected one of m, n, k,"),
      command("OneSide", {"diff", "x.cu"}, "expected OLD and NEW, or one file with one --rev"),
      command("OtherSize", {"profile", "sgemm_naive", "--size", "axb"},
              "--size: expected a size such as 256 or 256x128x64, found axb"),
      command("NoGoodRevision", {"bisect", "x m=3"},
              "--good is missing: expected a revision that passes"),
      command("InitOfAContract", {"init", "x.cu", "--write"},
              "x.cu: error: the file already has a contract: add --force to replace it"),
      command("WriteToABuiltIn", {"explore", "sgemm_naive", "--write"},
              "--write: sgemm_naive is built in: give the path of its .cu"),
      {"InitWithoutKernel", "int f();\n", {"init", "x.cu"}, "x.cu: error: no __global__ function"},
      policy("PolicyOfAnotherVersion", "version = 99\n",
             "warpcheck.toml:2:1: error: unknown key 'version': expected one of targets,"),
      policy("PropertyInAPolicy", "properties = [\"wrng\"]\n",
             "warpcheck.toml:2:15: error: unknown property 'wrng': expected one of"),
      policy("MinimumBeyondAll", "minimum = { lines = 120 }\n",
             "warpcheck.toml:2:21: error: found 120, expected a percentage from 0 to 100"),
      policy("UnknownReport", "reports = { xml = \"a\" }\n",
             "warpcheck.toml:2:13: error: unknown key 'xml': expected one of gitlab, html,"),
      {"NoTargets",
       "",
       {"gate"},
       "warpcheck.toml:1:11: error: empty, expected a target or more",
       2,
       {{"warpcheck.toml", "targets = []\n"}}},
      {"DayInWords",
       "",
       {"gate", "--today", "yesterday"},
       "--today: expected a day such as 2026-12-31, found 'yesterday'",
       2,
       {{"warpcheck.toml", "targets = [\"x.cu\"]\n"}}},
  };
}

}  // namespace warpcheck::tool
