/**
 * Checksums of numbers and of plain data, to detect damage in storage. They do not protect against intent: a person who changes data
 * can change its checksum.
 *
 * @source MurmurHash3 (x86, 32 bits), A. Appleby, public domain
 * @module
 */
import type { FloatArray } from '../ground/checks.ts'

/** The checksum of an array: of its bytes and its type. */
export function checksumOfArray(array: FloatArray): string {
  const words = array.byteLength / 4
  return hash(new Uint32Array(array.buffer, array.byteOffset, words), array.BYTES_PER_ELEMENT)
}

/** The checksum of plain data. The order of its fields does not matter. */
export function checksumOfData(data: unknown): string {
  const bytes = new TextEncoder().encode(JSON.stringify(data, sorted))
  const padded = new Uint8Array(4 * Math.ceil(bytes.length / 4))
  padded.set(bytes)
  return hash(new Uint32Array(padded.buffer), bytes.length)
}

/** Eight hexadecimal digits. */
function hash(words: Uint32Array, seed: number): string {
  let h = seed
  for (let n = 0; n < words.length; n++) {
    let k = Math.imul(words[n] as number, 0xcc9e2d51)
    k = (k << 15) | (k >>> 17)
    h ^= Math.imul(k, 0x1b873593)
    h = (h << 13) | (h >>> 19)
    h = (Math.imul(h, 5) + 0xe6546b64) | 0
  }
  h ^= 4 * words.length
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return ((h ^ (h >>> 16)) >>> 0).toString(16).padStart(8, '0')
}

function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
