/**
 * Compiles a workload ahead of time, for files: its passes for every version of WebGL and kind of device, for any number of points.
 *
 * @module
 */
import type { Shape, Workload } from '@manybody/core'
import { guardsOf } from '@manybody/core/backend'
import { guardRule } from '@manybody/core/expression'
import {
  type CompiledWebGl,
  dialectName,
  type FiledDesign,
  type FiledDialect,
  type FiledForm,
  type FiledGuards,
  tilesKey,
} from '../../design/compiled.ts'
import type { DeviceFacts } from '../../design/facts.ts'
import { rowLength } from '../../design/layout.ts'
import { dialectOf } from '../glsl/dialect.ts'
import { designOf } from './designs.ts'

export interface AheadOptions {
  /** The forms that the numbers of a run may have: coordinates in two parts, lengths in another unit. */
  readonly forms: readonly Pick<Shape, 'split' | 'scaled'>[]
  /** The most targets that a loop folds at the same time; by default as many as the dialect allows. */
  readonly together?: number
}

/** Devices that differ in their GLSL, or in the number of sheets that they can draw at the same time. */
const devices: readonly DeviceFacts[] = [
  { version: 1, kind: 'software', outputs: 1 },
  ...(['software', 'hardware'] as const).flatMap((kind) =>
    [1, 4].map((outputs) => ({ version: 2, kind, outputs }) as const),
  ),
]

/** @param shape its numbers of points do not matter */
export function compileWebGl(
  workload: Workload,
  shape: Shape,
  { forms, together = Number.POSITIVE_INFINITY }: AheadOptions,
): CompiledWebGl {
  return forms.map((form) => formOf(workload, { ...shape, ...form }, together))
}

function formOf(workload: Workload, shape: Shape, together: number): FiledForm {
  const rule = guardRule(workload, shape)
  const dialects: Record<string, FiledDialect> = {}
  for (const facts of devices) {
    const dialect = dialectOf(facts)
    const { targets, tileRows } = dialect
    const designs: Record<string, FiledGuards> = { ...dialects[dialectName(facts)]?.designs }
    for (let folded = 1; folded <= Math.min(targets, together); folded++) {
      // Just enough targets for a loop that folds this many at the same time.
      const points = workload.loop === 'pair' ? { ...shape, targets: folded * tileRows * rowLength } : shape
      const made = guardsOf(rule).map((guard) => [guard, designOf(workload, points, dialect, guard)] as const)
      const tiles = made[0]?.[1].passes.at(-1)?.tiles
      designs[tilesKey(tiles)] ??= Object.fromEntries(made.map(([guard, design]) => [guard, filed(design)]))
    }
    dialects[dialectName(facts)] = { tiling: { targets, tileRows }, designs }
  }
  return { split: shape.split === true, scaled: shape.scaled === true, rule, dialects }
}

function filed(design: ReturnType<typeof designOf>): FiledDesign {
  const passes = design.passes.map(({ size, tiles: _, counts: __, ...pass }) => ({
    ...pass,
    pages: size.width / rowLength,
  }))
  return { ...design, passes } as FiledDesign
}
