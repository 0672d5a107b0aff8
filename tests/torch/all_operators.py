"""Compares the operators of PyTorch's own list on CUDA tensors, under `warpcheck exec`, with those of the CPU: results and
gradients of the first samples of each operator. Prints the operators that differ or cannot run.

  warpcheck exec python tests/torch/all_operators.py --dtypes float32,int64 --samples 3 --part 0 --parts 8

Needs the package expecttest, which PyTorch's list imports. Exit status: 0 all are equal; 1 some are not."""

import argparse
import sys
import warnings

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils._pytree import tree_leaves, tree_map

# Their results are random or undefined.
RANDOM = {
    "alpha_dropout", "bernoulli", "cauchy", "dropout", "dropout2d", "dropout3d", "empty", "empty_like", "empty_permuted",
    "empty_strided", "exponential", "feature_alpha_dropout", "fractional_max_pool2d", "fractional_max_pool3d", "geometric",
    "log_normal", "multi_head_attention_forward", "multinomial", "new_empty", "new_empty_strided", "normal", "pca_lowrank",
    "rand_like", "randint", "randint_like", "randn", "randn_like", "rrelu", "svd_lowrank", "uniform",
}


def moved(value, device):
    if not isinstance(value, torch.Tensor) or value.layout != torch.strided:
        return value
    return value.detach().to(device).requires_grad_(value.requires_grad)


def differentiable(value):
    return [one for one in tree_leaves(value)
            if isinstance(one, torch.Tensor) and one.requires_grad and one.is_floating_point()]


def gradients(operands, results):
    """The gradients of the sum of all results."""
    inputs, outputs = differentiable(operands), differentiable(results)
    return torch.autograd.grad([one.sum() for one in outputs], inputs, allow_unused=True) if inputs and outputs else ()


def compare(operator, sample):
    host = (sample.input, list(sample.args), dict(sample.kwargs))
    device = tree_map(lambda one: moved(one, "cuda"), host)
    if "device" in device[2]:
        device[2]["device"] = "cuda"
    results = [operator(first, *others, **keywords) for first, others, keywords in (host, device)]
    if operator.name.split(".")[-1] in RANDOM:
        return
    for expected, found in (results, [gradients(*one) for one in zip((host, device), results)]):
        found = tree_map(lambda one: moved(one, "cpu"), found)
        torch.testing.assert_close(found, tree_map(lambda one: moved(one, "cpu"), expected), equal_nan=True, rtol=1e-3, atol=1e-3)


def samples_of(operator, dtype, count):
    """The samples that the CPU can compute."""
    if dtype not in operator.supported_dtypes("cpu") or dtype not in operator.supported_dtypes("cuda"):
        return
    with_gradients = operator.supports_autograd and dtype.is_floating_point
    for sample in list(operator.sample_inputs("cpu", dtype, requires_grad=with_gradients))[:count]:
        try:
            operator(sample.input, *sample.args, **sample.kwargs)
        except Exception:
            continue
        yield sample


def main():
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser()
    parser.add_argument("--dtypes", default="float32")
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--part", type=int, default=0)
    parser.add_argument("--parts", type=int, default=1)
    options = parser.parse_args()
    equal, failures = 0, {}
    for operator in op_db[options.part::options.parts]:
        for dtype in options.dtypes.split(","):
            for sample in samples_of(operator, getattr(torch, dtype), options.samples):
                try:
                    compare(operator, sample)
                    equal += 1
                except Exception as error:
                    name = operator.name + ("/" + operator.variant_test_name if operator.variant_test_name else "")
                    failures.setdefault((name, dtype), []).append(f"{type(error).__name__}: {error}".splitlines()[0][:160])
    for (name, dtype), messages in failures.items():
        print(f"{name} of {dtype}: {messages[0]}")
    print(f"{equal} samples of {len(op_db[options.part::options.parts])} operators are equal, "
          f"{sum(map(len, failures.values()))} of {len({name for name, _ in failures})} operators are not")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
