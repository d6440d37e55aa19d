// The board's own reply box: a text is put where the moderator writes, and never sent.
"use strict";

globalThis.knightfallReply ??= (() => {
  const seen = (box) => box.getClientRects().length > 0;
  const size = (box) => box.offsetWidth * box.offsetHeight;

  // Every box of this page that takes a text: fields of lines, and editors of formatted text, framed ones too.
  function boxes() {
    const found = [...document.querySelectorAll("textarea:not([readonly]):not([disabled])"), ...document.querySelectorAll('[contenteditable=""], [contenteditable="true"]')];
    for (const frame of document.querySelectorAll("iframe")) {
      try {
        const body = frame.contentDocument?.body;
        if (body && (body.isContentEditable || frame.contentDocument.designMode === "on")) found.push(body);
      } catch {
        // A frame of another site.
      }
    }
    return found.filter((box) => (box.ownerDocument === document ? seen(box) : seen(box.ownerDocument.defaultView.frameElement)));
  }

  // Where the moderator wrote last, which a key pressed on the panel does not change.
  let last = null;
  document.addEventListener("focusin", ({ target }) => {
    if (target.matches("textarea, iframe, [contenteditable]")) last = target;
  });

  // That one, else the largest box.
  function box() {
    const found = boxes();
    const at = found.find((one) => one === document.activeElement) ?? last ?? document.activeElement;
    const holds = (one) => one === at || one.contains(at) || one.ownerDocument.defaultView.frameElement === at;
    return found.find(holds) ?? found.sort((one, other) => size(other) - size(one))[0] ?? null;
  }

  // Puts a text into the reply box; "" where it went in, else why not.
  function paste(text, rich) {
    const into = box();
    if (!into) return "There is no reply box on this page. Open the board’s reply form first.";
    if (into.matches("textarea")) {
      if (rich) return "This board’s editor shows its source now. Switch it to its usual look first.";
      into.focus();
      into.setRangeText(text, into.selectionStart, into.selectionEnd, "end");
      into.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertText", data: text }));
      into.dispatchEvent(new Event("change", { bubbles: true }));
      return "";
    }
    const owner = into.ownerDocument;
    into.focus();
    if (!into.contains(owner.getSelection().anchorNode)) owner.getSelection().selectAllChildren(into);
    owner.getSelection().collapseToEnd();
    const went = owner.execCommand(rich ? "insertHTML" : "insertText", false, text);
    return went ? "" : "The board’s editor did not take the text. Copy it on Knightfall’s page and paste it here.";
  }

  return { paste };
})();
