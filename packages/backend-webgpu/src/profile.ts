/**
 * The backend with the plans of another GPU. Tests run the plans for hardware with it on any device. No entry of this package
 * exports it.
 *
 * @module
 */
import type { Backend, Plan, Shape } from '@manybody/core'
import type { LoopHost, LoopLimits, Subgroups } from './design/facts.ts'
import { WebGpuDevice } from './device.ts'
import { onceVariant } from './plans/variants.ts'
import { findAdapter, probeOf } from './run/host/adapter.ts'
import { backendName, openHost } from './run/host/host.ts'

/** A GPU that plans are chosen for. */
export interface Profile {
  readonly name: string
  readonly limits: Partial<LoopLimits>
  /** None by default; `own` takes the device's subgroups. Loops that need subgroups always run with the device's own. */
  readonly subgroups?: Subgroups | 'own'
  /** The model counts every point this many times, so that few points get the plans of many. */
  readonly crowd?: number
  /** Upper limits of sizes, none by default: drivers on a processor take seconds to compile unrolled loops. */
  readonly most?: Readonly<Record<string, number>>
}

/** WebGPU on the available device, with the plans of a profile as far as the limits of the device allow. */
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

/** Small sizes of the loops over components, which fit each other. */
const smallTiles: Readonly<Record<string, Plan['sizes']>> = {
  components: { workgroup: 16, slices: 4, targets: 4, unroll: 4 },
  'shared-components': { workgroup: 16, slices: 4, unroll: 8 },
}

function fitted({ variant, sizes = {} }: Plan, most: Profile['most'] = {}): Plan {
  if (most.unroll !== undefined && smallTiles[variant]) return { variant, sizes: { ...sizes, ...smallTiles[variant] } }
  const names = variant === onceVariant ? ['targets', 'unroll'] : Object.keys(sizes)
  const cut = names.flatMap((name) =>
    most[name] === undefined ? [] : [[name, Math.min(sizes[name] ?? Infinity, most[name])]],
  )
  return { variant, sizes: { ...sizes, ...Object.fromEntries(cut) } }
}
