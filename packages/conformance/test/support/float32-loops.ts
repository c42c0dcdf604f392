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
  PairWorkload,
  Range,
  RunOptions,
  Shape,
  Workload,
} from '@manybody/core'
import {
  cellBody,
  componentsOf,
  type ElementBody,
  gridParameters,
  mapBody,
  needsGuard,
  pairBody,
  stencilBody,
} from '@manybody/core/backend'
import { type Binding, type Expr, evaluate, type Language, render } from '@manybody/core/expression'
import { type FoundTerm, foldTerms, type Row, rowOf } from './float32-folds.ts'
import type { Value } from './rounding-language.ts'

type Names = Record<string, number>
type Arrays = Readonly<Record<string, FloatArray>>

const axes = ['x', 'y', 'z'] as const

/** Values that are the same for a whole run: made in float64, handed over in float32. */
function runValues(bindings: readonly Binding[], parameters: Readonly<Record<string, number>>): Names {
  const known: Names = { ...parameters }
  for (const { name, expr } of bindings) known[name] = evaluate(expr, known)
  return Object.fromEntries(Object.entries(known).map(([name, value]) => [name, Math.fround(value)]))
}

export function pairs(
  workload: PairWorkload,
  shape: Shape,
  bindings: Bindings,
  options: RunOptions,
  language: Language<Value>,
): ArrayResults {
  const { dimension } = shape
  const guard = needsGuard(workload, dimension, bindings.parameters)
  const body = pairBody(workload, shape, { guard })
  const bound = (list: readonly Binding[]) => list.map(({ name, expr }) => [name, render(expr, language)] as const)
  const compiled = (e: Expr | undefined) => (e ? render(e, language) : undefined)
  const [loop, target, source] = [bound(body.loop), bound(body.target), bound(body.source)]
  const [terms, keep, scale] = [body.terms.map((e) => compiled(e) as Value), compiled(body.keep), compiled(body.scale)]
  const perPair = [...source, ...loop]
  const run = runValues(body.run, bindings.parameters)
  const [targets, sources] = [bindings.targets.arrays as Arrays, bindings.sources.arrays as Arrays]
  const used = axes.slice(0, dimension)
  const components = workload.reduction === 'count' ? 1 : componentsOf(workload, dimension)
  const point = (names: Names, side: 'i' | 'j', at: number, arrays: Arrays, attributes: readonly string[]) => {
    for (const [n, axis] of used.entries())
      names[axis + side] = Math.fround(arrays.position?.[at * dimension + n] as number)
    for (const name of attributes) names[`${name}_${side}`] = Math.fround(arrays[name]?.[at] as number)
  }
  const [firstTarget, lastTarget] = options.targets ?? [0, shape.targets]
  const [first, last] = options.sources ?? [0, shape.sources]
  const rows: Row[] = []
  for (let i = firstTarget; i < lastTarget; i++) {
    const names: Names = { ...run }
    point(names, 'i', i, targets, body.attributes.targets)
    for (const [name, value] of target) names[name] = value(names)
    const excluded = bindings.exclusions?.sources.subarray(
      bindings.exclusions.offsets[i],
      bindings.exclusions.offsets[i + 1],
    )
    const found: FoundTerm[] = []
    for (let j = first; j < last; j++) {
      if (body.skipSelf && i === j) continue
      if (excluded?.includes(j)) continue
      point(names, 'j', j, sources, body.attributes.sources)
      for (const [name, value] of perPair) names[name] = value(names)
      if (keep && !keep(names)) continue
      const values = terms.map((term) => term(names))
      const [coefficient = 0] = values
      found.push({
        j,
        term:
          body.form === 'radial'
            ? used.map((axis) => Math.fround(coefficient * (names[`d${axis}`] as number)))
            : values,
      })
    }
    const context = { workload, components, sources: shape.sources, scale: scale?.(names) ?? 1 }
    rows.push(foldTerms(context, found, rowOf(options.initial, i - firstTarget, lastTarget - firstTarget)))
  }
  return columns(workload, rows)
}

function columns(workload: PairWorkload, rows: readonly Row[]): ArrayResults {
  const types: Readonly<Record<string, Float32ArrayConstructor | Int32ArrayConstructor | Uint32ArrayConstructor>> = {
    index: Int32Array,
    count: Uint32Array,
  }
  return Object.fromEntries(
    workload.results.map((name) => [name, (types[name] ?? Float32Array).from(rows.flatMap((row) => row[name] ?? []))]),
  )
}

export function elements(
  workload: Exclude<Workload, PairWorkload>,
  shape: Shape,
  bindings: Bindings,
  language: Language<Value>,
): ArrayResults {
  const arrays = bindings.targets.arrays as Arrays
  if (workload.loop === 'grid') {
    const parameters = { ...gridParameters(workload.grid), ...bindings.parameters }
    const load = cellLoad(workload.grid, arrays.field as FloatArray)
    return evaluated(stencilBody(workload), shape.targets, parameters, load, language)
  }
  const load = pointLoad(shape, arrays)
  if (workload.operation === 'map')
    return evaluated(mapBody(workload, shape), shape.targets, bindings.parameters, load, language)
  const { index } = evaluated(cellBody(workload.grid), shape.targets, gridParameters(workload.grid), load, language)
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
  language: Language<Value>,
): ArrayResults {
  const run = runValues(body.run, parameters)
  const loop = body.loop.map(({ name, expr }) => [name, render(expr, language)] as const)
  const outputs = Object.entries(body.outputs).map(
    ([name, list]) => [name, list.map((e) => render(e, language))] as const,
  )
  const results: Record<string, number[]> = Object.fromEntries(outputs.map(([name]) => [name, []]))
  for (let element = 0; element < count; element++) {
    const names: Names = { ...run }
    for (const name of body.loads) names[name] = Math.fround(load(name, element))
    for (const [name, value] of loop) names[name] = value(names)
    for (const [name, components] of outputs) results[name]?.push(...components.map((value) => value(names)))
  }
  return Object.fromEntries(Object.entries(results).map(([name, values]) => [name, Float32Array.from(values)]))
}

function pointLoad({ dimension, vectors }: Shape, arrays: Arrays): (name: string, element: number) => number {
  return (name, p) => {
    const vector = vectors.find((v) => name.startsWith(`${v}_`) && name.length === v.length + 2)
    const axis = 'xyz'.indexOf(name.slice(-1))
    return (vector ? arrays[vector]?.[p * dimension + axis] : arrays[name]?.[p]) as number
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

/** How many a range holds. */
export const lengthOf = (range: Range | undefined, all: number): number => (range ? range[1] - range[0] : all)
