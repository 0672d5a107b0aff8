"""The times of built-in kernels on a GPU, from recorded results of `warpcheck bench`."""

import re

from common import pages

PAGES = ["docs/ladder.md"]
RECORDED_BY = "warpcheck bench TARGET --size M,N,K --json bench/recorded/FILE, on a GPU"
TIME = "less than 1 s"
NEEDS = "bench/recorded/FILE; the marker names FILE"
CHECKED = True
HEAD = """\
| rung | variant | m x n x k | median | TOP/s | cuBLAS | share | of peak |
|---|---|---|---:|---:|---:|---:|---:|
"""


def row(event, rung):
    size = " x ".join(re.search(rf"\b{name}=(\d+)", event["case"])[1] for name in "mnk")
    cublas = event.get("cublas_seconds")
    return (rung, f"`{event['variant']}`", size, f"{event['seconds']['median'] * 1e6:,.0f} us", f"{event['rate'] * 1e-12:.1f}",
            f"{event['operations'] / cublas['median'] * 1e-12:.1f}" if cublas else "-",
            f"{100 * event['share_of_cublas']:.1f} %" if cublas else "-",
            f"{100 * event['rate'] / event['peak']:.1f} %" if "peak" in event else "-")


def table(run, place):
    rung = {variant: f"{level.name[0]}.{number}" for level in (pages.ROOT / "kernels/gemm").iterdir()
            for number, variant in pages.rungs(level)}
    events = pages.json_lines(run.input(pages.ROOT / "bench/recorded" / place.argument), "bench")
    return pages.table(HEAD, (row(event, rung[event["variant"]]) for event in events))
