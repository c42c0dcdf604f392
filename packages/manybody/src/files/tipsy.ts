/**
 * TIPSY files, the binary snapshots of N-body codes such as Gasoline and PKDGRAV: a header, then gas, dark matter and stars. They are
 * big-endian, the standard order of bytes, or little-endian, the order of most processors. Readers find out which.
 *
 * @source T. Quinn and N. Katz, the program TIPSY, University of Washington: `tipsydefs.h`
 * @module
 */
import { ByteReader } from './byte-reader.ts'
import { described, requireNames, requireNumber, unexpected } from './checks.ts'
import type { FileSource } from './source.ts'

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

/** The attributes behind mass, position and velocity, which are 7 numbers. */
const attributesOf = {
  gas: ['density', 'temperature', 'smoothing', 'metals', 'potential'],
  dark: ['softening', 'potential'],
  star: ['metals', 'formation', 'softening', 'potential'],
} as const

type Kind = keyof typeof attributesOf
const kinds = Object.keys(attributesOf) as Kind[]
const headerBytes = 32

/** How many points are read or written at a time. */
const together = 4096

/** @throws {@link FileFormatError} with the byte */
export async function readTipsy(source: Exclude<FileSource, string>): Promise<TipsySnapshot> {
  const reader = new ByteReader(source, 'TIPSY')
  try {
    const header = await reader.upTo(headerBytes)
    if (header.byteLength < headerBytes) throw reader.fault('expected the header, got the end of the file')
    const dimensions = (little: boolean) => header.getInt32(12, little)
    const little = dimensions(true) === 3
    if (!little && dimensions(false) !== 3) throw reader.fault(`expected 3 dimensions, got ${dimensions(false)}`, 12)
    const time = header.getFloat64(0, little)
    if (!Number.isFinite(time)) throw reader.fault(`expected a finite time, got ${time}`, 0)
    const count = (n: number) => header.getInt32(8 + 4 * n, little)
    const counts = { gas: count(2), dark: count(3), star: count(4) }
    const all = counts.gas + counts.dark + counts.star
    if (Math.min(...Object.values(counts)) < 0 || count(0) !== all)
      throw reader.fault(`expected as many points as of all kinds together, ${all}, got ${count(0)}`, 8)
    const gas = await pointsFrom(reader, 'gas', counts.gas, little)
    const dark = await pointsFrom(reader, 'dark', counts.dark, little)
    const star = await pointsFrom(reader, 'star', counts.star, little)
    await reader.end()
    return { time, gas, dark, star }
  } finally {
    await reader.close()
  }
}

/** The place of one number of a point: the array, its numbers per point, and the component. */
type Slot = readonly [name: string, width: number, component: number]

function slotsOf(kind: Kind): readonly Slot[] {
  const vector = (name: string) => [0, 1, 2].map((component): Slot => [name, 3, component])
  return [
    ['mass', 1, 0],
    ...vector('position'),
    ...vector('velocity'),
    ...attributesOf[kind].map((name): Slot => [name, 1, 0]),
  ]
}

async function pointsFrom(reader: ByteReader, kind: Kind, count: number, little: boolean): Promise<TipsyPoints> {
  const slots = slotsOf(kind)
  const bytes = 4 * slots.length
  // The header may promise any number of points, so the arrays grow with the points that arrive.
  const arrays = new Map(slots.map(([name]) => [name, new Float32Array(0)]))
  for (let first = 0; first < count; ) {
    const start = reader.at
    const asked = Math.min(together, count - first)
    const view = await reader.upTo(asked * bytes)
    const come = Math.floor(view.byteLength / bytes)
    for (const [k, [name, width, component]] of slots.entries()) {
      const array = grown(arrays.get(name), width * (first + come), width * count)
      arrays.set(name, array)
      for (let n = 0; n < come; n++) array[width * (first + n) + component] = view.getFloat32(n * bytes + 4 * k, little)
    }
    requireFinite(reader, view, come * slots.length, start, little)
    first += come
    if (come < asked) throw reader.fault(`expected point ${first + 1} of ${count} of ${kind}, got the end of the file`)
  }
  return Object.fromEntries(arrays) as Readonly<Record<string, Float32Array>> as TipsyPoints
}

