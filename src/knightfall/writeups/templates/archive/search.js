"use strict";
// Looks for posts that hold all words, each at the beginning of a word; "two words" in quotes stand together.
(function () {
  var MOST = 200;
  var AROUND = 90;
  var pages = window.ARCHIVE.pages;
  var authors = window.ARCHIVE.authors;
  var posts = window.ARCHIVE.posts;

  function fold(text) {
    return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
  }

  var folded = posts.map(function (post) { return " " + fold(post[3]).replace(/[^\p{L}\p{N}]+/gu, " ") + " "; });

  function element(id) { return document.getElementById(id); }

  function terms(asked) {
    var parts = fold(asked).match(/"[^"]*"?|[^\s"]+/g) || [];
    return parts.map(function (part) {
      return part.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
    }).filter(Boolean);
  }

  function matches(wanted, author) {
    var found = [];
    for (var place = 0; place < posts.length; place += 1) {
      if (author !== "" && posts[place][2] !== Number(author)) { continue; }
      if (wanted.every(function (term) { return folded[place].indexOf(" " + term) >= 0; })) { found.push(place); }
    }
    return found;
  }

  function excerpt(text, wanted) {
    var low = fold(text);
    var same = low.length === text.length;
    var at = same && wanted.length ? low.indexOf(wanted[0].split(" ")[0]) : 0;
    var start = Math.max(0, at - AROUND);
    var end = Math.min(text.length, at + 2 * AROUND);
    return (start ? "…" : "") + text.slice(start, end) + (end < text.length ? "…" : "");
  }

  function shown(place, wanted) {
    var post = posts[place];
    var item = document.createElement("li");
    var link = document.createElement("a");
    var words = document.createElement("p");
    link.href = pages[post[1]] + "#p" + post[0];
    link.textContent = "#" + post[0] + " " + authors[post[2]];
    words.textContent = excerpt(post[3], wanted);
    item.append(link, words);
    return item;
  }

  function say(count, asked) {
    var some = count > MOST ? ", the first " + MOST + " of them" : "";
    element("found").textContent = asked ? count + (count === 1 ? " post" : " posts") + some : "";
  }

  function search() {
    var wanted = terms(element("words").value);
    var author = element("author").value;
    var asked = wanted.length > 0 || author !== "";
    var found = asked ? matches(wanted, author) : [];
    say(found.length, asked);
    element("results").replaceChildren.apply(
      element("results"), found.slice(0, MOST).map(function (place) { return shown(place, wanted); })
    );
    history.replaceState(null, "", "#" + encodeURIComponent(element("words").value));
  }

  function linked() {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch (fault) {
      return "";
    }
  }

  function begin() {
    authors.forEach(function (name, place) { element("author").append(new Option(name, place)); });
    element("words").value = linked();
    element("without").hidden = true;
    element("form").hidden = false;
    element("form").addEventListener("submit", function (event) { event.preventDefault(); });
    element("words").addEventListener("input", search);
    element("author").addEventListener("change", search);
    element("words").focus();
    search();
  }

  begin();
}());
