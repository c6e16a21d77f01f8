/**
 * What of the drawing is in view: moving, magnifying, and bringing nodes into view.
 */

import { select } from "d3-selection";
import { zoom, zoomIdentity } from "d3-zoom";

/** @typedef {import("./shapes.js").Place} Place */
/** @typedef {{right: number, top: number, bottom: number}} Extent what places take to the right of 0 */
/** @typedef {import("d3-zoom").ZoomTransform} Transform */

const SMALLEST = 0.6;
const LARGEST = 1.1;
/** The scale at which a tree opens that is too large to be shown whole. */
const FIRST = 0.8;
const MARGIN = 12;
/** Room that the way of an instance keeps above and below. */
const WAY_ROOM = 40;

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
   * @param {number} width of a box
   * @param {number} [scale]
   */
  shows(places, width, scale = SMALLEST) {
    const { width: right, height } = this.size;
    return (
      this.transform.k >= scale - 1e-9 &&
      places.every(({ x, y }) => {
        const [left, top] = this.transform.apply([x, y]);
        return left >= 0 && this.transform.applyX(x + width) <= right + 1 && top > 10 && top < height - 10;
      })
    );
  }

  /**
   * Bring a place into view; false if it is there.
   * @param {Place} place
   * @param {number} boxWidth
   */
  centre(place, boxWidth) {
    if (this.shows([place], boxWidth)) return false;
    const { width, height } = this.size;
    const k = Math.max(this.transform.k, SMALLEST);
    const centred = zoomIdentity.translate(width / 2, height / 2).scale(k);
    this.move(centred.translate(-place.x - boxWidth / 2, -place.y));
    return true;
  }

  /**
   * The scale at which a rectangle is in view.
   * @param {Extent} extent
   */
  #scaleOf({ right, top, bottom }) {
    const { width, height } = this.size;
    return Math.min((width - 2 * MARGIN) / (right + MARGIN), (height - MARGIN) / (bottom - top), LARGEST);
  }

  /**
   * The height at which a rectangle of this width is in view, and can be read; null if none is.
   * @param {Extent} extent
   * @param {number} most the largest height there is
   */
  heightFor({ right, top, bottom }, most) {
    const k = Math.min((this.size.width - 2 * MARGIN) / (right + MARGIN), (most - MARGIN) / (bottom - top), LARGEST);
    return k < SMALLEST ? null : k * (bottom - top) + MARGIN;
  }

  /**
   * Show everything where it can be read, else the way of an instance: its end, and of the rest what fits.
   * @param {Extent} extent of everything
   * @param {Place[]} way
   * @param {number} boxWidth
   */
  open(extent, way, boxWidth) {
    if (this.#scaleOf(extent) >= SMALLEST) return this.fit(extent);
    const { width, height } = this.size;
    const rows = way.map(({ y }) => y);
    const right = Math.max(0, ...way.map(({ x }) => x)) + boxWidth;
    const [top, bottom] = [Math.min(0, ...rows) - WAY_ROOM, Math.max(0, ...rows) + WAY_ROOM];
    const wide = width - 2 * MARGIN;
    const k = Math.max(SMALLEST, Math.min(FIRST, wide / right, height / (bottom - top)));
    const room = height / k / 2;
    const isWithin = extent.bottom - extent.top > 2 * room;
    const middle = isWithin
      ? clamp((top + bottom) / 2, extent.top + room, extent.bottom - room)
      : (extent.top + extent.bottom) / 2;
    const end = way.at(-1)?.y ?? 0;
    const nearEnd = clamp(middle, end + WAY_ROOM - room, end - WAY_ROOM + room);
    const left = Math.max(0, right - wide / k);
    this.move(zoomIdentity.translate(MARGIN - k * left, height / 2 - k * nearEnd).scale(k), false);
  }

  /**
   * Show everything, however small.
   * @param {Extent} extent
   */
  fit(extent) {
    const { right, top, bottom } = extent;
    const { width, height } = this.size;
    const k = this.#scaleOf(extent);
    const x = Math.max(MARGIN, (width - k * right) / 2);
    this.move(zoomIdentity.translate(x, height / 2 - (k * (top + bottom)) / 2).scale(k), false);
  }
}

/**
 * @param {number} x
 * @param {number} low
 * @param {number} high
 */
function clamp(x, low, high) {
  return Math.min(Math.max(x, low), high);
}

/** Whether the reader wants no movement. */
export function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
