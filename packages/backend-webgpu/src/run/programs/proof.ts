/**
 * Proves that a device correctly computes the loops that meet each pair once. These loops rely on the reports of drivers about
 * subgroups. So they are compared with another loop, once per law, before the model may choose them.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import type { ProgramDesign } from '../../design/design.ts'
import type { GpuHost } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import type { CompiledProgram } from './compiled-program.ts'
import { GpuProgram } from './program.ts'

/** A design, and its program. The program is compiled on first use. */
export interface Contestant {
  readonly design: ProgramDesign
  readonly compiled: () => Promise<CompiledProgram>
}

/** Whether two programs have the same results to the bit, or up to rounding, or differ. */
type Verdict = 'same' | 'close' | 'apart'

export interface OnceProof {
  /** Whether programs with the same operations in the same order have had the same results so far: some drivers reorder them. */
  readonly alike: boolean
  /** Compares a program that meets each pair once with another one. */
  compare(workload: PairWorkload, shape: Shape, once: Contestant, other: Contestant): Promise<Verdict>
}

/** Mixed-up lanes change results by 100 %; another order of additions changes them by about 1e-6. */
const tolerance = 1e-4

export function createOnceProof(host: GpuHost, memory: Memory): OnceProof {
  const verdicts = new Map<string, Promise<Verdict>>()
  let alike = true
  return {
    get alike() {
      return alike
    },
    compare(workload, shape, once, other) {
      const { law, quantity, domain } = workload
      const { dimension, split, scaled } = shape
      const variants = [once, other].map(({ design }) => design.variant)
      const key = JSON.stringify([law.expressions, quantity, domain, dimension, split, scaled, variants])
      const known = verdicts.get(key)
      if (known !== undefined) return known
      const { proof: points = shape.targets } = once.design
      const verdict = judge(host, memory, workload, { ...shape, targets: points, sources: points }, [once, other])
      const sameOrder = other.design.proof !== undefined
      const noted = verdict.then((one) => {
        if (sameOrder && one !== 'same') alike = false
        return one
      })
      verdicts.set(key, noted)
      return noted
    },
  }
}

async function judge(
  host: GpuHost,
  memory: Memory,
  workload: PairWorkload,
  shape: Shape,
  contestants: readonly [Contestant, Contestant],
): Promise<Verdict> {
  const programs = Promise.all(contestants.map(({ compiled }) => compiled()))
  // While they are compiled.
  const { sampleBindings } = await import('@manybody/core/samples')
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
