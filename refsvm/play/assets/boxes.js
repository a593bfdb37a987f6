// The boxes into which numbers are typed. A number that Python refuses stays in its box, and why
// it is refused is said beside it.

const $ = (id) => document.getElementById(id);
export const boxes = { typed: null, refused: null };  // that of the last change; that which is refused

/** Say at a box, in which a text stands, why it is refused. */
export function refuse(box, text, sentence) {
  boxes.refused = box;
  box.value = text;
  box.setAttribute("aria-invalid", "true");
  box.setAttribute("aria-describedby", "refusal");
  box.closest("label").after($("refusal"));
  $("refusal").textContent = sentence;
}

/** Refuse nothing any more. */
export function accept() {
  for (const name of ["aria-invalid", "aria-describedby"]) boxes.refused?.removeAttribute(name);
  boxes.refused = null;
  $("refusal").textContent = "";
}

/** Write a number into its box, unless another is being typed, or stands there and is refused. */
export function fill(box, text) {
  if (document.activeElement !== box && boxes.refused !== box) box.value = text;
}

/** Have what is typed set; Escape takes back what is refused. */
export function onTyped(box, set, takenBack) {
  box.addEventListener("change", () => {
    set(box.value.trim());
    boxes.typed = box;
  });
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || boxes.refused !== box) return;
    box.value = "";  // so that what was begun anew is no change
    box.blur();
    takenBack();
  });
}
