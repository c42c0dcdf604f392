/**
 * The device of the reference: specification loops over ordinary typed arrays. It computes in float64. Opened with precision
 * `f32`, it gets float32 numbers, like every device, and rounds only its results.
 *
 * @module
 */

import type { Device, DeviceInfo, OpenOptions, Plan, Sequence, Stage } from '../../contract/backend.ts'
import { type FloatArray, whole } from '../../ground/checks.ts'
import { requireTrees } from '../../methods/tolerance/stage-tree.ts'
import { DeviceLostError } from '../../problem/loaded-at-once.ts'
import type { Shape, Workload } from '../../problem/workloads/workload.ts'
import { preparedOn, requireFixedLength } from '../lists/prepared-on.ts'
import { ReferenceBuffer } from './buffer.ts'
import { ReferenceProgram } from './program.ts'
import { YieldTimer } from './yield-timer.ts'

/** Its description, for probing and opening. */
export type ReferenceInfo = Pick<DeviceInfo, 'backend' | 'name' | 'kind' | 'features'>

export function openReference(found: ReferenceInfo, { precision = 'f32' }: OpenOptions = {}): Device {
  const info: DeviceInfo = {
    ...found,
    precision,
    // Not every engine has typed arrays of more than 2^32 - 1 numbers. This is half a gigabyte of float64.
    limits: { resultBytes: 2 ** 29 },
  }
  const timer = new YieldTimer()
  return {
    info,
    supports: () => ({ ok: true }),
    prepare: async (workload: Workload, shape: Shape, plan?: Plan) => {
      requirePlain(plan)
      return preparedOn({ info }, async (one) => new ReferenceProgram(one, shape, info, timer), workload, shape)
    },
    buffer: async (length) => new ReferenceBuffer(whole(length, 'length', 0), precision),
    sequence: async (stages) => {
      for (const { program } of stages) requireFixedLength(program, found.backend)
      return sequenceOf(stages, timer)
    },
    lost: new Promise(() => {}),
    dispose: () =>
      timer.end(new DeviceLostError(found.backend, { reason: 'it was disposed of', remedy: 'open it again' })),
  }
}

/** @throws RangeError for a plan that is not its own */
function requirePlain({ variant = 'plain', sizes = {} }: Partial<Plan> = {}): void {
  if (variant !== 'plain')
    throw new RangeError(`"variant" expected plain, the only one of the reference, got ${JSON.stringify(variant)}`)
  const names = Object.keys(sizes)
  if (names.length > 0)
    throw new RangeError(`"sizes" expected none, because the reference has no sizes, got ${names.join(', ')}`)
}

/** Runs the stages in order, and copies each result into its buffer. */
function sequenceOf(given: readonly Stage[], timer: YieldTimer): Sequence {
  let stages = given
  return {
    renumber(others) {
      stages = others
      return true
    },
    async run(times, { signal, onProgress } = {}) {
      for (let n = 0; n < times; n++) {
        for (const { program, bindings, outputs, tree, ...ranges } of stages) {
          const results = tree
            ? await (await requireTrees(program, ranges)).run(bindings, tree, { signal })
            : await program.run(bindings, { signal, ...ranges })
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
