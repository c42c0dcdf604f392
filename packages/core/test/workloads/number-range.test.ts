// Numbers beyond float32 in laws and parameters: refused with a remedy, by every backend alike, and left alone in float64.

import { describe, expect, it } from 'vitest'
import { createEngine } from '../../src/engine/engine.ts'
import { coulomb } from '../../src/problem/interactions/coulomb.ts'
import { pairForce, pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { runParts } from '../../src/problem/workloads/numbers/run-parts.ts'
import { accelerations, forces, potentials, sum } from '../../src/problem/workloads/pair.ts'
import { map } from '../../src/problem/workloads/particle.ts'
import type { Workload } from '../../src/problem/workloads/workload.ts'
import { reference } from '../../src/truth/reference/backend.ts'

const particles = {
  position: Float32Array.of(0, 0, 0, 1, 2, 3),
  mass: Float32Array.of(1, 2),
  charge: Float32Array.of(1, 1),
}
const refused: Readonly<Record<string, readonly [Workload, string, string]>> = {
  'a large parameter': [accelerations(gravity({ G: 1e39 })), 'G', '1e+39'],
  'a small parameter': [accelerations(gravity({ G: 1e-50 })), 'G', '1e-50'],
  'a parameter with a large square': [potentials(gravity({ softening: 1e20 })), 'softening^2', '1e+40'],
  'a large number in a law': [forces(pairForce('1e60*r^(-40)', { name: 'steep' })()), 'steep', '1e+60'],
  'a small factor in a law': [sum(pairTerm('1e-60*r', { name: 'weak' })()), 'weak', '1e-60'],
  'a large number in a map': [map({ mass: 'mass + 1e60' }), 'outputs', '1e+60'],
  'a small parameter of a map': [map({ mass: 'mass*h' }, { h: 1e-50 }), 'h', '1e-50'],
}

describe.each(Object.entries(refused))('%s', (_, [workload, name, value]) => {
  it('is refused in float32 with a remedy, and computed in float64', async () => {
    await using engine = await createEngine({ backends: [reference()] })
    await expect(engine.run(workload, particles)).rejects.toThrow(
      `"${name}" expected numbers that float32 holds, from 1.2e-38 to 3.4e38, got ${value}; use other units or precision "f64"`,
    )
    await using exact = await createEngine({ backends: [reference()], precision: 'f64' })
    await expect(exact.run(workload, particles)).resolves.toBeDefined()
  })
})

it.each<[string, Workload]>([
  ['the square of a small softening length, added to a distance', accelerations(gravity({ softening: 1e-30 }))],
  ['a small number added', sum(pairTerm('1/(r + 1e-60)')())],
  ['the square of a large cutoff, compared with', potentials(coulomb(), { cutoff: 1e25 })],
  ['a parameter of 0', accelerations(gravity({ G: 0 }))],
])('%s is harmless', async (_, workload) => {
  await using engine = await createEngine({ backends: [reference()] })
  await expect(engine.run(workload, particles)).resolves.toBeDefined()
})

it('a simulation refuses numbers beyond float32', async () => {
  await using engine = await createEngine({ backends: [reference()] })
  const start = { ...particles, velocity: new Float32Array(6) }
  const simulation = await engine.simulate({ law: gravity(), particles: start, dt: 1e-45 })
  await expect(simulation.step()).rejects.toThrow('use other units or precision "f64"')
})

it('visits parts that definitions share once: written out, this text has thousands', () => {
  const steps = Array.from({ length: 10 }, (_, n) => `a${n} = exp(a${n + 1})*a${n + 1}`)
  const workload = map({ mass: `h*mass + a0; ${steps.join('; ')}; a10 = h*mass` }, { h: 2 })
  const parts = runParts(workload, { dimension: 3, vectors: [] })
  expect(parts.names).toEqual(expect.arrayContaining(['h']))
  expect(parts.names.length).toBeLessThan(10)
})
