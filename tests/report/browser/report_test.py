#!/usr/bin/env python3
"""Tests the HTML report in Chromium: with a keyboard, on a phone, in both colour schemes.

report_test.py WARPCHECK SOURCES SCRATCH; exits with 77 if there is no Chromium.
"""

import pathlib
import shutil
import subprocess
import sys
import unittest

import checks
import chromium

HOSTILE = "</script><img src=x onerror=document.title='executed'>"

# A wrong kernel whose source and output contain markup.
PRINTS = """/* warpcheck
[[variant]]
name      = "prints"
kernel    = "prints"
operation = "gemm"
types     = { a = "f32", b = "f32", c = "f32", accumulate = "f32" }
arguments = ["c", "m", "n"]
block     = [16, 16]
grid      = ["ceil_div(n, 16)", "ceil_div(m, 16)"]
requires  = ["m <= 40", "n <= 40", "k > 0"]
*/
extern "C" int printf(const char*, ...);
__global__ void prints(float* c, int m, int n) {
  const int row = blockIdx.y * 16 + threadIdx.y;
  const int column = blockIdx.x * 16 + threadIdx.x;
  if (row == 0 && column == 0) printf("HOSTILE\\n");  // HOSTILE
  if (row < m && column < n) c[row * n + column] = 7.0f;
}
""".replace("HOSTILE", HOSTILE)

SPECIMENS = ["d01_float4_unaligned_rows", "d04_no_barrier_after_product", "d13_last_buffer_hard_coded",
             "d20_last_warp_of_columns", "d28_return_before_barrier", "d41_rounds_towards_zero"]


