// Noise and the Langevin thermostat: the generator against its integers, and refused uses.

import { describe, expect, it } from 'vitest'
import { map } from '../../src/problem/workloads/particle.ts'
import { externalPotential } from '../../src/simulation/forces/external-force.ts'
import { langevin } from '../../src/simulation/noise/langevin.ts'
import { draws, randomNames } from '../../src/simulation/noise/random.ts'
import { randomStates } from '../../src/simulation/noise/random-states.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const generators = [
  [157, 32363],
  [146, 31727],
  [142, 31657],
] as const

/** One draw in plain integers, as L'Ecuyer states it. */
function drawn(states: readonly number[]): { readonly states: readonly number[]; readonly whole: number } {
  const next = generators.map(([a, m], n) => (a * (states[n] as number)) % m)
  const [a = 0, b = 0, c = 0] = next
  let whole = a - b
  if (whole > 706) whole -= 32362
  whole += c
  if (whole < 1) whole += 32362
  return { states: next, whole }
}

describe('random numbers', () => {
  it('are those of the generator, for states over their whole range', async () => {
    await using engine = await referenceEngine()
    const { names, definitions, states } = draws(3)
    const count = 1904
    const text = map({ noise: names.map((name) => `${name}${definitions}`), ...states })
    const arrays = generators.map(([, m]) => Float64Array.from({ length: count }, (_, n) => 1 + ((17 * n) % (m - 1))))
    const given = Object.fromEntries(randomNames.map((name, n) => [name, arrays[n] as Float64Array]))
    const results = (await engine.run(text, given)) as unknown as Readonly<Record<string, Float64Array>>
    for (let n = 0; n < count; n++) {
      let now: readonly number[] = arrays.map((array) => array[n] as number)
      for (let draw = 0; draw < 3; draw++) {
        const { states: next, whole } = drawn(now)
        now = next
        const noise = results.noise?.[3 * n + draw] as number
        if (Math.abs(noise - Math.sqrt(12) * ((whole - 0.5) / 32362 - 0.5)) > 1e-12)
          expect([n, draw, noise]).toBe(whole)
      }
      const end = randomNames.map((name) => results[name]?.[n])
      if (String(end) !== String(now)) expect(end).toEqual(now)
    }
  })

  it('jump to where a stream was', () => {
    const start = randomStates(12, [0, 5], 0, [])
    let states = Array.from({ length: 5 }, (_, point) => randomNames.map((name) => start[name]?.[point] as number))
    for (let n = 0; n < 1000; n++) states = states.map((one) => [...drawn(one).states])
    const later = randomStates(12, [0, 5], 1000, [3])
    for (const [point, one] of states.entries())
      expect(randomNames.map((name) => later[name]?.[point])).toEqual(point === 3 ? [0, 0, 0] : one)
    expect(randomStates(13, [0, 5], 0, [])).not.toEqual(start)
  })

  it('are not those of another seed in another order', () => {
    // A hash of 32 bits of the seed alone gave the points of these seeds the same streams.
    for (const [one, other] of [
      [2671, 3849],
      [5147, 5420],
      [0, 1],
    ] as const) {
      const streamsOf = (seed: number) => {
        const states = randomStates(seed, [0, 4096], 0, [])
        return Array.from({ length: 4096 }, (_, point) => String(randomNames.map((name) => states[name]?.[point])))
      }
      const known = new Set(streamsOf(one))
      expect(streamsOf(other).filter((stream) => known.has(stream))).toEqual([])
    }
  })

  it('of neighbouring points and of neighbouring steps do not depend on each other', () => {
    const count = 20000
    const streams = randomStates(1, [0, count], 0, [])
    const first = Array.from({ length: count }, (_, point) =>
      drawn(randomNames.map((name) => streams[name]?.[point] as number)),
    )
    const second = first.map(({ states }) => drawn(states))
    const unit = ({ whole }: { whole: number }) => Math.sqrt(12) * ((whole - 0.5) / 32362 - 0.5)
    const mean = (of: (n: number) => number) =>
      Array.from({ length: count - 1 }, (_, n) => of(n)).reduce((a, b) => a + b) / count
    const at = (list: typeof first, n: number) => unit(list[n] as (typeof first)[number])
    // Each has a standard error of 1/sqrt(20000) = 0.007.
    for (const correlation of [
      mean((n) => at(first, n)),
      mean((n) => at(first, n) ** 2 - 1),
      mean((n) => at(first, n) * at(first, n + 1)),
      mean((n) => at(first, n) * at(second, n)),
      mean((n) => at(first, n) * at(second, n + 1)),
    ])
      expect(Math.abs(correlation)).toBeLessThan(0.03)
  })
})

describe('a Langevin thermostat', () => {
  it.each<[name: string, options: object, message: string]>([
    ['a negative temperature', { temperature: -1 }, '"temperature" expected finite number >= 0, got -1'],
    ['no friction', { friction: 0 }, '"friction" expected finite number > 0, got 0'],
    ['no seed', { seed: undefined }, '"seed" expected integer, got undefined'],
    ['an unknown option', { gamma: 1 }, '"gamma" is not an option of langevin; expected temperature, friction'],
    ['four dimensions', { dimension: 4 as 3 }, '"dimension" expected 1, 2 or 3, got 4'],
  ])('rejects %s', (_, options, message) => {
    expect(() => langevin({ temperature: 1, friction: 1, seed: 1, ...options })).toThrow(message)
  })

  it('does not run backwards, and refuses arrays that have its names', async () => {
    await using engine = await referenceEngine()
    const particles = { position: new Float64Array(3), mass: Float64Array.of(1) }
    const integrator = langevin({ temperature: 1, friction: 1, seed: 1 })
    const forces = [externalPotential('position_x^2', { inertia: 'mass' })()]
    await expect(engine.simulate({ forces, particles, integrator, dt: -0.1 })).rejects.toThrow(
      '"dt" expected a number > 0, because noise cannot be reversed, got -0.1',
    )
    await expect(
      engine.simulate({ forces, particles: { ...particles, random2: [1] }, integrator, dt: 0.1 }),
    ).rejects.toThrow('"integrator.random" expected names other than position, velocity, mass, random2')
  })
})
