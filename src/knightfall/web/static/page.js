// What forms and links cannot do: the clipboard, a slider that says its value, dropped files. Every page works
// without it.
"use strict";

async function copyText(area, rich) {
  if (rich && window.ClipboardItem) {
    const kinds = { "text/html": area.value, "text/plain": area.value };
    const blobs = {};
    for (const [kind, text] of Object.entries(kinds)) blobs[kind] = new Blob([text], { type: kind });
    await navigator.clipboard.write([new ClipboardItem(blobs)]);
    return;
  }
  try {
    await navigator.clipboard.writeText(area.value);
  } catch {
    area.select();
    document.execCommand("copy");
  }
}

function ready(root) {
  for (const button of root.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const said = button.textContent;
      await copyText(document.getElementById(button.dataset.copies), button.dataset.rich);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = said), 2000);
    });
  }
  for (const button of root.querySelectorAll("button.scripted")) button.hidden = false;
  // A button that copies before it sends its form.
  for (const button of root.querySelectorAll("button[data-copies-first]")) {
    button.addEventListener("click", async (event) => {
      const area = document.getElementById(button.dataset.copiesFirst);
      if (!area || button.dataset.done) return;
      event.preventDefault();
      await copyText(area, button.dataset.rich);
      button.dataset.done = "1";
      button.form.requestSubmit(button);
    });
  }
  for (const input of root.querySelectorAll("[data-says]")) {
    const output = document.getElementById(input.dataset.says);
    input.addEventListener("input", () => (output.textContent = input.value));
  }
  for (const input of root.querySelectorAll("[data-sends]")) {
    input.addEventListener("change", () => input.form.requestSubmit());
  }
  for (const button of root.querySelectorAll("[data-ticks]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      for (const box of button.form.querySelectorAll(`input[name="${button.dataset.ticks}"]`)) box.checked = true;
    });
  }
  // What needs a tick first is locked until it is there.
  for (const box of root.querySelectorAll("[data-unlocks]")) {
    const button = document.getElementById(box.dataset.unlocks);
    const lock = () => (button.disabled = !box.checked);
    box.addEventListener("change", lock);
    lock();
  }
  // Nothing is sent twice by a second click.
  for (const form of root.querySelectorAll('form[method="post"]')) {
    form.addEventListener("submit", (event) => {
      if (form.dataset.sent) event.preventDefault();
      form.dataset.sent = "1";
    });
  }
  for (const place of root.querySelectorAll("form.drop")) {
    const input = place.querySelector('input[type="file"]');
    place.addEventListener("dragover", (event) => event.preventDefault());
    place.addEventListener("drop", (event) => {
      event.preventDefault();
      input.files = event.dataTransfer.files;
    });
  }
}

// A votecount that is looked at shows what was read since. It asks once a second for one number, and only while
// it is on the screen: a connection that stays open would be one of the six that a browser has for us.
setInterval(async () => {
  const live = document.querySelector("[data-version-at]");
  if (!live || document.hidden || live.contains(document.activeElement)) return;
  const answer = await fetch(live.dataset.versionAt).catch(() => null);
  if (!answer || !answer.ok) return;
  if ((await answer.text()) !== live.dataset.version) htmx.trigger(live, "changed");
}, 1000);

document.addEventListener("DOMContentLoaded", () => ready(document));
document.addEventListener("htmx:load", (event) => event.detail.elt !== document.body && ready(event.detail.elt));
// A page that comes back from the browser's memory can be sent again.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
