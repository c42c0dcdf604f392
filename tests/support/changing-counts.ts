// Runs whose points change in number: a workload keeps its results right, and prepares few programs for many numbers.

import {
  accelerations,
  type Backend,
  cellIndex,
  createEngine,
  type Device,
  gravity,
  map,
  nearest,
  neighborsWithin,
  type Precision,
  pairTerm,
  periodic,
  potentials,
  reduce,
  type Workload,
} from '@manybody/core'
import { expect } from 'vitest'

/** Numbers of two classes, on both sides of the limits of loops. The first three get programs of their own. */
const counts = [150, 129, 130, 131, 192, 193, 255, 256, 255, 190, 128, 127, 70, 65]
const law = gravity({ softening: 0.1 })
const box = periodic([2, 2, 2])
const grid = { cells: [4, 4, 4], spacing: 0.5, origin: [-1, -1, -1] }

export const changingWorkloads: Readonly<Record<string, Workload>> = {
  'sums over all pairs': accelerations(law),
  'sums in a box': potentials(law, { boundary: box, cutoff: 0.6 }),
  'sums with exclusions': accelerations(law, {
    exclusions: [
      [0, 1],
      [3, 60],
    ],
  }),
  'nearest neighbours': nearest(4),
  lists: neighborsWithin(0.4),
  logsumexp: reduce('logsumexp', pairTerm('mass_j - r')()),
  maps: map({ mass: '2*mass + 1' }),
  cells: cellIndex(grid),
}

const particles = (count: number) => ({
  position: Float32Array.from({ length: 3 * count }, (_, n) => Math.sin((n + 1) ** 2)),
  mass: Float32Array.from({ length: count }, (_, n) => 1 + (n % 7)),
})

/** A backend that counts the programs that it prepares. */
function counting(backend: Backend): { readonly backend: Backend; readonly prepared: () => number } {
  let prepared = 0
  const open: Backend['open'] = async (options) => {
    const device = await backend.open(options)
    const prepare: Device['prepare'] = (...asked) => {
      prepared++
      return device.prepare(...asked)
    }
    return new Proxy(device, {
      get(target, name) {
        if (name === 'prepare') return prepare
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
  return { backend: { ...backend, open }, prepared: () => prepared }
}

/** How many programs many numbers of points take. Each result is within its bounds. */
export async function preparedFor(given: Backend, workload: Workload, precision: Precision = 'f32'): Promise<number> {
  const { backend, prepared } = counting(given)
  await using engine = await createEngine({ backends: [backend], precision, crossover: false, threads: 1 })
  const before = prepared()
  for (const count of counts) {
    const { ok, worst } = await engine.verify(workload, pointsOf(workload, count), { sample: 16 })
    expect(ok, `${count} points: ${JSON.stringify(worst)}`).toBe(true)
  }
  return prepared() - before
}

const pointsOf = (workload: Workload, count: number): ReturnType<typeof particles> => {
  const points = particles(count)
  return workload.loop === 'particle' && workload.operation === 'map' ? ({ mass: points.mass } as never) : points
}
