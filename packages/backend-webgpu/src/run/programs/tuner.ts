/**
 * Times plans on sample points, so that the tuner can choose by measurement.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { sampleBindings } from '@manybody/core/samples'
import type { GpuHost } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import type { BoundStep, CompiledProgram } from './compiled-program.ts'
import { encode, resultsOf, uploadInputs } from './loaded-at-once.ts'

/** Number of interactions of one timing. They take a few milliseconds. */
const sampleSize = { hardware: 2e9, software: 1e5, cpu: 1e5 } as const
const repetitions = 3

/** Milliseconds per interaction, from the fastest of a few runs of a program's first step. */
export async function timeOf(
  host: GpuHost,
  memory: Memory,
  { design, steps }: CompiledProgram,
  workload: PairWorkload,
  shape: Shape,
): Promise<number> {
  const lease = memory.lease()
  try {
    const bindings = sampleBindings(workload, shape)
    const buffers = await uploadInputs(host, design, bindings, lease)
    const results = resultsOf(design, bindings, {}, true)
    for (const { name, held } of results) buffers.set(`result.${name}`, await lease.array(4 * held))
    const budget = () => sampleSize[host.info.kind]
    const bound = steps({ bindings, options: {}, buffers, lease, budget }, results)
    const first = await bound[Symbol.asyncIterator]().next()
    if (first.done) return 0
    let best = Number.POSITIVE_INFINITY
    for (let n = 0; n <= repetitions; n++) {
      const milliseconds = await submit(host, first.value)
      // The first run does not count, because some drivers still compile during it.
      if (n > 0) best = Math.min(best, milliseconds)
    }
    return best / first.value.interactions
  } finally {
    lease.release()
  }
}

async function submit(host: GpuHost, step: BoundStep): Promise<number> {
  const start = performance.now()
  await host.guarded('time a plan', () => {
    const encoder = host.device.createCommandEncoder()
    const pass = encoder.beginComputePass()
    encode(pass, step.dispatches)
    pass.end()
    host.device.queue.submit([encoder.finish()])
  })
  await host.finished()
  return performance.now() - start
}
