/**
 * What of the drawing is in view: moving, magnifying, and bringing nodes into view.
 */

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";
import { HEIGHT, WIDTH } from "./shapes.js";

/** @typedef {import("./shapes.js").Place} Place */
/** @typedef {import("d3-zoom").ZoomTransform} Transform */

const SMALLEST = 0.6;
const LARGEST = 1.1;
const FIRST = 0.62;

export class Camera {
  /**
   * @param {SVGSVGElement} svg
   * @param {() => void} moved
   */
  constructor(svg, moved) {
    this.svg = svg;
    this.transform = zoomIdentity;
    this.size = { width: 800, height: 500 };
    this.selection = /** @type {any} */ (select(/** @type {Element} */ (svg)));
    this.zoom = zoom()
      .scaleExtent([0.005, 3])
      .filter((event) => (event.type === "wheel" ? event.ctrlKey || event.metaKey : !event.button))
      .on("zoom", (event) => {
        this.transform = event.transform;
        moved();
      });
    this.selection.call(this.zoom).on("dblclick.zoom", null);
  }

  /** Look how large the drawing is; every look makes the browser lay out the whole page. */
  measure() {
    const { clientWidth: width, clientHeight: height } = this.svg;
    this.size = { width: width || 800, height: height || 500 };
  }

  /**
   * The part of the drawing that is in view.
   * @param {number} margin
   */
  view(margin) {
    const { width, height } = this.size;
    const [left, top] = this.transform.invert([0, 0]);
    const [right, bottom] = this.transform.invert([width, height]);
    return { left: left - margin, right: right + margin, top: top - margin, bottom: bottom + margin };
  }

  /**
   * @param {Transform} transform
   * @param {boolean} [isSmooth]
   */
  move(transform, isSmooth = true) {
    this.selection.interrupt();
    const moving = isSmooth && !isCalm() ? this.selection.transition().duration(250) : this.selection;
    this.zoom.transform(moving, transform);
  }

  /** @param {number} factor */
  magnify(factor) {
    this.zoom.scaleBy(this.selection, factor);
  }

  /**
   * Move so that what was at one place appears at another.
   * @param {Place} before
   * @param {Place} after
   */
  follow(before, after) {
    this.move(this.transform.translate(before.x - after.x, before.y - after.y), false);
  }

  /**
   * Whether places are in view, and large enough to be read.
   * @param {Place[]} places
   * @param {number} scale
   */
  #shows(places, scale) {
    const { width, height } = this.size;
    return (
      this.transform.k >= scale &&
      places.every(({ x, y }) => {
        const [left, top] = this.transform.apply([x, y]);
        return left >= 0 && this.transform.applyX(x + WIDTH) <= width && top > 20 && top < height - 20;
      })
    );
  }

  /**
   * Bring a place into view; false if it is there.
   * @param {Place} place
   */
  centre(place) {
    if (this.#shows([place], SMALLEST)) return false;
    const { width, height } = this.size;
    const k = Math.max(this.transform.k, SMALLEST);
    const centred = zoomIdentity.translate(width / 2, height / 2).scale(k);
    this.move(centred.translate(-place.x - WIDTH / 2, -place.y));
    return true;
  }

  /**
   * Bring the way of an instance into view, where it is too long its end; false if it is there.
   * @param {Place[]} places from the root to the end
   */
  frame(places) {
    if (!places.length || this.#shows(places, 0.2)) return false;
    const { width, height } = this.size;
    const right = Math.max(...places.map(({ x }) => x + WIDTH)) + 50;
    const rows = places.map(({ y }) => y);
    const top = Math.min(...rows) - HEIGHT;
    const bottom = Math.max(...rows) + HEIGHT;
    const whole = Math.min(width / right, height / (bottom - top));
    const k = Math.min(Math.max(whole, SMALLEST), LARGEST);
    const x = k * right > width ? width - k * (right - 20) : 20 * k;
    const middle = k * (bottom - top) > height ? places[places.length - 1].y : (top + bottom) / 2;
    this.move(zoomIdentity.translate(x, height / 2 - k * middle).scale(k));
    return true;
  }

  /**
   * Show all places, or as many as can be read.
   * @param {Iterable<Place>} places
   * @param {boolean} isWhole
   */
  fit(places, isWhole) {
    let [right, top, bottom] = [0, 0, 0];
    for (const { x, y } of places) [right, top, bottom] = [Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
    const { width, height } = this.size;
    const whole = Math.min(width / (right + WIDTH + 80), height / (bottom - top + 2 * HEIGHT), LARGEST);
    const k = isWhole ? whole : Math.max(whole, FIRST);
    const x = k > whole ? 20 : (width - k * (right + WIDTH + 30)) / 2;
    const middle = k * (bottom - top) > height ? 0 : (top + bottom) / 2;
    this.move(zoomIdentity.translate(x, height / 2 - k * middle).scale(k), false);
  }
}

/** Whether the reader wants no movement. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
