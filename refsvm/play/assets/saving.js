// Saves the picture and the program, and copies the link.

const SEEN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linecap",
  "stroke-linejoin", "paint-order", "font-family", "font-size", "font-style", "font-weight",
  "text-anchor", "vector-effect"];

/** Return the plane as the text of an SVG file, which needs no style sheet. */
export function pictureOf(svg, link) {
  const copy = svg.cloneNode(true), box = svg.viewBox.baseVal;
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, k) => {
    const style = getComputedStyle(originals[k]);
    for (const name of SEEN) {
      const value = style.getPropertyValue(name);
      if (value) element.setAttribute(name, value);
    }
    for (const name of ["class", "role", "tabindex", "aria-label", "aria-roledescription",
      "data-index", "data-label", "aria-hidden"]) element.removeAttribute(name);
  });
  for (const name of [...copy.getAttributeNames()]) if (name !== "viewBox") copy.removeAttribute(name);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", box.width);
  copy.setAttribute("height", box.height);
  const paper = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.setAttribute("fill", getComputedStyle(document.querySelector(".card")).backgroundColor);
  const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
  title.textContent = `refsvm play #${link}`;
  copy.prepend(title, paper);
  return new XMLSerializer().serializeToString(copy);
}

/** Give a text to the reader as a file. */
export function save(name, type, text) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** Copy a text; false where the browser does not allow it. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
