/**
 * Prepares the points for a pair loop: coordinates and hoisted values of targets and sources, computed once per point. One
 * pointer with constant offsets reaches all values of a point.
 *
 * - `register`: for the side in lanes. Each register of points has one register per value.
 * - `record`: for the side that is visited point by point. Each point has its values in a row, to be splatted.
 *
 * @module
 */

import { axes, axesOf } from '@manybody/core/backend'
import type { Fold, PairBody } from '@manybody/core/expression'
import { type Binding, symbolsOf } from '@manybody/core/expression'
import type { PointStore, Side } from '../../design/design.ts'
import type { ModuleWriter, Values } from '../expressions/module-writer.ts'
import type { StoredCoordinates } from '../lists/coordinates.ts'
import { element, loadElements } from '../wasm/elements.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { at, type Node, op, plus, times } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'
import { parameterVectors, pointFolds, type StoredVector, storedVectors, storeVectors } from './vectors.ts'

export type PointLayout = 'register' | 'record'

/** The values of the points of one side that the loop reads, in memory order. */
export interface PointValues {
  readonly side: Side
  readonly arrangement: PointLayout
  readonly names: readonly string[]
  /** The vectors that follow them. */
  readonly vectors: readonly StoredVector[]
  /** The address of a point, if the loop visits points one by one although they are lanes of registers. */
  readonly laneAt?: (base: Node, place: Node) => Node
}

const suffixes = { target: 'i', source: 'j' } as const

/** The values of one side that a body uses. @param lengths those of vectors */
export function pointValues(
  body: PairBody,
  side: Side,
  arrangement: PointLayout,
  lengths: Readonly<Record<string, number>> = {},
): PointValues {
  const optional = [body.keep, body.scale].filter((e) => e !== undefined)
  const places = body.reads.flatMap(({ before, place }) => [...before.map((b) => b.expr), place])
  const sizes = body.sizes ? [body.sizes.target, body.sizes.source] : []
  const used = symbolsOf(...places, ...body.loop.map((b) => b.expr), ...body.terms, ...body.reaction, ...optional)
  for (const size of sizes) used.add(size)
  const coordinates = axes.map((axis) => `${axis}${suffixes[side]}`)
  const names = [...coordinates, ...body[side].map((b) => b.name)].filter((name) => used.has(name))
  const vectors = storedVectors(body, suffixes[side], lengths, names.length)
  return { side, arrangement, names, vectors }
}

/** Bytes of one point, or of one register of points. */
export function bytesOf(writer: ModuleWriter, { names, vectors, arrangement }: PointValues): number {
  const numbers = vectors.reduce((total, { length }) => total + length, names.length)
  return Math.max(1, numbers) * (arrangement === 'register' ? writer.vector.width : writer.vector.bytes)
}

/** How the host stores both sides. */
export function storesOf(
  writer: ModuleWriter,
  target: PointValues,
  source: PointValues,
): Readonly<Record<Side, PointStore>> {
  const store = (points: PointValues): PointStore =>
    points.laneAt
      ? { lanes: 1, bytes: 0 }
      : { lanes: points.arrangement === 'register' ? writer.vector.lanes : 1, bytes: bytesOf(writer, points) }
  return { target: store(target), source: store(source) }
}

/** The input of the phase: hoisted bindings, and the attributes that they read. */
export interface PointSource {
  readonly run: readonly Binding[]
  readonly bindings: readonly Binding[]
  readonly attributes: readonly string[]
  /** The folds over vectors of one side, and the number of components of each vector. */
  readonly folds?: readonly Fold[]
  readonly lengths?: Readonly<Record<string, number>> | undefined
  readonly dimension: number
  /** Whether points are read in the order of places. */
  readonly ordered: boolean
  /** Whether these are proxies of sources. Proxies have separate arrays and a separate phase. */
  readonly proxies?: boolean
}

