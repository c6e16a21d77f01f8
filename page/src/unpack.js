/**
 * What the page holds: JSON and the bytes of all arrays, compressed, in base64.
 */

/** @typedef {Float64Array | Float32Array | Int32Array | Int16Array | Int8Array | Uint32Array | Uint16Array | Uint8Array} Numbers */
/** @typedef {{dtype: keyof typeof KINDS, shape: number[], offset: number}} Reference */

const KINDS = {
  f8: Float64Array,
  i4: Int32Array,
  i2: Int16Array,
  i1: Int8Array,
  u4: Uint32Array,
  u2: Uint16Array,
  u1: Uint8Array,
};

/**
 * @param {string} text base64 of a zlib stream
 * @returns {Promise<ArrayBuffer>}
 */
async function inflated(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) bytes[i] = letters.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/**
 * Put arrays where the JSON refers to them.
 * @param {any} part
 * @param {ArrayBuffer} bytes
 * @returns {any}
 */
function resolved(part, bytes) {
  if (Array.isArray(part)) return part.map((each) => resolved(each, bytes));
  if (part === null || typeof part !== "object") return part;
  if ("$number" in part) return Number(part.$number);
  if ("$array" in part) {
    const { dtype, shape, offset } = /** @type {Reference} */ (part.$array);
    return new KINDS[dtype](
      bytes,
      offset,
      shape.reduce((a, b) => a * b, 1),
    );
  }
  return Object.fromEntries(Object.entries(part).map(([name, each]) => [name, resolved(each, bytes)]));
}

/**
 * Read the content of the page. The bytes are those of the JSON, then those of the arrays.
 * @param {string} text
 * @returns {Promise<any>}
 */
export async function unpack(text) {
  const bytes = await inflated(text);
  const [start, length] = new Uint32Array(bytes, 0, 2);
  const json = new TextDecoder().decode(new Uint8Array(bytes, 8, length));
  return resolved(JSON.parse(json), bytes.slice(start));
}
