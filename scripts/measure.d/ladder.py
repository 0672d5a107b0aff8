"""The counters of each variant of the ladder on the virtual device, from `warpcheck profile`."""

from common import pages

PAGES = ["kernels/gemm/*/README.md"]
RECORDED_BY = "nothing: measured each time"
TIME = "3 s"
NEEDS = "the build with its built-in kernels"
CHECKED = True
HEAD = """\
| rung | variant | warp instructions | global load sectors | per request | global store sectors | shared load wavefronts | bank conflicts |
|---|---|---:|---:|---:|---:|---:|---:|
"""
metrics = {}


def row(rung, variant, counted):
    loads = counted["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"]
    requests = counted["l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"]
    conflicts = sum(counted[f"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_{way}.sum"] for way in ("ld", "st"))
    return (rung, f"`{variant}`", f"{counted['smsp__inst_executed.sum']:,}", f"{loads:,}",
            f"{loads / requests:.1f}" if requests else "-",
            f"{counted['l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum']:,}",
            f"{counted['l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum']:,}", f"{conflicts:,}")


def table(run, place):
    if not metrics:
        metrics.update((event["variant"], event["metrics"]) for event in run.events("profile", "profile", "*"))
    return pages.table(HEAD, (row(rung, variant, metrics[variant]) for rung, variant in pages.rungs(place.page.parent)))
