/**
 * The device of the reference: specification loops over ordinary typed arrays. It runs everything in float64; opened
 * with precision `f32`, it is given float32 numbers, as every device is, and rounds its results, but nothing in between.
 *
 * @module
 */
import type { Device, DeviceInfo, OpenOptions, Sequence, Stage } from '../backend.ts'
import type { FloatArray } from '../checks.ts'
import type { Shape, Workload } from '../workloads/workload.ts'
import { ReferenceBuffer } from './buffer.ts'
import { ReferenceProgram } from './program.ts'
import { YieldTimer } from './yield-timer.ts'

/** What probing and opening say of it. */
export type Found = Pick<DeviceInfo, 'backend' | 'name' | 'kind' | 'features'>

export function openReference(found: Found, { precision = 'f32' }: OpenOptions = {}): Device {
  const info: DeviceInfo = {
    ...found,
    precision,
    // Typed arrays of more than 2^32 - 1 numbers are not to be had everywhere; this is half a gigabyte of float64.
    limits: { resultBytes: 2 ** 29 },
  }
  const timer = new YieldTimer()
  return {
    info,
    supports: () => ({ ok: true }),
    prepare: async (workload: Workload, shape: Shape) => new ReferenceProgram(workload, shape, info, timer),
    buffer: async (length) => new ReferenceBuffer(length, precision),
    sequence: async (stages) => sequenceOf(stages, timer),
    lost: new Promise(() => {}),
    dispose: () => {},
  }
}

/** The stages in order, each result copied where it belongs. */
function sequenceOf(stages: readonly Stage[], timer: YieldTimer): Sequence {
  return {
    async run(times, { signal, onProgress } = {}) {
      for (let n = 0; n < times; n++) {
        for (const { program, bindings, outputs } of stages) {
          const results = await program.run(bindings, { signal })
          for (const [result, buffer] of Object.entries(outputs)) await buffer.write(results[result] as FloatArray)
        }
        if (!timer.due()) continue
        onProgress?.((n + 1) / times)
        await timer.pause(signal)
      }
      onProgress?.(1)
    },
    dispose: () => {},
  }
}
