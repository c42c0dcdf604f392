/**
 * Runs two programs of one workload on sample points, and compares their results.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { sampleBindings } from '@manybody/core/samples'
import type { ProgramDesign } from '../../design/design.ts'
import type { GpuHost } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import type { CompiledProgram } from './compiled-program.ts'
import { GpuProgram } from './loaded-at-once.ts'

/** A design, and its program. The program is compiled on first use. */
export interface Contestant {
  readonly design: ProgramDesign
  readonly compiled: () => Promise<CompiledProgram>
}

/** Whether two programs have the same results to the bit, or up to rounding, or differ. */
export type Agreement = 'same' | 'close' | 'apart'

/** Mixed-up lanes change results by 100 %; another order of additions changes them by about 1e-6. */
const tolerance = 1e-4

export async function trial(
  host: GpuHost,
  memory: Memory,
  workload: PairWorkload,
  shape: Shape,
  contestants: readonly [Contestant, Contestant],
): Promise<Agreement> {
  const programs = Promise.all(contestants.map(({ compiled }) => compiled()))
  // While they are compiled.
  const bindings = sampleBindings(workload, shape)
  const [name = ''] = workload.results
  const results: Float32Array[] = []
  for (const usual of await programs) {
    const program = new GpuProgram(host, memory, workload, shape, { usual }, 0)
    results.push((await program.run(bindings))[name] as Float32Array)
    program.dispose()
  }
  const [once = new Float32Array(), other = new Float32Array()] = results
  const size = Math.hypot(...other)
  // Zeros prove nothing, and NaN fails every comparison.
  if (!(size > 0 && Math.hypot(...once.map((value, n) => value - (other[n] ?? Number.NaN))) <= tolerance * size))
    return 'apart'
  return once.every((value, n) => value === other[n]) ? 'same' : 'close'
}
