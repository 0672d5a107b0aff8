"use strict";
// Convenience only: without scripts the page has the same content.

const announce = (text) => {
  document.getElementById("status").textContent = text;
};

// The theme: the system's, unless the user chooses another, which is stored if the browser allows it.
(() => {
  const button = document.getElementById("theme");
  const themes = ["system", "light", "dark"];
  const remember = (theme) => {
    try {
      localStorage.setItem("warpcheck-theme", theme);
    } catch {
      // Browsers may refuse storage for local files.
    }
  };
  const remembered = () => {
    try {
      return localStorage.getItem("warpcheck-theme");
    } catch {
      return null;
    }
  };
  const show = (theme) => {
    if (theme === "system") {
      delete document.documentElement.dataset.theme;
    } else {
      document.documentElement.dataset.theme = theme;
    }
    button.textContent = `Theme: ${theme}`;
  };
  let theme = themes.includes(remembered()) ? remembered() : "system";
  show(theme);
  button.hidden = false;
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length];
    show(theme);
    remember(theme);
  });
})();

// Copies a line. If the browser refuses access to the clipboard, selects the line instead.
for (const button of document.querySelectorAll("[data-copy]")) {
  const line = button.previousElementSibling;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(line.textContent);
      button.textContent = "Copied";
      announce("Copied");
      setTimeout(() => {
        button.textContent = "Copy";
      }, 1500);
    } catch {
      getSelection().selectAllChildren(line);
      announce("Selected: copy with the keyboard");
    }
  });
}

// Filters the findings and the table of kernels.
(() => {
  const text = document.getElementById("filter");
  const choices = ["class", "verdict"].map((key) => [key, document.getElementById(`filter-${key}`)])
    .filter(([, choice]) => choice);
  const findings = [...document.querySelectorAll("[data-finding]")];
  const rows = [...document.querySelectorAll(".variants tbody tr")];
  const groups = [...document.querySelectorAll(".group")];
  if (rows.length < 2 && choices.length === 0) return;
  const matches = (element) => {
    const content = `${element.textContent} ${element.dataset.text ?? ""}`.toLowerCase();
    const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
    return words.every((word) => content.includes(word)) &&
      choices.every(([key, choice]) => !choice.value || element.dataset[key].split(" ").includes(choice.value));
  };
  const filter = () => {
    for (const row of rows) row.hidden = !matches(row);
    const shown = [`${rows.filter((row) => !row.hidden).length} of ${rows.length} kernels`];
    if (choices.length > 0) {
      for (const item of findings) {
        item.hidden = !matches(item);
        document.getElementById(`finding-${item.dataset.finding}`).hidden = item.hidden;
      }
      for (const group of groups) group.hidden = !group.querySelector("[data-finding]:not([hidden])");
      shown.unshift(`${findings.filter((item) => !item.hidden).length} of ${findings.length} findings`);
    }
    announce(`Shown: ${shown.join(", ")}`);
    const count = document.getElementById("filter-count");
    if (count) count.textContent = shown[0];
  };
  text.parentElement.hidden = false;
  for (const control of [text, ...choices.map(([, choice]) => choice)]) {
    control.addEventListener("input", filter);
  }
})();

// Opens the details of a kernel when a link leads to it.
const open = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", open);
open();
