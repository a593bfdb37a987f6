// Takes the steps of an algorithm one after the other: the next when the last is answered and a
// while has passed. Who asks for less motion is shown the last step at once.

const LAST = 9999;  // or the last that there is
const still = matchMedia("(prefers-reduced-motion: reduce)");

export class Run {
  /** take(step) asks for a step, paused() is told of the end; speed says how long each is seen. */
  constructor(button, speed, take, paused) {
    Object.assign(this, { button, speed, take, paused, on: false, timer: 0 });
  }

  /** Run from the step that is watched, or pause; what has ended begins anew. */
  toggle(watch) {
    if (this.on) return this.pause();
    this.set(true);
    const begins = !watch || watch.step >= watch.steps;
    this.take(still.matches ? LAST : begins ? 0 : watch.step + 1);
  }

  pause() {
    if (!this.on) return;
    this.set(false);
    this.paused();
  }

  set(on) {
    clearTimeout(this.timer);
    this.on = on;
    this.button.textContent = on ? "Pause" : "Run";
  }

  /** Go on, as this step is there. */
  answered(watch) {
    if (!this.on) return;
    clearTimeout(this.timer);
    if (!watch || watch.step >= watch.steps) this.pause();
    else this.timer = setTimeout(() => this.take(watch.step + 1), Number(this.speed.value));
  }
}
