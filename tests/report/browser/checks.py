"""Checks of a page. Each evaluates an expression or drives the browser, and returns what is wrong."""

import collections

# Contrast of every visible text with its background: WCAG 2.2, 1.4.3, with its relative luminance.
LOW_CONTRAST = """
(() => {
  const channels = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const luminance = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const [r, g, b, a = 1] = channels(getComputedStyle(at).backgroundColor);
      if (a === 1) return [r, g, b];
    }
    return [255, 255, 255];
  };
  const wrong = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    if (!text || ["SCRIPT", "STYLE", "TITLE", "title"].includes(element.tagName)) continue;
    if (!element.checkVisibility() || element.getBoundingClientRect().width <= 1) continue;
    const style = getComputedStyle(element);
    const colour = channels(element instanceof SVGElement ? style.fill : style.color);
    const [light, dark] = [luminance(colour), luminance(behind(element))].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const ratio = (light + 0.05) / (dark + 0.05);
    if (ratio < (large ? 3 : 4.5)) wrong.push(`${ratio.toFixed(2)}: ${text.slice(0, 40)}`);
  }
  return wrong;
})()
"""

# Elements that the Tab key should reach, in document order, each with a number that identifies it.
TABBABLE = """
(() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
    .filter((element) => element.checkVisibility() && !element.disabled);
  all.forEach((element, i) => { element.dataset.tabbable = i; });
  return all.map((element) => element.outerHTML.slice(0, 80));
})()
"""

FOCUSED = """
(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  const style = getComputedStyle(element);
  return [element.dataset.tabbable ?? "-1", style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2];
})()
"""

OVERFLOW = """
(() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  return [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > width + 1)
    .slice(0, 5).map((e) => e.outerHTML.slice(0, 80)).concat(`${document.documentElement.scrollWidth} > ${width}`);
})()
"""

CONTROLS = {"button", "link", "searchbox", "textbox", "checkbox", "combobox", "DisclosureTriangle", "region", "image",
            "navigation", "article"}


SIDEWAYS = """
[...document.body.querySelectorAll("*")].filter((e) => e.checkVisibility() && e.scrollWidth > e.clientWidth + 1 &&
  ["auto", "scroll"].includes(getComputedStyle(e).overflowX) && !e.matches("pre, code, .source"))
  .map((e) => e.outerHTML.slice(0, 80))
"""


def scrolls_sideways(browser):
    """Boxes, except those of code, that are wider inside than outside."""
    return browser.evaluate(SIDEWAYS)


def low_contrast(browser):
    return browser.evaluate(LOW_CONTRAST)


def overflow(browser):
    return browser.evaluate(OVERFLOW)


def nameless(browser):
    """Controls, regions and pictures without a name for screen readers."""
    wrong = []
    for node in browser.call("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if node.get("ignored") or role not in CONTROLS:
            continue
        if not node.get("name", {}).get("value", "").strip():
            wrong.append(role)
    return wrong


def unreached(browser):
    """Elements that the Tab key does not reach from the top of the page, or without a visible outline."""
    names = dict(enumerate(browser.evaluate(TABBABLE)))
    browser.evaluate("document.activeElement.blur(), scrollTo(0, 0), getSelection().removeAllRanges(), true")
    wrong = []
    for _ in range(len(names) + 5):
        browser.press("Tab")
        focused = browser.evaluate(FOCUSED)
        if focused is None:
            break
        number, is_seen = focused
        name = names.pop(int(number), None)
        if name and not is_seen:
            wrong.append("no outline: " + name)
    return wrong + list(names.values())


def blank(picture):
    """True if a picture (width, height, rows) has almost one colour only."""
    width, height, rows = picture
    colours = collections.Counter(pixel for row in rows[::4] for pixel in row[::4])
    commonest = colours.most_common(1)[0][1]
    return len(colours) < 16 or commonest > 0.995 * sum(colours.values())
