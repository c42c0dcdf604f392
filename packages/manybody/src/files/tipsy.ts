/**
 * TIPSY files, the binary snapshots of N-body codes such as Gasoline and PKDGRAV: a header, then gas, dark matter and stars. They are
 * in the standard order of bytes, big-endian, or in that of most processors; readers find out which.
 *
 * @source T. Quinn and N. Katz, the program TIPSY, University of Washington: `tipsydefs.h`
 * @module
 */
import { FileFormatError } from './file-format-error.ts'
import { type FileSource, piecesOf } from './source.ts'

/** Points of one kind; `position` and `velocity` `[count, 3]`, and numbers `[count]`. */
export interface TipsyPoints {
  readonly position: Float32Array
  readonly velocity: Float32Array
  readonly mass: Float32Array
  readonly [attribute: string]: Float32Array
}

export interface TipsySnapshot {
  readonly time: number
  readonly gas: TipsyPoints
  readonly dark: TipsyPoints
  readonly star: TipsyPoints
}

/** What follows mass, position and velocity, which are 7 numbers. */
const attributesOf = {
  gas: ['density', 'temperature', 'smoothing', 'metals', 'potential'],
  dark: ['softening', 'potential'],
  star: ['metals', 'formation', 'softening', 'potential'],
} as const

type Kind = keyof typeof attributesOf
const kinds = Object.keys(attributesOf) as Kind[]
const headerBytes = 32

/** @throws {@link FileFormatError} with the byte */
export async function readTipsy(source: Exclude<FileSource, string>): Promise<TipsySnapshot> {
  const reader = new ByteReader(source)
  const header = await reader.view(headerBytes, 'the header')
  const dimensions = (little: boolean) => header.getInt32(12, little)
  const little = dimensions(true) === 3
  if (!little && dimensions(false) !== 3)
    throw new FileFormatError('TIPSY', 'byte 12', `expected 3 dimensions, got ${dimensions(false)}`)
  const count = (n: number) => header.getInt32(8 + 4 * n, little)
  const counts = { gas: count(2), dark: count(3), star: count(4) }
  const all = counts.gas + counts.dark + counts.star
  if (Math.min(...Object.values(counts)) < 0 || count(0) !== all)
    throw new FileFormatError(
      'TIPSY',
      'byte 8',
      `expected as many points as of all kinds together, ${all}, got ${count(0)}`,
    )
  const found: Partial<Record<Kind, TipsyPoints>> = {}
  for (const kind of kinds) found[kind] = await pointsFrom(reader, kind, counts[kind], little)
  await reader.end()
  return { time: header.getFloat64(0, little), ...(found as Record<Kind, TipsyPoints>) }
}

async function pointsFrom(reader: ByteReader, kind: Kind, count: number, little: boolean): Promise<TipsyPoints> {
  const names = attributesOf[kind]
  const own = names.map((name) => [name, new Float32Array(count)] as const)
  const points = {
    position: new Float32Array(3 * count),
    velocity: new Float32Array(3 * count),
    mass: new Float32Array(count),
  }
  const size = 7 + names.length
  for (let n = 0; n < count; n++) {
    const start = reader.at
    const view = await reader.view(4 * size, `point ${n + 1} of ${count} of ${kind}`)
    const numbers = Float32Array.from({ length: size }, (_, k) => view.getFloat32(4 * k, little))
    const wrong = numbers.findIndex((x) => !Number.isFinite(x))
    if (wrong >= 0)
      throw new FileFormatError('TIPSY', `byte ${start + 4 * wrong}`, `expected a finite number, got ${numbers[wrong]}`)
    points.mass[n] = numbers[0] as number
    points.position.set(numbers.subarray(1, 4), 3 * n)
    points.velocity.set(numbers.subarray(4, 7), 3 * n)
    for (const [k, [, array]] of own.entries()) array[n] = numbers[7 + k] as number
  }
  return { ...Object.fromEntries(own), ...points }
}

/** The bytes of a file in the standard order, in pieces. Attributes that are missing are 0. */
export function* writeTipsy(
  snapshot: { readonly time?: number } & Partial<
    Record<Kind, Pick<TipsyPoints, 'position' | 'velocity' | 'mass'> & Readonly<Record<string, ArrayLike<number>>>>
  >,
): Generator<Uint8Array<ArrayBuffer>, void> {
  const { time = 0 } = snapshot
  const counts = kinds.map((kind) => snapshot[kind]?.mass.length ?? 0)
  for (const [n, kind] of kinds.entries())
    for (const name of ['position', 'velocity'] as const) {
      const expected = 3 * (counts[n] as number)
      const length = snapshot[kind]?.[name].length ?? 0
      if (length !== expected) throw new RangeError(`"${kind}.${name}" expected length ${expected}, got ${length}`)
    }
  const header = new DataView(new ArrayBuffer(headerBytes))
  header.setFloat64(0, time)
  const [gas = 0, dark = 0, star = 0] = counts
  for (const [n, value] of [gas + dark + star, 3, gas, dark, star].entries()) header.setInt32(8 + 4 * n, value)
  yield new Uint8Array(header.buffer)
  for (const [k, kind] of kinds.entries()) {
    const points = snapshot[kind]
    for (let n = 0; points && n < (counts[k] as number); n++) {
      const numbers = [
        points.mass[n],
        ...points.position.slice(3 * n, 3 * n + 3),
        ...points.velocity.slice(3 * n, 3 * n + 3),
      ]
      for (const name of attributesOf[kind]) numbers.push(points[name]?.[n] ?? 0)
      const view = new DataView(new ArrayBuffer(4 * numbers.length))
      for (const [at, x] of numbers.entries()) view.setFloat32(4 * at, x as number)
      yield new Uint8Array(view.buffer)
    }
  }
}

/** Reads so many bytes at a time from pieces of any size. */
class ByteReader {
  /** Bytes read so far. */
  at = 0
  readonly #pieces: AsyncGenerator<string | Uint8Array>
  #piece: Uint8Array = new Uint8Array()

  constructor(source: FileSource) {
    this.#pieces = piecesOf(source)
  }

  async view(bytes: number, what: string): Promise<DataView> {
    const copy = new Uint8Array(bytes)
    for (let filled = 0; filled < bytes; ) {
      if (this.#piece.length === 0 && !(await this.#next()))
        throw new FileFormatError('TIPSY', `byte ${this.at}`, `expected ${what}, got the end of the file`)
      const part = this.#piece.subarray(0, bytes - filled)
      copy.set(part, filled)
      this.#piece = this.#piece.subarray(part.length)
      filled += part.length
      this.at += part.length
    }
    return new DataView(copy.buffer)
  }

  /** @throws {@link FileFormatError} if there are more bytes */
  async end(): Promise<void> {
    while (this.#piece.length === 0) if (!(await this.#next())) return
    throw new FileFormatError('TIPSY', `byte ${this.at}`, 'expected the end of the file, got more bytes')
  }

  async #next(): Promise<boolean> {
    const { value, done } = await this.#pieces.next()
    if (done) return false
    if (typeof value === 'string') throw new FileFormatError('TIPSY', `byte ${this.at}`, 'expected bytes, got text')
    this.#piece = value
    return true
  }
}
