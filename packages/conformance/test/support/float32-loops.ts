/**
 * The loops of the float32 backend: over pairs, and over points or cells.
 *
 * @module
 */
import type {
  ArrayResults,
  Bindings,
  FloatArray,
  Grid,
  MapWorkload,
  PairWorkload,
  RunOptions,
  Shape,
  Workload,
} from '@manybody/core'
import type { RunRanges } from '@manybody/core/backend'
import {
  type Binding,
  cellBody,
  type ElementBody,
  type Expr,
  evaluate,
  gridParameters,
  type LoadPlace,
  loadPlace,
  mapBody,
  needsGuard,
  pairBody,
  render,
  stencilBody,
} from '@manybody/core/expression'
import { foldOf } from '../../../core/src/truth/reference/folds.ts'
import { float32LogSumExp } from './float32-logsumexp.ts'
import { type Roughness, type RoundingLanguage, roundingLanguage, type Value } from './rounding-language.ts'

type Arrays = Readonly<Record<string, FloatArray>>

const axes = ['x', 'y', 'z'] as const

/** A body in the arithmetic of the device. Every symbol gets a slot when it is first used. */
class Compiler {
  readonly #slots = new Map<string, number>()
  readonly #rounding: RoundingLanguage

  constructor(roughness: Roughness) {
    this.#rounding = roundingLanguage(roughness, (name) => this.slot(name))
  }

  slot(name: string): number {
    const at = this.#slots.get(name) ?? this.#slots.size
    this.#slots.set(name, at)
    return at
  }

  value(e: Expr): Value {
    return this.#rounding.value(render(e, this.#rounding.language))
  }

  /** Computes the bindings, and stores their values in their slots. */
  bindings(list: readonly Binding[]): (values: Float64Array) => void {
    const { language, assignments } = this.#rounding
    return assignments(list.map(({ name, expr }) => [this.slot(name), render(expr, language)]))
  }

