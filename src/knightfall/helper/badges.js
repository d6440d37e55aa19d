// Badges at the posts of a page: text alone, of the public count. A post is found by its address, which the page has in
// its own links and marks.
"use strict";

globalThis.knightfallBadges ??= (() => {
  const MARK = "data-knightfall-badge";
  const COLOURS = { counts: "#1d6b35", moved: "#5c5c5c", uncounted: "#7a4a00", question: "#8a1f11" };
  const ATTRIBUTES = ["data-content", "data-post-id", "data-pid", "data-number", "data-id", "data-postid", "data-commentid"];
  const OF_A_POST = /p(ost|id|_|-)?|msg|message|comment|entry|edit|discussion|topic/i;

  // The element of a post: what its address points to, its own link, or what bears its number.
  function placeOf(address) {
    const url = new URL(address, location.href);
    const name = decodeURIComponent(url.hash.slice(1));
    const byName = name && (document.getElementById(name) ?? document.getElementsByName(name)[0]);
    if (byName) return byName;
    for (const link of document.querySelectorAll("a[href]")) {
      if (link.href === url.href || (name && link.hash === `#${name}`)) return link;
    }
    const number = /([a-z]*\d+)\D*$/i.exec(name || url.search || url.pathname)?.[1];
    if (!number) return null;
    const digits = number.replace(/\D/g, "");
    for (const attribute of ATTRIBUTES) {
      const values = [number, digits, `post-${digits}`].map((value) => `[${attribute}="${value}"]`);
      const found = document.querySelector(values.join());
      if (found) return found;
    }
    const ends = new RegExp(`(^|\\D)${digits}$`);
    const marked = [...document.querySelectorAll(`[id$="${digits}"], [name$="${digits}"]`)];
    const mark = (one) => (ends.test(one.id) ? one.id : one.getAttribute("name") ?? "");
    return marked.find((one) => ends.test(mark(one)) && OF_A_POST.test(mark(one))) ?? null;
  }

  function badge({ post, kind, text }, asOf) {
    const made = document.createElement("span");
    made.setAttribute(MARK, kind);
    made.textContent = `#${post} ${text}`;
    const looks = { background: COLOURS[kind] ?? "#333", color: "#fff", font: "12px/1.4 system-ui, sans-serif", padding: "1px 6px", margin: "0 4px", "border-radius": "8px", display: "inline-block", "max-width": "100%", cursor: "pointer", "user-select": "none" };
    for (const [name, value] of Object.entries(looks)) made.style.setProperty(name, value, "important");
    made.title = "The count as of here";
    made.addEventListener("click", (event) => {
      if (!event.isTrusted) return;
      event.preventDefault();
      event.stopPropagation();
      asOf(post);
    });
    return made;
  }

  function clear() {
    for (const one of document.querySelectorAll(`[${MARK}]`)) one.remove();
  }

  // Puts the badges at the posts that this page shows; returns how many found their place.
  function show(badges, asOf) {
    clear();
    let found = 0;
    for (const one of badges) {
      const place = one.url ? placeOf(one.url) : null;
      if (!place) continue;
      found += 1;
      const made = badge(one, asOf);
      const row = place.matches("tr") ? place.cells[0] : place;
      if (row.matches("a[href], input, img, br, hr")) row.after(made);
      else row.prepend(made);
    }
    return found;
  }

  return { clear, placeOf, show };
})();
