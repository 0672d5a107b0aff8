"""Triton's kernels as PTX, which the virtual device executes in place of machine code."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any

_DRIVER = Path(__file__).absolute().parents[2] / "driver"  # has libcuda.so.1


def replace_machine_code(compiler: ModuleType) -> None:
    """Omits ptxas, whose result only a GPU can execute. The cache of Triton must not confuse the two results."""
    os.environ.setdefault("TRITON_LIBCUDA_PATH", str(_DRIVER))
    backend = compiler.CUDABackend
    original_hash = backend.hash

    def make_cubin(self: Any, src: str | bytes, metadata: Any, opt: Any, capability: int) -> bytes:
        return src if isinstance(src, bytes) else src.encode()

    def hash_of_ptx(self: Any) -> str:
        return f"{original_hash(self)}-ptx"

    backend.make_cubin = make_cubin
    backend.hash = hash_of_ptx


def choose_first_configuration(autotuner: ModuleType) -> None:
    """Replaces measurements, which mean nothing on the virtual device, by the first configuration that fits it."""
    original_bench = autotuner.Autotuner._bench
    original_run = autotuner.Autotuner.run

    def bench(self: Any, *args: Any, config: Any, **meta: Any) -> Any:
        if self.warpcheck_found:
            return [float("inf")] * 3
        times = original_bench(self, *args, config=config, **meta)
        self.warpcheck_found = times[0] != float("inf")
        return times

    def run(self: Any, *args: Any, **kwargs: Any) -> Any:
        self.warpcheck_found = False
        self.__dict__["do_bench"] = _launch_once
        return original_run(self, *args, **kwargs)

    autotuner.Autotuner._bench = bench
    autotuner.Autotuner.run = run


def _launch_once(launch: Any, quantiles: Any = None) -> list[float]:
    launch()
    return [1.0] * 3


def choose_first_configuration_of_inductor(heuristics: ModuleType) -> None:
    """The same for the kernels that torch.compile generates."""

    def benchmark_all_configs(self: Any, *args: Any, **kwargs: Any) -> dict[Any, float]:
        times = dict.fromkeys(self.launchers, float("inf"))
        for launcher in self.launchers:
            times[launcher] = self.bench(launcher, *args, **kwargs)
            if times[launcher] != float("inf"):
                break
        return times

    heuristics.CachingAutotuner.benchmark_all_configs = benchmark_all_configs


def measure_nothing(benchmarking: ModuleType) -> None:
    """Replaces the measurements of torch.compile by one launch."""

    def benchmark(self: Any, fn: Any, fn_args: Any = None, fn_kwargs: Any = None, device: Any = None, **kwargs: Any) -> float:
        fn(*(fn_args or ()), **(fn_kwargs or {}))
        return 1.0

    benchmarking.Benchmarker.benchmark = benchmark
