// What may be tried: the question of a preset, and what is said once the reader has done it.

const $ = (id) => document.getElementById(id);

export class Trial {
  constructor(presets) {
    this.presets = presets;
    this.place = -1;
  }

  /** Begin to try what a preset asks; -1 asks nothing. */
  begin(place) {
    this.place = place;
    $("question").textContent = this.presets[place]?.[2] ?? "";
    $("reply").textContent = "";
  }

  /** What a question to Python says of it. */
  get asked() {
    return this.place < 0 ? {} : { tried: this.place };
  }

  /** The question goes with its points, and comes back with them. */
  show({ stands, reply }) {
    $("question").textContent = stands ? this.presets[this.place][2] : "";
    if ($("reply").textContent !== reply) $("reply").textContent = reply;
  }
}
