/**
 * A small backend: sums over pairs as generated JavaScript, in float64, on the calling thread. It is the worked example of
 * `docs/writing-a-backend.md`. It refuses all other workloads with a reason.
 *
 * @module
 */
import {
  type Backend,
  type Device,
  type DeviceInfo,
  type FloatArray,
  type OpenOptions,
  type Sequence,
  type Shape,
  type Stage,
  type Support,
  UnsupportedWorkloadError,
  type Workload,
} from '@manybody/core'
import { whole } from '@manybody/core/backend'
import { HostBuffer } from './memory.ts'
import { SumProgram } from './program.ts'

const found = { device: 'JavaScript, one thread', kind: 'cpu', features: ['f64'] } as const

export function exampleBackend(): Backend {
  return {
    name: 'example',
    probe: async () => ({ available: true, ...found }),
    open: async (options) => openDevice(options),
  }
}

function openDevice({ precision = 'f32' }: OpenOptions = {}): Device {
  const info: DeviceInfo = {
    ...{ backend: 'example', name: found.device, kind: found.kind, features: found.features, precision },
    limits: { resultBytes: 2 ** 29 },
  }
  return {
    info,
    supports,
    async prepare(workload, shape) {
      const support = supports(workload, shape)
      if (workload.loop === 'pair' && support.ok) return new SumProgram(workload, shape, info)
      throw new UnsupportedWorkloadError(workload.results.join(', '), info.backend, support.ok ? '' : support.reason)
    },
    buffer: async (length) => new HostBuffer(whole(length, 'length', 0), precision),
    sequence: async (stages) => sequenceOf(stages),
    lost: new Promise(() => {}),
    dispose: () => {},
  }
}

function supports(workload: Workload, shape: Shape): Support {
  if (shape.ranged) return { ok: false, reason: 'its loop reads no ranges' }
  if (shape.lengths) return { ok: false, reason: 'its loop reads no vectors' }
  if (workload.loop === 'pair' && workload.reduction === 'sum') return { ok: true }
  return { ok: false, reason: 'only sums over pairs are written yet; use another backend for this' }
}

function sequenceOf(stages: readonly Stage[]): Sequence {
  return {
    async run(times, { signal } = {}) {
      for (let n = 0; n < times; n++)
        for (const { program, bindings, outputs, ...ranges } of stages) {
          const results = await program.run(bindings, { signal, ...ranges })
          for (const [name, buffer] of Object.entries(outputs)) await buffer.write(results[name] as FloatArray)
        }
    },
    dispose: () => {},
  }
}
