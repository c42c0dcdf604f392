/**
 * The backend with plans for another GPU: what the model chooses for hardware can be run, and judged, on any device. For
 * tests: no entry of this package exports it.
 *
 * @module
 */
import type { Backend, Plan, Shape } from '@manybody/core'
import { WebGpuDevice } from './device.ts'
import { findAdapter, probeOf } from './host/adapter.ts'
import { backendName, type LoopHost, type LoopLimits, openHost, type Subgroups } from './host/host.ts'
import { onceVariant } from './plans/variants.ts'

/** The GPU that plans are chosen for. */
export interface Profile {
  readonly name: string
  readonly limits: Partial<LoopLimits>
  /** None by default; `own` are those of the device. Loops that need subgroups run with those of the device. */
  readonly subgroups?: Subgroups | 'own'
  /** Points for each point there is, as the model counts them: so that few points get the plans of many. */
  readonly crowd?: number
  /** The largest sizes: drivers that run on a processor take seconds to compile what is unrolled. Sizes as chosen by default. */
  readonly most?: Readonly<Record<string, number>>
}

/** WebGPU on the device there is, with the plans of a profile as far as its limits allow. */
export function webgpuPlannedFor(profile: Profile): Backend {
  const { name, limits, subgroups, crowd = 1, most } = profile
  return {
    name: backendName,
    probe: async (open) => probeOf(await findAdapter({}, open)),
    open: async (open) => {
      const device = await openHost(await findAdapter({}, open), subgroups === undefined)
      const host: LoopHost = {
        info: { name, kind: 'hardware' },
        limits: new Proxy(device.limits, {
          get: (own, key) => limits[key as keyof LoopLimits] ?? own[key as keyof LoopLimits],
        }),
        subgroups: subgroups === 'own' ? device.subgroups : subgroups,
      }
      const crowded = (shape: Shape) => ({ ...shape, targets: crowd * shape.targets, sources: crowd * shape.sources })
      return new WebGpuDevice(device, open?.tune, {}, { host, crowd: crowded, fitted: (plan) => fitted(plan, most) })
    },
  }
}

function fitted({ variant, sizes = {} }: Plan, most: Profile['most'] = {}): Plan {
  const names = variant === onceVariant ? ['targets', 'unroll'] : Object.keys(sizes)
  const cut = names.flatMap((name) =>
    most[name] === undefined ? [] : [[name, Math.min(sizes[name] ?? Infinity, most[name])]],
  )
  return { variant, sizes: { ...sizes, ...Object.fromEntries(cut) } }
}
