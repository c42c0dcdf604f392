/**
 * Proves that a device computes the loop that meets each pair once correctly. The loop relies on what drivers report about
 * subgroups, so it is compared with the plain loop, once per law, before the model may choose it.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { sampleBindings } from '@manybody/core/backend'
import type { GpuHost } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import type { CompiledProgram } from './compiled.ts'
import { GpuProgram } from './program.ts'

export interface OnceProof {
  /** Whether both programs have the same result up to rounding. */
  holds(workload: PairWorkload, shape: Shape, once: CompiledProgram, plain: CompiledProgram): Promise<boolean>
}

/** Mixed-up lanes change results by 100 %; another order of additions changes them by about 1e-6. */
const tolerance = 1e-4

export function createOnceProof(host: GpuHost, memory: Memory): OnceProof {
  const verdicts = new Map<string, Promise<boolean>>()
  return {
    holds(workload, shape, once, plain) {
      const { law, quantity, domain } = workload
      const { dimension, split, scaled } = shape
      const key = JSON.stringify([law.expressions, quantity, domain, dimension, split, scaled, once.design.variant])
      const known = verdicts.get(key)
      if (known !== undefined) return known
      const { proof: points = shape.targets } = once.design
      const verdict = compare(host, memory, workload, { ...shape, targets: points, sources: points }, [once, plain])
      verdicts.set(key, verdict)
      return verdict
    },
  }
}

async function compare(
  host: GpuHost,
  memory: Memory,
  workload: PairWorkload,
  shape: Shape,
  programs: readonly [CompiledProgram, CompiledProgram],
): Promise<boolean> {
  const bindings = sampleBindings(workload, shape)
  const [name = ''] = workload.results
  const results: Float32Array[] = []
  for (const compiled of programs) {
    const program = new GpuProgram(host, memory, workload, shape, { usual: compiled }, 0)
    results.push((await program.run(bindings))[name] as Float32Array)
    program.dispose()
  }
  const [once = new Float32Array(), plain = new Float32Array()] = results
  const size = Math.hypot(...plain)
  // Zeros prove nothing, and NaN fails every comparison.
  return size > 0 && Math.hypot(...once.map((value, n) => value - (plain[n] ?? Number.NaN))) <= tolerance * size
}