def specimen(name):
    file, = (SOURCES / "kernels/specimens").glob(f"*/{name}.cu")
    return file


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tool, scratch = TOOL, SCRATCH
        (scratch / "prints.cu").write_text(PRINTS)
        cls.file = scratch / "report.html"
        history = scratch / "history.db"
        history.unlink(missing_ok=True)
        for cases in ("2", "30"):  # two campaigns in the history
            done = subprocess.run(
                [tool, "check", *(specimen(name) for name in SPECIMENS),
                 SOURCES / "kernels/gemm/1_one_thread_per_element/01_naive.cu", scratch / "prints.cu", "--device", "virtual", "--cases", cases,
                 "--history", history, "--html", cls.file], cwd=scratch, capture_output=True, text=True)
            assert done.returncode == 1, done.stdout + done.stderr
        cls.browser = chromium.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def open(self, width=1280, height=900, scheme="light", details=True):
        self.browser.resize(width, height, mobile=width < 600)
        self.browser.prefer(scheme)
        self.browser.open(self.file)
        if details:
            self.browser.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; }), true")

    def test_logs_no_error_and_sends_no_request(self):
        self.open()
        self.assertEqual(self.browser.errors(), [])
        self.assertEqual(self.browser.requests(), [])

    def test_shows_content_in_both_schemes_and_on_a_phone(self):
        for name, width, scheme in (("light", 1280, "light"), ("dark", 1280, "dark"), ("phone", 375, "light")):
            self.open(width, 800, scheme)
            picture = chromium.pixels(self.browser.screenshot(SCRATCH / f"{name}.png"))
            self.assertFalse(checks.blank(picture), name)
            self.assertEqual(picture[2][-1][2][0] > 128, scheme == "light", f"{name} is {scheme}")

    def test_every_text_has_enough_contrast(self):
        for scheme in ("light", "dark"):
            self.open(scheme=scheme)
            self.assertEqual(checks.low_contrast(self.browser), [], scheme)

    def test_every_control_region_and_picture_has_a_name(self):
        self.open()
        self.assertEqual(checks.nameless(self.browser), [])

    def test_the_tab_key_reaches_every_control_visibly(self):
        self.open()
        self.assertEqual(checks.unreached(self.browser), [])

    def test_fits_a_phone_without_scrolling_sideways(self):
        for width in (375, 390):
            self.open(width, 800)
            self.assertEqual(checks.overflow(self.browser), [])
            self.assertEqual(checks.scrolls_sideways(self.browser), [])

    def test_each_finding_starts_with_defect_and_place(self):
        self.open()
        titles = self.browser.evaluate("[...document.querySelectorAll('article h3')].map((h) => h.textContent)")
        for start in ("Line 15 of d01_float4_unaligned_rows.cu reads 16 bytes of A",
                      "Lines 19 and 22 of d04_no_barrier_after_product.cu race on tile_a",
                      "d20_last_warp_of_columns leaves elements unwritten in columns",
                      "Some threads exit before a barrier at which others wait, at line 20 of"):
            self.assertTrue(any(title.startswith(start) for title in titles), f"{start} in {titles}")

    def test_output_of_a_kernel_is_text(self):
        self.open()
        self.assertEqual(self.browser.evaluate("document.images.length"), 0)
        self.assertEqual(self.browser.evaluate("document.scripts.length"), 1)
        self.assertIn(HOSTILE, self.browser.evaluate("document.querySelector('pre').textContent"))
        self.assertIn(HOSTILE, self.browser.evaluate(
            "[...document.querySelectorAll('.source')].map((s) => s.textContent).join()"))
        self.assertNotEqual(self.browser.evaluate("document.title"), "executed")

    def test_the_keyboard_changes_the_theme(self):
        self.open(scheme="light")
        ground = "getComputedStyle(document.body).backgroundColor"
        light = self.browser.evaluate(ground)
        self.browser.evaluate("document.getElementById('theme').focus(), true")
        for _ in range(2):  # the system's, light, dark
            self.browser.press("Enter")
        self.assertNotEqual(self.browser.evaluate(ground), light)
        self.browser.press("Enter")
        self.assertEqual(self.browser.evaluate(ground), light)

    def test_a_theme_chosen_by_user_or_system_looks_the_same(self):
        colours = ("[...document.querySelectorAll('body, h1, a, .source .hit td, .access.read .note td, svg path, svg rect')]"
                   ".map((e) => getComputedStyle(e)).map((s) => [s.color, s.backgroundColor, s.fill, s.stroke].join())")
        seen = {}
        for scheme in ("light", "dark"):
            self.open(scheme=scheme)
            seen[scheme] = self.browser.evaluate(colours)
        self.assertNotEqual(seen["light"], seen["dark"])
        for system, chosen in (("light", "dark"), ("dark", "light"), ("light", "light"), ("dark", "dark")):
            self.open(scheme=system)
            self.browser.evaluate(f"document.documentElement.dataset.theme = '{chosen}', true")
            self.assertEqual(self.browser.evaluate(colours), seen[chosen], f"{chosen} with the system in {system}")

    def test_the_filter_shows_kernels_with_its_words(self):
        self.open()
        self.browser.evaluate("(() => { const f = document.getElementById('filter'); f.value = 'race virtual';"
                              " f.dispatchEvent(new Event('input')); return true; })()")
        shown = self.browser.evaluate("[...document.querySelectorAll('.variants tbody tr')]"
                                      ".filter((r) => r.checkVisibility()).map((r) => r.cells[0].textContent)")
        self.assertEqual(shown, ["d04_no_barrier_after_product"])

    def test_both_panes_of_a_race_show_their_line_in_the_middle(self):
        self.open()
        middles = self.browser.evaluate(
            "[...document.querySelectorAll('.access .source')].map((s) => [...s.querySelectorAll('tr:not(.note)')])"
            ".map((rows) => [rows.findIndex((r) => r.matches('.hit')), rows.length])")
        self.assertNotEqual(middles, [])
        for line, lines in middles:
            self.assertEqual(line, lines // 2, middles)

    def test_a_link_to_a_kernel_opens_its_details(self):
        self.open(details=False)
        self.assertTrue(self.browser.evaluate(
            "(async () => { document.querySelector('.variants a').click(); await new Promise((r) => setTimeout(r, 100));"
            " return document.getElementById('variant-1').open; })()"))

    def test_campaigns_of_the_history_are_listed(self):
        self.open()
        self.assertEqual(self.browser.evaluate("document.querySelectorAll('#variant-1 .trend tbody tr').length"), 2)

    def test_without_scripts_everything_is_readable(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open(details=False)
            self.assertEqual(self.browser.evaluate("document.querySelectorAll('article h3').length > 5"), True)
            self.assertEqual(self.browser.evaluate(
                "[...document.querySelectorAll('button, input')].filter((b) => b.checkVisibility()).length"), 0)
        finally:
            self.browser.call("Emulation.setScriptExecutionDisabled", value=False)


POLICY = """targets = ["D20", "D04"]
cases = 20
[[known_failure]]
variant = "d20_last_warp_of_columns"
class = "wrong-result"
reason = "issue 12"
until = 2999-12-31
"""


class OtherPages(unittest.TestCase):
    """Pages of other commands: a search, a replay, a gate with a known failure."""

    @classmethod
    def setUpClass(cls):
        cls.browser = chromium.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def page_of(self, name, *words):
        file = SCRATCH / f"{name}.html"
        done = subprocess.run([TOOL, *words, "--html", file], cwd=SCRATCH, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        return file

    def expect_sound(self, file, headline):
        for width, scheme in ((1280, "light"), (1280, "dark"), (375, "light")):
            self.browser.resize(width, 900, mobile=width < 600)
            self.browser.prefer(scheme)
            self.browser.open(file)
            self.browser.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; }), true")
            self.assertEqual(self.browser.errors() + self.browser.requests(), [])
            self.assertEqual(checks.low_contrast(self.browser), [], f"{width} {scheme}")
            self.assertEqual(checks.nameless(self.browser), [])
            self.assertEqual(checks.overflow(self.browser), [])
        self.assertEqual(checks.unreached(self.browser), [])
        self.assertIn(headline, self.browser.evaluate("document.querySelector('article h3').textContent"))

    def test_page_of_a_search_is_sound(self):
        shutil.rmtree(SCRATCH / "corpus", ignore_errors=True)
        self.expect_sound(self.page_of("fuzz", "fuzz", specimen("d20_last_warp_of_columns"), "--device", "virtual",
                                       "--cases", "60", "--corpus", "corpus"), "d20_last_warp_of_columns leaves elements")

    def test_page_of_a_replay_is_sound(self):
        self.expect_sound(self.page_of("replay", "replay", "d20_last_warp_of_columns m=3 n=33 k=2", "--device", "virtual",
                                       "--in", specimen("d20_last_warp_of_columns")),
                          "d20_last_warp_of_columns leaves elements")

    def test_page_of_a_gate_marks_known_failures(self):
        policy = POLICY
        for name in ("d20_last_warp_of_columns", "d04_no_barrier_after_product"):
            policy = policy.replace(name[:3].upper(), str(specimen(name)))
        (SCRATCH / "warpcheck.toml").write_text(policy)
        self.expect_sound(self.page_of("gate", "gate", "warpcheck.toml"), "d20_last_warp_of_columns leaves elements")
        colours = self.browser.evaluate(
            "[...document.querySelectorAll('.kicker .class')].map((e) => [e.textContent,"
            " getComputedStyle(e).backgroundColor])")
        self.assertEqual([text for text, _ in colours[:2]], ["known: wrong-result", "race"])
        self.assertNotEqual(colours[0][1], colours[1][1])


class ManyFindings(unittest.TestCase):
    """A page with more than 20 findings groups and filters them."""

    @classmethod
    def setUpClass(cls):
        cls.file = SCRATCH / "many.html"
        folders = (SOURCES / "kernels/specimens" / name for name in ("boundary", "addressing"))
        done = subprocess.run([TOOL, "check", *folders, "--device", "virtual", "--cases", "12", "--html", cls.file],
                              cwd=SCRATCH, capture_output=True, text=True)
        assert done.returncode == 1, done.stdout + done.stderr
        cls.browser = chromium.Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def open(self, width=1280, scheme="light"):
        self.browser.resize(width, 900, mobile=width < 600)
        self.browser.prefer(scheme)
        self.browser.open(self.file)

    def visible(self, selector):
        return self.browser.evaluate(f"[...document.querySelectorAll('{selector}')]"
                                     ".filter((e) => e.checkVisibility()).map((e) => e.dataset.class || e.id)")

    def choose(self, control, value):
        self.browser.evaluate(f"(() => {{ const c = document.getElementById('{control}'); c.value = '{value}';"
                              " c.dispatchEvent(new Event('input')); return true; })()")

    def test_is_sound(self):
        for width, scheme in ((1280, "light"), (1280, "dark"), (390, "light")):
            self.open(width, scheme)
            self.assertEqual(self.browser.errors() + self.browser.requests(), [])
            self.assertEqual(checks.low_contrast(self.browser), [], f"{width} {scheme}")
            self.assertEqual(checks.nameless(self.browser), [])
            self.assertEqual(checks.overflow(self.browser) + checks.scrolls_sideways(self.browser), [])

    def test_filters_findings_by_class_verdict_and_text(self):
        self.open()
        everything = self.visible("[data-finding]")
        self.assertGreater(len(everything), 20)
        self.assertGreater(len(self.visible(".group h2")), 1)
        self.choose("filter-class", "wrong-result")
        some = self.visible("[data-finding]")
        self.assertEqual(set(some), {"wrong-result"})
        self.assertLess(len(some), len(everything))
        self.assertEqual(len(self.visible("article.finding")), len(some))
        self.assertTrue(all("wrong-result" in classes for classes in self.visible(".variants tbody tr")))
        self.assertIn(f"{len(some)} of {len(everything)} findings",
                      self.browser.evaluate("document.getElementById('filter-count').textContent"))
        self.choose("filter-verdict", "finding")
        self.assertEqual(self.visible("[data-finding]"), some)
        self.choose("filter", "no such words")
        self.assertEqual(self.visible("[data-finding]") + self.visible(".group h2"), [])
        self.choose("filter-class", "")
        self.choose("filter", "d07_no_edge_test")
        self.assertEqual(len(self.visible(".group h2")), 1)

    def test_without_scripts_every_finding_is_visible(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.open()
            self.assertEqual(self.browser.evaluate("[...document.querySelectorAll('article.finding')]"
                                                   ".every((a) => a.checkVisibility())"), True)
            self.assertEqual(self.visible("button, input, select"), [])
        finally:
            self.browser.call("Emulation.setScriptExecutionDisabled", value=False)


FAULTY = """<!DOCTYPE html><html lang=en><head><meta charset=utf-8><meta name=viewport content="width=device-width">
<title>t</title></head><body><p style="color:#999;background:#fff">pale</p><button></button>
<button tabindex=-1>unreached</button><a href="#" style="outline:none">no outline</a><div style="width:900px">wide</div>
<img alt="" src="no-such-file.png"><script>undefined_function();</script></body></html>"""


class Checks(unittest.TestCase):
    """Each check detects its fault."""

    def test_every_fault_of_a_page_is_detected(self):
        (SCRATCH / "faulty.html").write_text(FAULTY)
        with chromium.Browser() as browser:
            browser.resize(375, 800, mobile=True)
            browser.prefer("light")
            browser.open(SCRATCH / "faulty.html")
            self.assertNotEqual(browser.errors(), [])
            self.assertEqual(len(browser.requests()), 1)
            self.assertEqual(len(checks.low_contrast(browser)), 1)
            self.assertEqual(checks.nameless(browser), ["button"])
            self.assertNotEqual(checks.overflow(browser), [])
            unreached = checks.unreached(browser)
            self.assertTrue(any("no outline" in name for name in unreached), unreached)
            self.assertTrue(any("unreached" in name for name in unreached), unreached)

    def test_a_picture_of_one_colour_is_blank(self):
        white = (255, 255, 255)
        self.assertTrue(checks.blank((64, 64, [[white] * 64] * 64)))
        self.assertFalse(checks.blank((64, 64, [[(x, y, 0) for x in range(64)] for y in range(64)])))


if __name__ == "__main__":
    if not chromium.program():
        print("skipped: there is no chromium on this machine")
        sys.exit(77)
    TOOL, SOURCES, SCRATCH = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    SCRATCH.mkdir(parents=True, exist_ok=True)
    unittest.main(argv=[sys.argv[0], *sys.argv[4:]], verbosity=2)
