/**
 * How a loop ran, as reports show it.
 *
 * @module
 */
import type { Shape } from '@manybody/core'
import { blockPoints } from '@manybody/core/backend'
import { type LoopPlan, tileSources } from '../plans/plan.ts'
import { survivesWidening } from '../quirks/widened-calls.ts'
import type { ProgramDesign } from './design.ts'

/** A program that was compiled. */
interface Compiled {
  readonly design: ProgramDesign
  readonly widened: boolean
}

export function variantOf(plan: LoopPlan, program: Compiled | undefined, threads: number): string {
  const { design, widened = false } = program ?? {}
  const { tile, visit } = plan
  const registers = design?.registers ?? 1
  const shape = design?.blockTargets
    ? ` (${registers * design.writer.v.lanes} x ${blockPoints})`
    : registers > 1
      ? ` x${registers}`
      : ''
  const size = `${shape}${tile === tileSources ? '' : `, tiles of ${tile}`}`
  const relaxed = `${plan.fused ? '-relaxed' : ''}${widened ? '-wide' : ''}`
  const refused = program?.design.writer.wide && !widened ? `, not widened because ${whyNot(program.design)}` : ''
  const plain = plan.scalar ? 'scalar' : 'simd'
  const loop = { all: plain, ranges: plain, once: 'pairs-once', blocks: 'blocks' }[visit]
  const given = visit === 'ranges' ? ', given ranges' : ''
  return `${loop}${relaxed}${size}${given}, ${threads} thread${threads > 1 ? 's' : ''}${refused}`
}

/** Whether the bound of block sums holds: tiles have at most 256 sources, or few enough for the number of tiles. */
export function inBlocks({ tile }: LoopPlan, { sources }: Shape): boolean {
  return tile <= Math.max(256, sources / 256)
}

export const mayWiden = ({ writer }: ProgramDesign): boolean => writer.wide && survivesWidening(writer.module)
const whyNot = (design: ProgramDesign): string =>
  mayWiden(design) ? 'that changed the results' : 'V8 may crash on loops that call functions'
