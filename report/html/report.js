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

// Filters the table of kernels.
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
    announce(`${shown} of ${rows.length} kernels are shown`);
  });
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
