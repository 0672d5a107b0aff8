"use strict";
// Comfort only: without it the page says the same.

const say = (text) => {
  document.getElementById("status").textContent = text;
};

// The theme: the system's, unless another is chosen, which is remembered where that is allowed.
(() => {
  const button = document.getElementById("theme");
  const themes = ["system", "light", "dark"];
  const remember = (theme) => {
    try {
      localStorage.setItem("warpcheck-theme", theme);
    } catch {
      // A browser may keep nothing of files.
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

// Copying a line: where the browser refuses its clipboard, the line is selected for the keyboard.
for (const button of document.querySelectorAll("[data-copy]")) {
  const line = button.previousElementSibling;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(line.textContent);
      button.textContent = "Copied";
      say("Copied");
      setTimeout(() => {
        button.textContent = "Copy";
      }, 1500);
    } catch {
      getSelection().selectAllChildren(line);
      say("Selected: copy with the keyboard");
    }
  });
}

// The filter of the table.
(() => {
  const filter = document.getElementById("filter");
  const rows = [...document.querySelectorAll(".variants tbody tr")];
  if (rows.length < 2) return;
  filter.parentElement.hidden = false;
  filter.addEventListener("input", () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    say(`${shown} of ${rows.length} kernels are shown`);
  });
})();

// A link to a kernel opens it.
const open = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (target instanceof HTMLDetailsElement) {
    target.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", open);
open();
