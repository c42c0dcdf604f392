/**
 * Vectors in a loop over pairs: their components in prepared points, and the sums over components (folds).
 *
 * Components follow the other values of a point. Several registers of points meet one record at a time, component by component, so
 * that each component of the record is loaded once for all registers.
 *
 * @module
 */
import { type ComponentLoop, type Fold, type PairBody, symbolsOf, type TermLoop } from '@manybody/core/expression'
import type { ModuleWriter, Values } from '../expressions/module-writer.ts'
import { value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, get, i32, type Local, type Node, op, plus, set, times } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'

/** A vector of prepared points: where its components begin, and their number. */
export interface StoredVector {
  /** `x_i` or `y_j`. */
  readonly name: string
  /** How many numbers of a point precede it. */
  readonly first: number
  readonly length: number
  /** If it is a part of the term: what gives it of the vectors of a point. */
  readonly part?: { readonly of: TermLoop; readonly side: 'target' | 'source' }
}

/** The loops over components that a pair has: its folds, and its term if that is a vector. */
export const pairComponents = ({ folds, vector }: Pick<PairBody, 'folds' | 'vector'>): readonly ComponentLoop[] => [
  ...folds.filter(({ side }) => !side),
  ...(vector ? [vector] : []),
]

/** The vectors that the loops of a pair read of one side, after `count` other values. */
export function storedVectors(
  body: Pick<PairBody, 'folds' | 'vector'>,
  suffix: 'i' | 'j',
  lengths: Readonly<Record<string, number>>,
  count: number,
): readonly StoredVector[] {
  const side = suffix === 'i' ? 'target' : 'source'
  const lengthOf = (name: string) => lengths[name.slice(0, -2)] ?? 0
  const ofFolds = body.folds.flatMap(({ side, vectors }) => (side ? [] : vectors))
  const { vector } = body
  const read = vector ? [...symbolsOf(vector.value, ...vector.loop.map(({ expr }) => expr))] : []
  const whole = read.filter((name) => vector?.vectors.includes(name))
  const raw = [...new Set([...ofFolds, ...whole])].filter((name) => name.endsWith(`_${suffix}`))
  const parts = vector ? read.filter((name) => vector.parts[side].some((part) => part.name === name)) : []
  let first = count
  const placed = (name: string, length: number) => {
    first += length
    return { name, first: first - length, length }
  }
  return [
    ...raw.map((name) => placed(name, lengthOf(name))),
    ...(vector
      ? parts.map((name) => ({
          ...placed(name, lengthOf(vector.vectors[0] ?? '')),
          part: { of: vector, side } as const,
        }))
      : []),
  ]
}

/** Components that one pass through the loop adds, before they join the sum: so sums of long vectors round less. */
const unrolled = 8
/** Vectors up to this length have no loop. */
const shortest = 15

/** Writes the parts of a loop over components: each has up to `unrolled`. `k` is the first one in bytes of a number, if it changes. */
export function eachPart(
  code: FunctionBuilder,
  length: number,
  bytes: number,
  write: (k: Node | undefined, components: readonly number[]) => void,
): void {
  const looped = length <= shortest ? 0 : length - (length % unrolled)
  const from = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n)
  if (looped > 0)
    code.for('component', i32(0), i32(looped * bytes), unrolled * bytes, (k) => write(k, from(0, unrolled)))
  for (let first = looped; first < length; first += unrolled)
    write(undefined, from(first, Math.min(unrolled, length - first)))
}

/** Writes `write(k, n)` for each component n after `k`. */
function eachComponent(
  code: FunctionBuilder,
  length: number,
  bytes: number,
  write: (k: Node | undefined, offset: number) => void,
): void {
  eachPart(code, length, bytes, (k, components) => {
    for (const n of components) write(k, n)
  })
}

/** Folds over vectors of one length share a loop. */
function byLength(folds: readonly Fold[], lengthOf: (fold: Fold) => number): ReadonlyMap<number, readonly Fold[]> {
  const groups = new Map<number, Fold[]>()
  for (const fold of folds) groups.set(lengthOf(fold), [...(groups.get(lengthOf(fold)) ?? []), fold])
  return groups
}

