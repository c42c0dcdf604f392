/**
 * Arrays by their content: a reference holds a hash of an array's bytes, so that equal arrays travel once.
 *
 * @module
 */

export type TypedArray = Float32Array | Float64Array | Int32Array | Uint32Array | Uint8Array

type TypeName = 'Float32Array' | 'Float64Array' | 'Int32Array' | 'Uint32Array' | 'Uint8Array'

type TypedArrayConstructor = new (buffer: ArrayBuffer, byteOffset: number, length: number) => TypedArray

const types: Readonly<Record<TypeName, TypedArrayConstructor & { readonly BYTES_PER_ELEMENT: number }>> = {
  Float32Array,
  Float64Array,
  Int32Array,
  Uint32Array,
  Uint8Array,
}

export interface ArrayRef {
  readonly hash: string
  readonly type: TypeName
  readonly length: number
}

/** The bytes of an array, not copied. */
export const bytesOf = ({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

export const byteLengthOf = ({ type, length }: Pick<ArrayRef, 'type' | 'length'>): number =>
  length * types[type].BYTES_PER_ELEMENT

/** An array over bytes that begin at a multiple of 8 in their buffer. */
export function arrayOver(bytes: Uint8Array, { type, length }: Pick<ArrayRef, 'type' | 'length'>): TypedArray {
  return new types[type](bytes.buffer as ArrayBuffer, bytes.byteOffset, length)
}

/** Parts of this length have a digest each, which several threads compute, and a reader while other parts are on their way. */
const digested = 2 ** 20

/** A digest of another thread takes memory for its part. For fewer parts at once, that takes longer than their digests. */
const apartFrom = 3

/** Digests that are computed at the same time. */
const atOnce = 8

/** Node's digest, which is faster for short arrays than one of another thread. */
const nodeCrypto = globalThis.process?.getBuiltinModule?.('node:crypto')

/**
 * Has another thread write anything to new memory, while its content is on its way: the system clears a page when it is first written. With
 * pages of 2 MB, a byte is enough for a part of an array.
 */
export function writtenApart(bytes: Uint8Array): Promise<void> | undefined {
  return nodeCrypto && new Promise((resolve) => nodeCrypto.randomFill(bytes, () => resolve()))
}

/** The hash of an array whose bytes come one after the other. */
export class Hashing {
  readonly #digests: Promise<Uint8Array>[] = []

  constructor(readonly bytes: Uint8Array) {}

  /** Says how many bytes are there. */
  reach(filled: number): void {
    const { length } = this.bytes
    const apart = Math.ceil(filled / digested) - this.#digests.length >= apartFrom
    for (;;) {
      const first = this.#digests.length * digested
      const last = Math.min(first + digested, length)
      if (last > filled || (first >= length && first > 0)) return
      const digest = () => digestOf(this.bytes.subarray(first, last), apart)
      // Each copies its part.
      const earlier = this.#digests[this.#digests.length - atOnce]
      this.#digests.push(earlier?.then(digest) ?? digest())
    }
  }

  /** The SHA-256 of the SHA-256s of all parts, once all bytes are there. */
  async hash(): Promise<string> {
    const digests = await Promise.all(this.#digests)
    const all = new Uint8Array(32 * digests.length)
    for (const [n, digest] of digests.entries()) all.set(digest, 32 * n)
    return Array.from(await digestOf(all, false), (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
}

/** @param apart whether another thread should compute it @throws Error if the page may not compute digests */
async function digestOf(bytes: Uint8Array, apart: boolean): Promise<Uint8Array> {
  if (nodeCrypto && !apart) return nodeCrypto.createHash('sha256').update(bytes).digest()
  if (!globalThis.crypto?.subtle)
    throw new Error('Cannot compute SHA-256: this page is not a secure context; serve it over https or from localhost')
  // The digest refuses a view on shared memory.
  const own = bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice()
  return new Uint8Array(await crypto.subtle.digest('SHA-256', own))
}

/** @throws Error if the page may not compute digests */
export function hashOf(bytes: Uint8Array): Promise<string> {
  const hashing = new Hashing(bytes)
  hashing.reach(bytes.length)
  return hashing.hash()
}

export async function refOf(array: TypedArray): Promise<ArrayRef> {
  return { hash: await hashOf(bytesOf(array)), type: array.constructor.name as TypeName, length: array.length }
}

/** A reference that came in a message. @throws TypeError, RangeError */
export function checkedRef(value: unknown, name: string): ArrayRef {
  const { hash, type, length } = Object(value) as Partial<ArrayRef>
  if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash))
    throw new TypeError(`"${name}.hash" expected 64 hexadecimal digits, got ${JSON.stringify(hash)}`)
  if (typeof type !== 'string' || !Object.hasOwn(types, type))
    throw new TypeError(`"${name}.type" expected one of ${Object.keys(types).join(', ')}, got ${JSON.stringify(type)}`)
  if (!Number.isSafeInteger(length) || (length as number) < 0)
    throw new RangeError(`"${name}.length" expected integer >= 0, got ${length}`)
  return { hash, type, length: length as number }
}