  /** Slots for all symbols, with the values of a run: computed in float64, stored in float32. */
  values(bindings: readonly Binding[], parameters: Readonly<Record<string, number>>): Float64Array {
    const known: Record<string, number> = { ...parameters }
    for (const { name, expr } of bindings) known[name] = evaluate(expr, known)
    const given = Object.entries(known).map(([name, value]) => [this.slot(name), Math.fround(value)] as const)
    const values = new Float64Array(this.#slots.size).fill(Number.NaN)
    for (const [slot, value] of given) values[slot] = value
    return values
  }
}

export function pairs(
  workload: PairWorkload,
  shape: Shape,
  bindings: Bindings,
  { initial, ...ranges }: RunRanges & Pick<RunOptions, 'initial'>,
  roughness: Roughness,
): ArrayResults {
  const { dimension } = shape
  const guard = needsGuard(workload, dimension, bindings.parameters)
  const body = pairBody(workload, shape, { guard })
  const compiler = new Compiler(roughness)
  const target = compiler.bindings(body.target)
  const source = compiler.bindings(body.source)
  const reads = body.reads.map(({ before, place, numbers }) => ({
    before: compiler.bindings(before),
    place: compiler.value(place),
    numbers: numbers.map(({ name, offset }) => [compiler.slot(name), offset] as const),
  }))
  const loop = compiler.bindings(body.loop)
  const pair = (values: Float64Array) => {
    source(values)
    for (const { before, place, numbers } of reads) {
      before(values)
      for (const [slot, offset] of numbers)
        values[slot] = Math.fround(bindings.tables?.[place(values) + offset] as number)
    }
    loop(values)
  }
  const terms = body.terms.map((e) => compiler.value(e))
  const keep = body.keep && compiler.value(body.keep)
  const scale = body.scale && compiler.value(body.scale)
  const used = axes.slice(0, dimension)
  const displacement = used.map((axis) => compiler.slot(`d${axis}`))
  const loads = (side: 'i' | 'j', arrays: Arrays, attributes: readonly string[]): readonly Load[] => [
    ...used.map((axis, n) => ({
      slot: compiler.slot(axis + side),
      array: arrays.position as FloatArray,
      stride: dimension,
      offset: n,
    })),
    ...attributes.map((name) => ({
      slot: compiler.slot(`${name}_${side}`),
      array: arrays[name] as FloatArray,
      stride: 1,
      offset: 0,
    })),
  ]
  const targets = loads('i', bindings.targets.arrays as Arrays, body.attributes.targets)
  const sources = loads('j', bindings.sources.arrays as Arrays, body.attributes.sources)
  const values = compiler.values(body.run, bindings.parameters)
  const point = (list: readonly Load[], at: number) => {
    for (let n = 0; n < list.length; n++) {
      const { slot, array, stride, offset } = list[n] as Load
      values[slot] = Math.fround(array[at * stride + offset] as number)
    }
  }
  const [firstTarget, lastTarget] = ranges.targets
  const [first, last] = ranges.sources
  const radial = body.form === 'radial'
  const scaled = new Float64Array(Math.max(displacement.length, terms.length))
  const width = radial ? displacement.length : terms.length
  /** Writes the term of the pair in `values`, times `factor`. */
  const writeTerm = (factor: number) => {
    const coefficient = radial ? (terms[0] as Value)(values) : 0
    for (let c = 0; c < width; c++) {
      const term = radial
        ? Math.fround(coefficient * (values[displacement[c] as number] as number))
        : (terms[c] as Value)(values)
      scaled[c] = Math.fround(factor * term)
    }
  }
  const rows = lastTarget - firstTarget
  const fold =
    workload.reduction === 'logsumexp' && !initial
      ? float32LogSumExp(rows, roughness)
      : foldOf(workload, shape, rows, initial)
  for (let i = firstTarget; i < lastTarget; i++) {
    point(targets, i)
    target(values)
    const excluded = new Set(
      bindings.exclusions?.sources.subarray(bindings.exclusions.offsets[i], bindings.exclusions.offsets[i + 1]),
    )
    const factor = scale?.(values) ?? 1
    for (let j = first; j < last; j++) {
      if ((body.skipSelf && i === j) || (excluded.size > 0 && excluded.has(j))) continue
      point(sources, j)
      pair(values)
      if (keep && !keep(values)) continue
      writeTerm(factor)
      fold.add(i - firstTarget, j, scaled)
    }
  }
  return rounded(fold.results())
}

/** An array to load into a slot, element by element. */
interface Load {
  readonly slot: number
  readonly array: FloatArray
  readonly stride: number
  readonly offset: number
}

function rounded(results: ArrayResults): ArrayResults {
  return Object.fromEntries(
    Object.entries(results).map(([name, array]) => [
      name,
      array instanceof Float64Array ? Float32Array.from(array) : array,
    ]),
  )
}

export function elements(
  workload: Exclude<Workload, PairWorkload>,
  shape: Shape,
  bindings: Bindings,
  roughness: Roughness,
): ArrayResults {
  const arrays = bindings.targets.arrays as Arrays
  if (workload.loop === 'grid') {
    const parameters = { ...gridParameters(workload.grid), ...bindings.parameters }
    const load = cellLoad(workload.grid, arrays.field as FloatArray)
    return evaluated(stencilBody(workload), shape.targets, parameters, load, roughness)
  }
  const sources = bindings.sources.arrays as Arrays
  const load = pointLoad(workload.operation === 'map' ? workload : {}, shape, arrays, sources)
  if (workload.operation === 'map')
    return evaluated(mapBody(workload, shape), shape.targets, bindings.parameters, load, roughness)
  const { index } = evaluated(cellBody(workload.grid), shape.targets, gridParameters(workload.grid), load, roughness)
  const { cells } = workload.grid
  const at = (p: number) =>
    cells.reduceRight((cell, n, axis) => cell * n + (index?.[p * cells.length + axis] as number), 0)
  return { index: Int32Array.from({ length: shape.targets }, (_, p) => at(p)) }
}

function evaluated(
  body: ElementBody,
  count: number,
  parameters: Readonly<Record<string, number>>,
  load: (name: string, element: number) => number,
  roughness: Roughness,
): ArrayResults {
  const compiler = new Compiler(roughness)
  const loads = body.loads.map((name) => [compiler.slot(name), name] as const)
  const loop = compiler.bindings(body.loop)
  const outputs = Object.entries(body.outputs).map(
    ([name, list]) => [name, list.map((e) => compiler.value(e))] as const,
  )
  const values = compiler.values(body.run, parameters)
  const results: Record<string, number[]> = Object.fromEntries(outputs.map(([name]) => [name, []]))
  for (let element = 0; element < count; element++) {
    for (const [slot, name] of loads) values[slot] = Math.fround(load(name, element))
    loop(values)
    for (const [name, components] of outputs) results[name]?.push(...components.map((value) => value(values)))
  }
  return Object.fromEntries(Object.entries(results).map(([name, values]) => [name, Float32Array.from(values)]))
}

/** Attributes of points, components of vectors, and either of the sources that a map reads by index. */
function pointLoad(
  workload: Pick<MapWorkload, 'gather'>,
  shape: Shape,
  targets: Arrays,
  sources: Arrays,
): (name: string, element: number) => number {
  const places = new Map<string, LoadPlace>()
  return (name, p) => {
    const place = places.get(name) ?? loadPlace(name, workload, shape)
    places.set(name, place)
    const { array, axis, at } = place
    const [from, element] = at === undefined ? [targets, p] : [sources, targets[at]?.[p] as number]
    return from[array]?.[axis === undefined ? element : element * shape.dimension + axis] as number
  }
}

function cellLoad({ cells, edges }: Grid, field: FloatArray): (name: string, element: number) => number {
  const [nx = 1, ny = 1, nz = 1] = cells
  const wrap = (k: number, n: number) => (edges === 'clamp' ? Math.min(Math.max(k, 0), n - 1) : (k + n) % n)
  return (name, cell) => {
    const at = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / (nx * ny))]
    const axis = 'xyz'.indexOf(name.charAt(0))
    if (axis >= 0) at[axis] = (at[axis] as number) + (name.endsWith('p') ? 1 : -1)
    const [x = 0, y = 0, z = 0] = at
    return field[wrap(x, nx) + nx * (wrap(y, ny) + ny * wrap(z, nz))] as number
  }
}
