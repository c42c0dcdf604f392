/**
 * Arrays addressed by content: a reference holds a hash of the array's bytes, so that equal arrays travel once.
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

/** Bytes of a part. Each part has its own digest, so several threads can compute them, even while later parts are under way. */
const digested = 2 ** 20

/** The fewest parts that go to other threads. A thread needs a copy of its part, which takes longer than the digests of fewer parts. */
const apartFrom = 3

/** Digests that run at the same time. */
const atOnce = 8

/** Node's own digest. For short arrays it is faster than a digest on another thread. */
const nodeCrypto = globalThis.process?.getBuiltinModule?.('node:crypto')

/**
 * Makes another thread write random bytes to new memory while the content is under way. The system clears a page when it is first
 * written. With pages of 2 MB, one byte is enough for a part of an array.
 */
export function writtenApart(bytes: Uint8Array): Promise<void> | undefined {
  return nodeCrypto && new Promise((resolve) => nodeCrypto.randomFill(bytes, () => resolve()))
}

/** Hashes an array while its bytes arrive in order. */
export class Hashing {
  readonly #digests: Promise<Uint8Array>[] = []

  constructor(readonly bytes: Uint8Array) {}

  /** Tells it how many bytes have arrived. */
  reach(filled: number): void {
    const { length } = this.bytes
    const apart = Math.ceil(filled / digested) - this.#digests.length >= apartFrom
    for (;;) {
      const first = this.#digests.length * digested
      const last = Math.min(first + digested, length)
      if (last > filled || (first >= length && first > 0)) return
      const digest = () => digestOf(this.bytes.subarray(first, last), apart)
      // Each digest copies its part, so only a few run at once.
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
