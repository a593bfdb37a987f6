// Puts the picture that moves into the place of the one before this script, which stays below it:
// open, as the text speaks of it, or with the sentences of a scene, which the picture tells itself.
{
  const before = document.currentScript.previousElementSibling;
  const steps = before.matches(".steps") ? before : null, place = steps?.previousElementSibling ?? before;
  let figure = place;
  while (figure && !figure.matches("figure")) figure = figure.previousElementSibling;
  if (location.protocol !== "file:" && figure) {
    const frame = document.createElement("iframe"), still = document.createElement("details");
    frame.src = place.dataset.page;
    frame.title = `A picture whose points can be dragged${steps ? ", in steps" : ""}`;
    frame.loading = "lazy";
    still.append(document.createElement("summary"));
    still.firstChild.textContent = "The picture that stands in the text";
    figure.replaceWith(frame, still);
    still.append(figure, ...(steps ? [steps] : []));
    still.open = !steps; // sentences of the chapter speak of it
    const color = () => {  // as the reader has chosen on this page
      const { theme } = document.body.dataset;
      frame.contentDocument.documentElement.style.colorScheme = theme === "auto" ? "" : theme;
    };
    frame.addEventListener("load", color);
    new MutationObserver(color).observe(document.body, { attributeFilter: ["data-theme"] });
  }
}