/** An array with room for `needed` numbers, but never more than `most`. */
function grown(array = new Float32Array(0), needed: number, most: number): Float32Array<ArrayBuffer> {
  if (needed <= array.length) return array
  const larger = new Float32Array(Math.min(most, Math.max(needed, 2 * array.length)))
  larger.set(array)
  return larger
}

function requireFinite(reader: ByteReader, view: DataView, numbers: number, start: number, little: boolean): void {
  for (let n = 0; n < numbers; n++) {
    const value = view.getFloat32(4 * n, little)
    if (!Number.isFinite(value)) throw reader.fault(`expected a finite number, got ${value}`, start + 4 * n)
  }
}

/**
 * The bytes of a file in the standard order, in pieces. Numbers are rounded to float32. Missing attributes become 0.
 *
 * @throws TypeError, RangeError if the snapshot does not fit a TIPSY file
 */
export function writeTipsy(
  snapshot: { readonly time?: number } & Partial<
    Record<Kind, Pick<TipsyPoints, 'position' | 'velocity' | 'mass'> & Readonly<Record<string, ArrayLike<number>>>>
  >,
): Generator<Uint8Array<ArrayBuffer>, void> {
  requireNames(snapshot, 'snapshot')
  const { time = 0, ...given } = snapshot
  requireNumber(time, 'time')
  for (const [name, points] of Object.entries(given)) {
    if (!kinds.includes(name as Kind)) throw new RangeError(`"${name}" expected ${kinds.join(', ')}`)
    if (points) requireKind(name as Kind, points)
  }
  return piecesFrom(time, given)
}

type Given = Readonly<Record<string, ArrayLike<number>>>

function requireKind(kind: Kind, points: Given): void {
  requireNames(points, kind)
  const slots = slotsOf(kind)
  const widths = new Map<string, number>(slots.map(([name, width]) => [name, width]))
  const count = points.mass?.length ?? 0
  for (const name of ['mass', 'position', 'velocity'])
    if (typeof points[name]?.length !== 'number') throw unexpected(`${kind}.${name}`, 'an array', points[name])
  for (const [name, array] of Object.entries(points)) {
    if (array === undefined) continue
    const width = widths.get(name)
    if (width === undefined)
      throw new RangeError(`"${kind}.${name}" has no place in a TIPSY file, which has ${[...widths.keys()].join(', ')}`)
    if (array.length !== width * count)
      throw new RangeError(`"${kind}.${name}" expected length ${width * count}, got ${array.length}`)
    for (let n = 0; n < array.length; n++) {
      const value: unknown = array[n]
      if (typeof value !== 'number' || !Number.isFinite(Math.fround(value)))
        throw new RangeError(`"${kind}.${name}" expected finite float32 numbers, got ${described(value)} at index ${n}`)
    }
  }
}

function* piecesFrom(
  time: number,
  given: Partial<Readonly<Record<Kind, Given>>>,
): Generator<Uint8Array<ArrayBuffer>, void> {
  const [gas = 0, dark = 0, star = 0] = kinds.map((kind) => given[kind]?.mass?.length ?? 0)
  const header = new DataView(new ArrayBuffer(headerBytes))
  header.setFloat64(0, time)
  for (const [n, value] of [gas + dark + star, 3, gas, dark, star].entries()) header.setInt32(8 + 4 * n, value)
  yield new Uint8Array(header.buffer)
  for (const kind of kinds) {
    const points = given[kind]
    const slots = slotsOf(kind)
    const count = points?.mass?.length ?? 0
    for (let first = 0; first < count; first += together) {
      const view = new DataView(new ArrayBuffer(4 * slots.length * Math.min(together, count - first)))
      for (let at = 0; at < view.byteLength; at += 4) {
        const [name, width, component] = slots[(at / 4) % slots.length] as Slot
        const n = first + Math.floor(at / 4 / slots.length)
        view.setFloat32(at, points?.[name]?.[n * width + component] ?? 0)
      }
      yield new Uint8Array(view.buffer)
    }
  }
}
