/**
 * A backend that computes in float32, with adjustable errors, from the same scheduled bodies as every backend. It shows that the suite
 * demands nothing that float32 cannot achieve. Buffers and sequences come from the reference, because they do no arithmetic.
 *
 * @module
 */
import {
  type Backend,
  type Device,
  type DeviceInfo,
  type DeviceKind,
  type Program,
  type Report,
  reference,
} from '@manybody/core'
import { lengthOf, preparedOn, runRanges } from '@manybody/core/backend'
import { accumulationIn } from '@manybody/core/expression'
import { arraysIn } from './arrays-in.ts'
import { elements, pairs } from './float32-loops.ts'
import type { Roughness } from './rounding-language.ts'

const name = 'float32 in JavaScript'

export function float32Backend(kind: DeviceKind, roughness: Roughness): Backend {
  return {
    name: 'float32',
    probe: async () => ({ available: true, device: name, kind, features: [] }),
    open: async () => {
      const device = await reference().open({ precision: 'f32' })
      const info: DeviceInfo = { ...device.info, backend: 'float32', name, kind, features: [] }
      const ranges = { ok: false, reason: 'its loops read no ranges' } as const
      const vectors = { ok: false, reason: 'its loops read no vectors' } as const
      return {
        ...{ ...device, info },
        supports: (workload, shape) =>
          shape.ranged ? ranges : shape.lengths ? vectors : device.supports(workload, shape),
        prepare: (workload, shape) =>
          preparedOn({ info }, async (one, shape) => programOf(one, shape, info, roughness), workload, shape),
      }
    },
  }
}

function programOf(
  workload: Parameters<Device['prepare']>[0],
  shape: Parameters<Device['prepare']>[1],
  info: DeviceInfo,
  roughness: Roughness,
): Program {
  const accumulation = accumulationIn(workload, 'compensated')
  let interactions = 0
  return {
    async run(bindings, options = {}) {
      options.signal?.throwIfAborted()
      const plain = await arraysIn(bindings)
      const ranges = runRanges(workload, shape, options)
      interactions = lengthOf(ranges.targets) * (workload.loop === 'pair' ? lengthOf(ranges.sources) : 1)
      return workload.loop === 'pair'
        ? pairs(workload, shape, plain, { ...options, ...ranges }, roughness)
        : elements(workload, shape, plain, roughness)
    },
    get report(): Report {
      return {
        ...{ backend: info.backend, device: info.name, kind: info.kind, precision: 'f32', variant: 'plain' },
        accumulation,
        timings: { compile: 0, upload: 0, compute: 0, readback: 0 },
        interactions,
        evaluated: interactions,
        interactionsPerSecond: 0,
      }
    },
    dispose: () => {},
  }
}
