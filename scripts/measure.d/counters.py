"""The hardware's counters of access patterns and variants on a GPU, next to `warpcheck profile`.

A cell has one number if both agree, and otherwise GPU / virtual device.
"""

import collections
import csv
import pathlib
import re

from common import pages

PAGES = ["docs/profile.md"]
RECORDED_BY = "scripts/gpu-tests counters OUT, on a GPU with Nsight Compute"
TIME = "minutes"
NEEDS = "nvcc, OUT/counters.csv, OUT/counters-more.csv"
CHECKED = False
MEMORY = {
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": "global load requests",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": "sectors",
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum": "global store requests",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum": "sectors",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum": "shared load wavefronts",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum": "conflicts",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum": "shared store wavefronts",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum": "conflicts",
}
INSTRUCTIONS = {
    "smsp__inst_executed.sum": "executed",
    "smsp__thread_inst_executed.sum": "of threads",
    "smsp__inst_executed_op_branch.sum": "branches",
    "smsp__sass_thread_inst_executed_op_fadd_pred_on.sum": "FADD of threads",
    "smsp__sass_thread_inst_executed_op_fmul_pred_on.sum": "FMUL of threads",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum": "FFMA of threads",
}


def arguments(parser):
    parser.add_argument("out", type=pathlib.Path, metavar="OUT", help="the output of scripts/gpu-tests counters")


def gpu_counters(run):
    """The sums over the launches of each case of the GPU."""
    found = collections.defaultdict(collections.Counter)
    texts = [run.input(run.options.out / "counters.csv")]
    if (more := run.options.out / "counters-more.csv").exists():
        texts.append(more.read_text())
    for text in texts:
        for launch in csv.DictReader(text.splitlines()):
            case = launch.pop("case")
            for metric, value in launch.items():
                found[case][metric] += int(value)
    return found


def virtual_counters(run, case):
    name = case.split(" ")[0]
    is_pattern = f'"{name}"' in (pages.ROOT / "tests/gpu/patterns.toml").read_text()
    target = "tests/gpu/patterns.cu" if is_pattern else name
    events = run.events("profile", "profile", target, "--case", case, accepted=range(256))
    return events[-1]["metrics"] if events else {}


def cell(gpu, virtual):
    if gpu == virtual:
        return "" if gpu is None else gpu
    return " / ".join("–" if value is None else str(value) for value in (gpu, virtual))


def table(run, _):
    gpu = gpu_counters(run)
    virtual = {case: virtual_counters(run, case) for case in gpu}
    patterns = [case for case in gpu if "m=64 n=64 k=64" in case]
    kernels = [case for case in gpu if case not in patterns]

    def section(title, cases, end_of_name, metrics):
        head = "| case | " + " | ".join(metrics.values()) + " |\n|---" + "|---:" * len(metrics) + "|\n"
        return f"### {title}\n\n" + pages.table(head, ((re.sub(end_of_name, "", case), *(
            cell(gpu[case].get(metric), virtual[case].get(metric)) for metric in metrics)) for case in cases))

    def agreement():
        for metric in MEMORY | INSTRUCTIONS:
            both = [case for case in gpu if metric in gpu[case] and metric in virtual[case]]
            if both:
                yield f"`{metric}`", len(both), sum(gpu[case][metric] == virtual[case][metric] for case in both)

    return "\n".join((section("Access patterns", patterns, " m=.*", MEMORY), section("Kernels", kernels, " alpha=.*", MEMORY),
                      section("Instructions", kernels, " alpha=.*", INSTRUCTIONS),
                      "### Agreement\n\n" + pages.table("| metric | cases | equal |\n|---|---:|---:|\n", agreement())))