/** Points whose vectors a fold reads. */
export interface VectorPlaces {
  readonly vectors: readonly StoredVector[]
  /** The address of a record, or of the first of consecutive registers. */
  readonly address: Node
}

interface FoldOptions {
  readonly writer: ModuleWriter
  readonly folds: readonly Fold[]
  readonly record: VectorPlaces
  readonly registers: VectorPlaces & { readonly count: number; readonly bytes: number }
  readonly numbers: Values
}

/** The address of each vector among the parameters that loops over components read, by the name of its components. */
export function parameterVectors(
  writer: ModuleWriter,
  code: FunctionBuilder,
  block: Node,
  loops: readonly ComponentLoop[],
): readonly [string, Node][] {
  const starts = new Map(loops.flatMap(({ parameters }) => parameters.map(({ name, start }) => [name, start])))
  return [...starts].map(([name, start]) => {
    const address = value(code)`
      scalar number = ${writer.vector.number}
      const start = i32.trunc_sat_f64_s(f64(number[${block} + ${writer.offset(start)}]))
      i32[${block} + ${writer.offset('tables')}] + start * ${writer.vector.bytes}`
    return [addressOf(name), code.let('i32', name, address)]
  })
}

const addressOf = (parameter: string) => `${parameter}.address`

/** Component n after `k` of each vector among the parameters of loops, in all lanes. */
export function givenComponents(
  code: FunctionBuilder,
  vector: Vector,
  loops: readonly ComponentLoop[],
  numbers: Values,
  k: Node | undefined,
  n: number,
): Values {
  const names = new Set(loops.flatMap(({ parameters }) => parameters.map(({ name }) => name)))
  return new Map(
    [...names].map((name) => {
      const first = numbers.get(addressOf(name)) as Node
      return [name, code.let('v128', name, vector.loadSplat(n * vector.bytes, k ? plus(first, k) : first))] as const
    }),
  )
}

/** The folds of one record with each of some registers of points, by name. */
export function pairFolds(
  code: FunctionBuilder,
  { writer, folds, record, registers, numbers }: FoldOptions,
): readonly Values[] {
  const { vector } = writer
  const all = folds.filter(({ side }) => !side)
  const stored = new Map([...record.vectors, ...registers.vectors].map((one) => [one.name, one] as const))
  const lengthOf = ({ vectors }: Fold) => stored.get(vectors[0] as string)?.length ?? 0
  const rows = Array.from({ length: registers.count }, () => new Map<string, Node>())
  for (const [length, group] of byLength(all, lengthOf)) {
    const sums = rows.map(() => group.map((fold) => new Sum(code, writer, fold)))
    const needed = new Set(group.flatMap(({ vectors }) => vectors))
    const own = (all: readonly StoredVector[]) => all.filter(({ name }) => needed.has(name))
    eachPart(code, length, vector.bytes, (k, components) => {
      const there = k ? code.let('i32', 'there', plus(record.address, k)) : record.address
      const wide = (bytes: Node) => times(bytes, vector.width / vector.bytes)
      const here = k ? code.let('i32', 'here', op('i32.add', registers.address, wide(k))) : registers.address
      for (const n of components) {
        const shared = own(record.vectors).map(
          ({ name, first }) =>
            [name, code.let('v128', name, vector.loadSplat((first + n) * vector.bytes, there))] as const,
        )
        const given = givenComponents(code, vector, group, numbers, k, n)
        for (const [u, row] of sums.entries()) {
          const loaded = own(registers.vectors).map(({ name, first }) => {
            const offset = u * registers.bytes + (first + n) * vector.width
            return [name, code.let('v128', name, at('v128.load', offset, here))] as const
          })
          for (const sum of row) sum.add(new Map([...numbers, ...given, ...shared, ...loaded]))
        }
      }
      for (const sum of sums.flat()) sum.join()
    })
    for (const [u, row] of rows.entries()) for (const sum of sums[u] ?? []) row.set(sum.fold.name, sum.total)
  }
  return rows
}

/** A sum over components while it is written. The components of a part join before they join the total. */
class Sum {
  readonly #total: Local
  readonly #part: Local
  #empty = true

