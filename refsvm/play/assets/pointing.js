// Mouse, touch and keys on the plane. Everything ends in one of the actions of main.js.

const SLOP = 4;  // pixels that a click may move
const TWICE = 350;  // milliseconds between the two clicks of a double-click

/** Listen to the plane; actions: choose, move, moved, add, remove, relabel, run, undo.
    Of a whole page it has the keys that nothing else has. */
export function listen(plane, actions, wholePage = false) {
  const svg = plane.svg;
  let drag = null, last = { time: -Infinity, x: 0, y: 0 };

  const at = (event) => {
    const box = svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  svg.addEventListener("touchstart", (event) => {  // a finger on a point scrolls nothing
    if (event.target.closest(".point:not(.fixed)")) event.preventDefault();
  }, { passive: false });

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !event.isPrimary) return;  // a second finger changes nothing
    const mark = event.target.closest(".point");
    const [x, y] = at(event);
    if (mark) {
      const index = Number(mark.dataset.index), [px, py] = plane.pixel(actions.placeOf(index));
      drag = { id: event.pointerId, index, dx: px - x, dy: py - y, x, y, moved: false };
      actions.choose(index, true);
    } else drag = { id: event.pointerId, index: null, x, y, moved: false };
    svg.setPointerCapture(event.pointerId);
    event.preventDefault();
  });

  svg.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (!event.buttons) return end(event);  // it was let go where this page was not told
    const [x, y] = at(event);
    if (!drag.moved && Math.hypot(x - drag.x, y - drag.y) < SLOP) return;
    drag.moved = true;
    if (drag.index !== null) {
      const inside = [Math.min(Math.max(x + drag.dx, 8), plane.width - 8),
        Math.min(Math.max(y + drag.dy, 8), plane.height - 8)];
      actions.move(drag.index, plane.place(...inside));
    }
  });

  const end = (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const { index, moved } = drag, [x, y] = at(event);
    drag = null;
    if (moved) {
      if (index !== null) actions.moved();
      return;
    }
    const twice = event.timeStamp - last.time < TWICE && Math.hypot(x - last.x, y - last.y) < 20;
    last = twice ? { time: -Infinity, x, y } : { time: event.timeStamp, x, y };
    if (twice && event.type === "pointerup") {
      if (index === null) actions.add(plane.place(x, y));
      else actions.relabel(index);
    }
  };
  svg.addEventListener("pointerup", end);
  svg.addEventListener("pointercancel", end);

  const keys = (event, index) => {
    if (drag || event.altKey || event.metaKey || event.ctrlKey) return;  // what is held has no keys
    const step = event.shiftKey ? 1 : 1 / 8;
    const arrows = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    if (index !== null && arrows[event.key]) actions.push(index, arrows[event.key]);
    else if (event.key === "]") actions.choose((index ?? -1) + 1, true);
    else if (event.key === "[") actions.choose((index ?? 1) - 1, true);
    else if (/^[1-9]$/.test(event.key)) actions.choose(Number(event.key) - 1, true);
    else if (index !== null && (event.key === " " || event.key === "Enter")) actions.relabel(index);
    else if (index !== null && (event.key === "Delete" || event.key === "Backspace")) actions.remove(index);
    else if (event.key === "n" || event.key === "N") actions.add(null);
    else return;
    event.preventDefault();
  };
  svg.addEventListener("keydown", (event) => {
    const mark = event.target.closest(".point");
    keys(event, mark ? Number(mark.dataset.index) : null);
  });

  document.addEventListener("keydown", (event) => {
    // Where nothing has the focus, keys are for the chosen point, but for those that scroll a page.
    const fits = document.documentElement.scrollHeight <= innerHeight;
    if (wholePage && event.target === document.body && (fits || !/^(Arrow|Page| $)/.test(event.key))) {
      keys(event, actions.chosen);
    }
    const typing = event.target.matches("select, input:not([type=range]):not([type=checkbox])");
    if (!drag && !typing && event.key.toLowerCase() === "r" && !event.ctrlKey && !event.metaKey && !event.altKey) actions.run();
    if (!drag && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !typing) {
      actions.undo();
      event.preventDefault();
    }
  });
}
