/**
 * A design with a module that is still being written, and its encoding as plain data.
 *
 * @module
 */

import type { Shape, Workload } from '@manybody/core'
import type { ProgramDesign, ResultLayout } from '../../design/design.ts'
import type { LoopOptions } from '../../design/loop-plan.ts'
import type { ModuleWriter, WriterOptions } from '../expressions/module-writer.ts'

export interface WrittenDesign extends Omit<ProgramDesign, 'module' | 'block'> {
  readonly writer: ModuleWriter
}

/** Makes the design of a loop. */
export type DesignOf = (workload: Workload, shape: Shape, options: WriterOptions, loop: LoopOptions) => ProgramDesign

export function encoded({ writer, results, ...design }: WrittenDesign): ProgramDesign {
  return {
    ...design,
    results: results.map((result) => ({ ...result, empty: plain(Number(result.empty)) })),
    module: writer.module.encode(),
    block: [...writer.block.keys()],
  }
}

const plain = (x: number): ResultLayout['empty'] =>
  Number.isFinite(x) ? x : x > 0 ? ('Infinity' as const) : ('-Infinity' as const)
