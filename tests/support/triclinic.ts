// Triclinic boxes, on any backend against the float64 reference, which a test of core compares with sums by hand.

import {
  type Backend,
  coulomb,
  countWithin,
  createEngine,
  type Engine,
  energy,
  forces,
  nearest,
  neighborsWithin,
  type Precision,
  pairPotential,
  pairTerm,
  periodic,
  reference,
  sum,
  velocityVerlet,
} from '@manybody/core'
import { expect } from 'vitest'
import { numbers } from './numbers.ts'

const count = 150
const points = {
  // Some points are outside of the box.
  position: numbers(3 * count, 5).map((x) => 16 * x - 3),
  charge: numbers(count, 6).map((x) => x - 0.2),
}
const boundary = periodic({ a: [9, 0, 0], b: [3.5, 8, 0], c: [-4.25, 2.5, 7.5] })
const domain = { boundary, cutoff: 2.75 }
/** Smaller than two cutoffs. */
const small = { ...domain, cutoff: 4 }
const directed = pairTerm({ a: 'dx*dz', b: 'abs(dy)' })()
const workloads = {
  forces: forces(coulomb(), { ...domain, switchDistance: 1 }),
  energy: energy(coulomb(), { ...domain, shift: true }),
  sum: sum(directed, domain),
  count: countWithin(2.75, { boundary }),
  nearest: nearest(3, domain),
  lists: neighborsWithin(2.75, { boundary }),
  'forces in a small cell': forces(coulomb(), small),
}

/**
 * @param refused the workloads that the backend refuses, as it does in other boxes
 * @param variants the variants that run beside the chosen one
 */
export async function expectTriclinic(
  backend: Backend,
  precision: Precision,
  { refused = [], variants = [] }: { readonly refused?: readonly string[]; readonly variants?: readonly string[] } = {},
) {
  await using engine = await createEngine({ backends: [backend], precision })
  await using exact = await createEngine({ backends: [reference()], precision: 'f64' })
  for (const [name, workload] of Object.entries(workloads)) {
    if (refused.includes(name)) continue
    const { report: _report, ...expected } = await exact.run(workload, points)
    for (const variant of [undefined, ...(name === 'lists' ? [] : variants)]) {
      const { report, ...got } = await engine.run(workload, points, variant === undefined ? {} : { plan: { variant } })
      if (variant !== undefined) expect(report.variant).toContain(variant)
      for (const [result, wanted] of Object.entries(expected)) {
        const [found, right] = [(got as typeof expected)[result as never], wanted].map(listOf) as [number[], number[]]
        const size = Math.max(...right.map(Math.abs))
        const off = Math.max(...right.map((x, n) => Math.abs(x - (found[n] as number))))
        expect(found.length, `${name} ${result} ${variant}`).toBe(right.length)
        expect(off / size, `${name} ${result} ${variant}`).toBeLessThan(precision === 'f32' ? 2e-5 : 1e-12)
      }
    }
  }
}

/** A step, a change of positions and some more steps, so that lists of neighbours are used again. */
export async function expectTriclinicSteps(backend: Backend, precision: Precision) {
  const mass = new Float32Array(count).fill(1)
  const steps = async (engine: Engine<Precision>) => {
    await using simulation = await engine.simulate({
      forces: [{ law: softened(), ...domain, switchDistance: 2 }],
      particles: { ...points, velocity: numbers(3 * count, 7).map((x) => x - 0.5), mass },
      integrator: velocityVerlet,
      dt: 0.05,
    })
    await simulation.step(5)
    const position = await simulation.read('position')
    return { position: Float64Array.from(position), energy: (await simulation.energy()).potential }
  }
  await using engine = await createEngine({ backends: [backend], precision })
  await using exact = await createEngine({ backends: [reference()], precision: 'f64' })
  const [found, expected] = [await steps(engine), await steps(exact)]
  const off = Math.max(...expected.position.map((x, n) => Math.abs(x - (found.position[n] as number))))
  expect(off).toBeLessThan(precision === 'f32' ? 2e-5 : 1e-12)
  expect(Math.abs(found.energy / expected.energy - 1)).toBeLessThan(precision === 'f32' ? 1e-4 : 1e-11)
}

const softened = pairPotential('charge_i*charge_j/sqrt(r2 + 0.1)', { inertia: 'mass' })

const listOf = (result: number | ArrayLike<number>): number[] =>
  typeof result === 'number' ? [result] : Array.from(result)