/** Adds the phase `targets`, `sources` or `proxies`. Its units are registers of points. */
export function preparePoints(writer: ModuleWriter, points: PointValues, from: PointSource): void {
  const { vector } = writer
  const { side, arrangement, names } = points
  const suffix = suffixes[side]
  const stride = bytesOf(writer, points)
  const [set, phase] = from.proxies ? ['proxy', 'proxies'] : [side, `${side}s`]
  writer.phase(phase, (code, { block, first, last }) => {
    const array = (name: string) => writer.slot(code, block, `${set}.${name}`)
    const folds = (from.folds ?? []).filter((one) => one.side === side)
    const parts = points.vectors.flatMap(({ part }) => (part ? [part.of] : []))
    const vectors = parameterVectors(writer, code, block, [...folds, ...parts])
    const numbers = new Map([...writer.numbers(code, block, from.run), ...vectors])
    const placed = axesOf(from.dimension).filter((letter) => names.includes(`${letter}${suffix}`))
    const position = placed.length > 0 || !from.lengths ? array('position') : undefined
    const attributes = from.attributes.map((name) => [name, array(name)] as const)
    const to = writer.slot(code, block, phase)
    const order = from.ordered ? writer.slot(code, block, `${side}Order`) : undefined
    code.for('n', first, last, 1, (n) => {
      const start = code.let('i32', 'start', times(n, vector.lanes))
      const values = new Map(numbers)
      const load = order ? gathered(code, vector, plus(order, times(start, 4))) : consecutive(code, vector, start)
      const coordinates = position && load(position, from.dimension)
      for (const [axis, letter] of axesOf(from.dimension).entries()) {
        const name = `${letter}${suffix}`
        if (!names.includes(name) || !coordinates) continue
        values.set(name, code.let('v128', name, coordinates(axis)))
      }
      for (const [name, address] of attributes) {
        values.set(`${name}_${suffix}`, code.let('v128', name, load(address, 1)(0)))
      }
      const own = vectorsFrom(code, writer, { start, array, side, lengths: from.lengths ?? {}, numbers, block })
      for (const [name, sum] of pointFolds(code, folds, own)) values.set(name, sum)
      const value = writer.evaluate(code, values, from.bindings)
      const registers = names.map((name) => value({ kind: 'symbol', name }))
      if (arrangement === 'register') {
        const address = code.let('i32', 'at', registerAt(writer, points, to, n))
        code.emit(...registers.map((register, k) => at('v128.store', k * vector.width, address, register)))
        storeVectors(code, points.vectors, own, { address, record: undefined })
      } else {
        const address = element(code, to, start, stride)
        for (const [k, register] of registers.entries())
          for (let lane = 0; lane < vector.lanes; lane++)
            code.emit(vector.storeLane(lane, k * vector.bytes + lane * stride, address, register))
        storeVectors(code, points.vectors, own, { address, record: stride })
      }
    })
  })
}

/** The vectors of a register of points in their arrays. Lanes past the last point read the last one. */
function vectorsFrom(
  code: FunctionBuilder,
  writer: ModuleWriter,
  from: {
    readonly [Name in 'start' | 'block']: Node
  } & {
    readonly array: (name: string) => Node
    readonly side: Side
    readonly lengths: Readonly<Record<string, number>>
    readonly numbers: Values
  },
): Parameters<typeof pointFolds>[2] {
  const { start, block, array, side, lengths, numbers } = from
  const { vector } = writer
  const lanes = (attribute: string) => {
    const last = code.let('i32', 'last', plus(writer.slot(code, block, `${side}Count`), -1))
    return Array.from({ length: vector.lanes }, (_, lane) => {
      const own = code.let('i32', 'point', plus(start, lane))
      const point = op('select', own, last, op('i32.lt_u', own, last))
      return element(code, array(attribute), point, (lengths[attribute] ?? 0) * vector.bytes)
    })
  }
  return { writer, lanes, lengths, numbers }
}

/** Loads components of a register of points, from an array with `components` numbers per point. */
type Load = (array: Node, components: number) => (component: number) => Node

/** Loads consecutive points. */
const consecutive =
  (code: FunctionBuilder, vector: Vector, start: Node): Load =>
  (array, components) => {
    const address = element(code, array, start, components * vector.bytes)
    return (component) => loadElements(code, vector, { address, stride: components, offset: component * vector.bytes })
  }

/** Loads points by their numbers, from the list at an address. */
function gathered(code: FunctionBuilder, vector: Vector, numbers: Node): Load {
  const points = Array.from({ length: vector.lanes }, (_, lane) =>
    code.let('i32', 'point', at('i32.load', lane * 4, numbers)),
  )
  return (array, components) => {
    const addresses = points.map((point) => element(code, array, point, components * vector.bytes))
    return (component) =>
      addresses.reduce(
        (register, address, lane) => vector.loadLane(lane, component * vector.bytes, address, register),
        code.constant('i32x4', 0),
      )
  }
}

/** Loads the values of one point, or of one register of points. */
export function loadPoint(
  writer: ModuleWriter,
  { names, arrangement, laneAt }: PointValues,
  address: Node,
): readonly (readonly [name: string, value: Node])[] {
  const { vector } = writer
  return names.map((name, k) => [
    name,
    arrangement === 'register'
      ? at('v128.load', k * vector.width, address)
      : vector.loadSplat(k * (laneAt ? vector.width : vector.bytes), address),
  ])
}

/** The address of the n-th register of points. */
export function registerAt(writer: ModuleWriter, points: PointValues, base: Node, n: Node): Node {
  const bytes = bytesOf(writer, points)
  return n.kind === 'constant' ? plus(base, Number(n.value) * bytes) : plus(base, times(n, bytes))
}

/** Where neighbour lists read the coordinates and sizes of points. */
export function coordinatesIn(
  writer: ModuleWriter,
  points: PointValues,
  dimension: number,
  sizes: PairBody['sizes'],
): StoredCoordinates {
  const bytes = points.arrangement === 'register' ? writer.vector.width : writer.vector.bytes
  const offsetOf = (name: string) => points.names.indexOf(name) * bytes
  return {
    bytes: bytesOf(writer, points),
    axes: axesOf(dimension).map((axis) => offsetOf(`${axis}${suffixes[points.side]}`)),
    asTarget: sizes ? offsetOf(sizes.target) : 0,
    asSource: sizes ? offsetOf(sizes.source) : 0,
  }
}
