// Code, a formula or a table that is wider than its place can be reached by keys, and scrolled.

const WIDE = "article pre, article .formula, article .table-wrapper";
const watch = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    if (target.scrollWidth > target.clientWidth) target.tabIndex = 0;
    else target.removeAttribute("tabindex");
  }
});
for (const place of document.querySelectorAll(WIDE)) watch.observe(place);
