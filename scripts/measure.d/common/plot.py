"""Plots in SVG with logarithmic axes, over numbers of threads."""

import math

STYLE = """<style>
  text { font: 13px sans-serif; fill: #1f2328 }
  .grid { stroke: #d0d7de } .axis { stroke: #57606a } .ideal { stroke: #57606a; stroke-dasharray: 4 4 }
  .line { stroke: #0b62d6; stroke-width: 2; fill: none } .mark { fill: #0b62d6 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 } .grid { stroke: #30363d } .axis { stroke: #9198a1 } .ideal { stroke: #9198a1 }
    .line { stroke: #58a6ff } .mark { fill: #58a6ff }
  }
</style>
"""
WIDTH, HEIGHT = 300, 240  # size of the plotted area of a panel
LEFT, TOP, GAP = 66, 40, 100


def ticks(low, high):
    """1, 2 and 5 times powers of ten that span the values."""
    steps = [one * 10**zeros for zeros in range(-2, 8) for one in (1, 2, 5)]
    first = max(step for step in steps if step <= low)
    last = min(step for step in steps if step >= high and step > first)
    return [step for step in steps if first <= step <= last]


class Panel:
    """One plot with logarithmic axes."""

    def __init__(self, left, title, threads, values):
        self.left, self.title, self.threads, self.values = left, title, threads, values
        self.ideal = [values[0] / threads[0] * one for one in threads]
        self.ticks = ticks(min(values), max(*values, *self.ideal))

    def x(self, threads):
        span = math.log(self.threads[-1] / self.threads[0]) or 1.0
        return self.left + WIDTH * math.log(threads / self.threads[0]) / span

    def y(self, value):
        return TOP + HEIGHT * (1 - math.log(value / self.ticks[0]) / math.log(self.ticks[-1] / self.ticks[0]))

    def line(self, values, kind):
        points = " ".join(f"{self.x(one):.1f},{self.y(value):.1f}" for one, value in zip(self.threads, values))
        return f'<polyline class="{kind}" points="{points}" fill="none"/>\n'

    def draw(self):
        bottom = TOP + HEIGHT
        text = f'<text x="{self.left}" y="{TOP - 16}" font-weight="bold">{self.title}</text>\n'
        for tick in self.ticks:
            y = self.y(tick)
            text += (f'<line class="grid" x1="{self.left}" y1="{y:.1f}" x2="{self.left + WIDTH}" y2="{y:.1f}"/>'
                     f'<text x="{self.left - 8}" y="{y + 4:.1f}" text-anchor="end">{tick:,g}</text>\n')
        for one in self.threads:
            text += (f'<line class="axis" x1="{self.x(one):.1f}" y1="{bottom}" x2="{self.x(one):.1f}" y2="{bottom + 5}"/>'
                     f'<text x="{self.x(one):.1f}" y="{bottom + 20}" text-anchor="middle">{one}</text>\n')
        text += (f'<line class="axis" x1="{self.left}" y1="{bottom}" x2="{self.left + WIDTH}" y2="{bottom}"/>\n'
                 f'<text x="{self.left + WIDTH / 2}" y="{bottom + 40}" text-anchor="middle">threads</text>\n')
        text += self.line(self.ideal, "ideal") + self.line(self.values, "line")
        for one, value in zip(self.threads, self.values):
            text += f'<circle class="mark" cx="{self.x(one):.1f}" cy="{self.y(value):.1f}" r="4"/>\n'
        return text


def drawing(threads, titles, caption):
    """The SVG of one panel for each title and its values."""
    panels = [Panel(LEFT + i * (WIDTH + GAP), title, threads, values) for i, (title, values) in enumerate(titles.items())]
    width, height = LEFT + len(panels) * WIDTH + (len(panels) - 1) * GAP + 24, TOP + HEIGHT + 74
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">\n'
            + STYLE + "".join(panel.draw() for panel in panels)
            + f'<line class="ideal" x1="{LEFT}" y1="{height - 14}" x2="{LEFT + 30}" y2="{height - 14}"/>'
            f'<text x="{LEFT + 38}" y="{height - 10}">{caption}</text>\n</svg>\n')
