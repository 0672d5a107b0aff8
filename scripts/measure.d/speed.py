"""The speed of the virtual device, and of Oclgrind and PoCL on the same work, from recorded results of the benchmarks."""

import json
import re
import subprocess
import tempfile

from common import machine, pages

PAGES = ["docs/measured.md"]
RECORDED = pages.ROOT / "bench/recorded/cpu.json"
RECORDED_BY = "scripts/measure speed --record bench/recorded/cpu.json"
TIME = "less than 1 s; --record: minutes"
NEEDS = "bench/recorded/cpu.json; --record: build/bin/warpcheck_bench, which `make bench` builds"
CHECKED = True
HEAD = """\
| what | multiply-adds | times the tiled product of this size |
|---|---:|---:|
"""
ROWS = (
    ("run_square_product/tiled16/256", "tiled 16 x 16, m = n = k = 256, all checks on"),
    ("run_square_product/tiled16_without_races/256", "the same without the race detector"),
    ("run_square_product/naive/256", "naive, all checks on"),
    ("run_square_product/register_4x4_float4/256", "4 x 4 registers with float4, all checks on"),
    ("run_square_product/column_128/256", "128 x 128 tile, all checks on"),
    ("run_square_product/wmma_f32/256", "f16 by wmma, summed in f32, all checks on"),
    ("run_square_product/wmma_f16/256", "f16 by wmma, summed in f16, all checks on"),
    ("run_square_product/tiled16/96", "tiled 16 x 16, m = n = k = 96, all checks on"),
    ("oclgrind/tiled16/96/iterations:1/manual_time", "Oclgrind, the same in OpenCL, `--data-races --uninitialized`"),
    ("pocl/tiled16/96/manual_time", "PoCL, the same in OpenCL, compiled for the CPU without checks"),
    ("pocl/tiled16/256/manual_time", "PoCL, m = n = k = 256"),
)


def processor_and_compiler():
    flags = set(re.search(r"^flags\s*: (.*)$", open("/proc/cpuinfo").read(), re.MULTILINE)[1].split())
    vectors = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "no AVX2"
    compiler = subprocess.run(["c++", "-dumpfullversion"], capture_output=True, text=True, check=True).stdout.strip()
    return f"{vectors} (the handlers use AVX2)", f"g++ {compiler}"


def record(run):
    idle = machine.facts(*processor_and_compiler())
    with tempfile.NamedTemporaryFile("r", suffix=".json") as out:
        done = subprocess.run([run.program.with_name("warpcheck_bench"),
                               "--benchmark_filter=run_square_product|oclgrind|pocl|check/",
                               f"--benchmark_out={out.name}", "--benchmark_out_format=json"], check=False)
        if done.returncode != 0:
            run.missing(f"warpcheck_bench exited with {done.returncode}")
        found = json.load(out)["benchmarks"]
    return idle | {counter: {one["name"]: one[counter] for one in found if counter in one}
                   for counter in ("multiply_adds", "cases")}


def row(rates, name, what):
    ratio = rates[name] / rates["run_square_product/tiled16/96" if "/96" in name else "run_square_product/tiled16/256"]
    digits = 0 if rates[name] > 1e7 and ratio > 0.01 else 3
    return what, f"{rates[name] * 1e-6:,.{digits}f} M", f"{ratio:.2f}" if ratio > 0.01 else f"1 / {1 / ratio:,.0f}"


def table(run, _):
    stored = json.loads(run.input(RECORDED))
    rates, cases = stored["multiply_adds"], stored["cases"].get("check/tiled16")
    text = f"{stored['machine']}, {stored['date']}, load average {stored['load_average']:.1f}; per second of CPU time of one thread:\n\n"
    text += pages.table(HEAD, (row(rates, name, what) for name, what in ROWS if name in rates))
    return text + (f"\n`check` on the tiled 16 x 16 variant: {cases:,.0f} cases per second.\n" if cases else "")