  constructor(
    readonly code: FunctionBuilder,
    readonly writer: ModuleWriter,
    readonly fold: Fold,
  ) {
    this.#total = code.local('v128', fold.name)
    this.#part = code.local('v128', 'part')
    code.emit(set(this.#total, writer.vector.constant(code, 0)))
  }

  /** Adds a component, given the components of the vectors. */
  add(values: Values): void {
    const { loop, value } = this.fold
    const term = this.writer.evaluate(this.code, values, loop)(value)
    this.code.emit(set(this.#part, this.#empty ? term : this.writer.sum(get(this.#part), term)))
    this.#empty = false
  }

  join(): void {
    this.code.emit(set(this.#total, this.writer.vector.op('add', get(this.#total), get(this.#part))))
    this.#empty = true
  }

  get total(): Node {
    return get(this.#total)
  }
}

interface PointVectors {
  readonly writer: ModuleWriter
  /** The addresses of the same vectors for each lane, by the name of the attribute. */
  readonly lanes: (attribute: string) => readonly Node[]
  readonly lengths: Readonly<Record<string, number>>
  readonly numbers: Values
}

/** One component of a vector, of each lane. */
function component(
  { writer: { vector } }: PointVectors,
  code: FunctionBuilder,
  lanes: readonly Node[],
  k: Node | undefined,
  n: number,
): Node {
  return lanes.reduce(
    (register, address, lane) => vector.loadLane(lane, n * vector.bytes, k ? plus(address, k) : address, register),
    code.constant('i32x4', 0),
  )
}

/** The folds over the vectors of a register of points, by name. */
export function pointFolds(code: FunctionBuilder, folds: readonly Fold[], points: PointVectors): Values {
  const { writer, lengths, numbers } = points
  const { vector } = writer
  const attribute = (name: string) => name.slice(0, -2)
  const results = new Map<string, Node>()
  for (const fold of folds) {
    const sum = new Sum(code, writer, fold)
    const lanes = fold.vectors.map((name) => [name, points.lanes(attribute(name))] as const)
    eachPart(code, lengths[attribute(fold.vectors[0] as string)] ?? 0, vector.bytes, (k, components) => {
      for (const n of components) {
        const values = lanes.map(
          ([name, at]) => [name, code.let('v128', name, component(points, code, at, k, n))] as const,
        )
        const given = givenComponents(code, vector, [fold], numbers, k, n)
        sum.add(new Map([...numbers, ...given, ...values]))
      }
      sum.join()
    })
    results.set(fold.name, sum.total)
  }
  return results
}

/** Copies the vectors of a register of points to their places: as registers, or into the record of each point. */
export function storeVectors(
  code: FunctionBuilder,
  vectors: readonly StoredVector[],
  points: PointVectors,
  to: { readonly address: Node; readonly record: number | undefined },
): void {
  const { vector } = points.writer
  for (const { name, first, length, part } of vectors) {
    const read = part ? part.of.vectors.filter((one) => one.endsWith(part.side === 'target' ? '_i' : '_j')) : [name]
    const lanes = read.map((one) => [one, points.lanes(one.slice(0, -2))] as const)
    eachComponent(code, length, vector.bytes, (k, n) => {
      const loaded = lanes.map(
        ([one, own]) => [one, code.let('v128', one, component(points, code, own, k, n))] as const,
      )
      const given = part ? givenComponents(code, vector, [part.of], points.numbers, k, n) : []
      const values = new Map([...points.numbers, ...given, ...loaded])
      const own = points.writer.evaluate(code, values, part?.of.parts[part.side] ?? [])({ kind: 'symbol', name })
      const register = code.let('v128', name, own)
      const { record } = to
      if (record === undefined) {
        const here = k ? plus(to.address, times(k, vector.width / vector.bytes)) : to.address
        return code.emit(at('v128.store', (first + n) * vector.width, here, register))
      }
      const here = k ? code.let('i32', 'to', plus(to.address, k)) : to.address
      for (let lane = 0; lane < vector.lanes; lane++)
        code.emit(vector.storeLane(lane, (first + n) * vector.bytes + lane * record, here, register))
    })
  }
}
