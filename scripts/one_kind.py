"""The sources that may treat one kind of operation differently: tables of scripts/check-source."""

# Rooms that treat every operation alike: they use the interfaces that model_of() of campaign/case returns. The rooms
# below them hold the operations: contract/, reference/ and operation/ may test the kind.
ANY_OPERATION = ("campaign", "properties", "device", "report", "workflows", "cli", "library")
# Files and folders of these rooms that may test the kind of an operation or name one, each with its reason. An entry that
# nothing needs is a violation.
OF_ONE_KIND = {
    "campaign/matrices": "the product of matrices",
    "campaign/case/case.cpp": "reads and prints the case lines of both kinds",
    "campaign/generate/data/data.hpp": "elements of matrices for reference::Gemm",
    "campaign/judge": "the judgement of a reference::Gemm",
    "campaign/run/operands.hpp": "the matrices of a reference::Gemm",
    "campaign/run/problem": "makes a reference::Gemm of a problem",
    "workflows/bench/spot_check.cpp": "checks the product of matrices that `bench` times",
    "workflows/diff/product_diff.cpp": "the product of matrices",
    "workflows/reproducer/expected_outputs.cpp": "evaluates a reference::Gemm",
    "workflows/init": "writes contracts of the product of matrices",
}
# The same for the fields and the operands of the product of matrices, which have their defaults in a case of tensors.
OF_MATRICES = {
    "cli/commands/bench": "times the product of matrices",
    "cli/commands/diff.cpp": "--size of the product of matrices",
    "cli/commands/profile.cpp": "--size of the product of matrices",
    "campaign/case/case.cpp": "reads and prints the case lines of both kinds",
    "campaign/generate/data": "elements of matrices",
    "campaign/judge": "the judgement of a reference::Gemm",
    "campaign/matrices": "the product of matrices",
    "campaign/zero_factors.cpp": "the product of matrices",
    "campaign/run/launches.cpp": "arguments with the names of both kinds",
    "campaign/run/operands.cpp": "the matrices of a reference::Gemm",
    "campaign/run/problem": "makes a reference::Gemm of a problem",
    "campaign/run/tensor_maps.cpp": "tensor maps of matrices",
    "properties": "laws of products of matrices",
    "workflows/bench": "times the product of matrices",
    "workflows/diff/product_diff.cpp": "the product of matrices",
    "workflows/init": "writes contracts of the product of matrices",
}
