// Sums by the fastest method: every choice meets the tolerance, the faster method stays, and a simulation keeps its choice.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import {
  accelerations,
  coulomb,
  createEngine,
  type Engine,
  energy,
  fast,
  gravity,
  lennardJones,
  mesh,
  type PairWorkload,
  pairForce,
  pairTerm,
  periodic,
  potentials,
  sum,
} from '@manybody/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomOf } from '../../packages/conformance/src/random.ts'
import { costsOf } from '../../packages/core/src/methods/fast/choose.ts'

const numbers = randomOf(37)
const count = 12_000
const cube = Float32Array.from({ length: 3 * count }, () => numbers.uniform(0, 1))
const mass = new Float32Array(count).fill(1 / count)
const law = gravity({ softening: 1e-3 })

let engine: Engine<'f32'>
beforeAll(async () => {
  engine = await createEngine({ backends: [cpuWasm()], threads: 1 })
})
afterAll(() => engine.dispose())

/** Half of the points within a hundredth of the cube. */
const clustered = cube.map((x, n) => (n % 6 < 3 ? 0.5 + 0.01 * x : x))

describe('the estimate', () => {
  const costs = (positions: Float32Array, tolerance: number, count = positions.length / 3) => {
    const sources = new Float64Array(positions.subarray(0, 3 * count))
    const places = { sources, targets: sources }
    return costsOf(accelerations(law), { dimension: 3, sources: count }, tolerance, () => places, 'threads')
  }
  it('takes a mesh for points in a cube, and a tree for clusters and for few points', () => {
    const even = costs(cube, 1e-5)
    expect(even.mesh).toBeLessThan(even.tree)
    const heaped = costs(clustered, 1e-3)
    expect(heaped.tree).toBeLessThan(heaped.mesh)
    const few = costs(cube, 1e-4, 500)
    expect(few.allPairs).toBeLessThan(few.mesh)
  })
  it('takes a mesh for points in a square, and a tree for clusters there', () => {
    const flat = (positions: Float32Array) => {
      const sources = Float64Array.from(positions.subarray(0, 2 * count))
      const places = () => ({ sources, targets: sources })
      return costsOf(accelerations(law), { dimension: 2, sources: count }, 1e-3, places, 'threads')
    }
    const even = flat(cube)
    expect(even.mesh).toBeLessThan(even.tree)
    const heaped = flat(cube.map((x, n) => (n % 4 < 2 ? 0.5 + 1e-4 * x : x)))
    expect(heaped.tree).toBeLessThan(heaped.mesh)
  })
  it('knows which points and laws have no mesh, without a look at the points', () => {
    const none = () => expect.fail('no place is asked for')
    const of = (workload: PairWorkload, dimension: 1 | 2 | 3, sources: number) =>
      costsOf(workload, { dimension, sources }, 1e-4, none, 'threads').mesh
    expect(of(accelerations(law), 1, 1e5)).toBe(Number.POSITIVE_INFINITY)
    expect(of(sum(pairTerm('exp(-r/q_j)')()), 3, 1e5)).toBe(Number.POSITIVE_INFINITY)
    expect(of(accelerations(law), 3, 50)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('a sum in open space', () => {
  it('tries both methods, keeps one, and meets the tolerance with each', async () => {
    const workload = accelerations(law, { method: fast({ tolerance: 1e-4 }) })
    const variants: string[] = []
    for (let n = 0; n < 8; n++) {
      const { report } = await engine.run(workload, { position: cube, mass })
      expect(report.error).toMatchObject({ ok: true, tolerance: 1e-4 })
      variants.push(report.variant.startsWith('mesh') ? 'mesh' : 'other')
    }
    // Three runs of each, then the faster one.
    expect(new Set(variants.slice(0, 3)).size).toBe(1)
    expect(new Set(variants.slice(2, 4)).size).toBe(2)
    expect(new Set(variants.slice(6)).size).toBe(1)
    const verified = await engine.verify(workload, { position: cube, mass })
    expect(verified.ok).toBe(true)
  })

  it('chooses for points in a plane and in space by themselves', async () => {
    const workload = accelerations(law, { method: fast({ tolerance: 1e-5 }) })
    const heaped = cube.subarray(0, 2 * count).map((x, n) => (n % 4 < 2 ? 0.5 + 1e-4 * x : x))
    const { report: flat } = await engine.run(workload, { dimension: 2, position: heaped, mass })
    expect(flat.variant).not.toContain('mesh')
    const { report } = await engine.run(workload, { position: cube, mass })
    expect(report.variant).toContain('mesh')
  })

  it('takes the method that suits the law, or all pairs', async () => {
    const points = { position: cube.slice(0, 3000), q: new Float32Array(1000).fill(0.5) }
    const run = (text: string) => engine.run(sum(pairTerm(text)(), { method: fast({ tolerance: 1e-3 }) }), points)
    // No mesh has a product of displacements.
    const { report } = await run('q_j*dx*dy/(r2 + 0.01)^2')
    expect(report.variant).not.toContain('mesh')
    const none = await run('exp(-r/q_j)')
    expect(none.report.error).toMatchObject({ ok: true, largest: 0 })
    expect(none.report.error?.note).toContain('all pairs: "method" does not suit')
  })

  it('takes a tree or all pairs for laws that a mesh refuses when it sees their values', async () => {
    const points = { position: cube, q: mass }
    const workload = sum(pairTerm('q_j*exp(-r)*abs(r - 0.3)')(), { method: fast({ tolerance: 1e-4 }) })
    for (let n = 0; n < 2; n++) {
      const { report } = await engine.run(workload, points)
      expect(report.error).toMatchObject({ ok: true, tolerance: 1e-4 })
      expect(report.variant).not.toContain('mesh')
    }
  })

  it('takes smaller tolerances than a mesh in float64', async () => {
    await using double = await createEngine({ backends: [cpuWasm()], precision: 'f64' })
    const workload = accelerations(law, { method: fast({ tolerance: 1e-12 }) })
    const { report } = await double.run(workload, { position: cube, mass })
    expect(report.error?.ok).toBe(true)
  })

  it('has energies and potentials', async () => {
    const charge = new Float32Array(2000).fill(1)
    const points = { position: cube.slice(0, 6000), charge }
    const method = fast({ tolerance: 1e-4 })
    const { energy: found } = await engine.run(energy(coulomb(), { method }), points)
    const { energy: exact } = await engine.run(energy(coulomb()), points)
    expect(Math.abs(found / exact - 1)).toBeLessThan(1e-4)
    const { report } = await engine.run(
      potentials(coulomb(), { method: fast({ tolerance: 1e-3, of: 'result' }) }),
      points,
    )
    expect(report.error).toMatchObject({ ok: true, of: 'result' })
  })
})

describe('a sum in a box', () => {
  const boundary = periodic([1, 1, 1])
  it('is one over all images', async () => {
    const points = {
      position: cube.slice(0, 3000),
      charge: Float32Array.from({ length: 1000 }, (_, n) => (n % 2 ? -1 : 1)),
    }
    const run = (method: ReturnType<typeof mesh> | ReturnType<typeof fast>) =>
      engine.run(potentials(coulomb(), { boundary, method }), points)
    const [some, others] = [await run(fast({ tolerance: 1e-4 })), await run(mesh({ tolerance: 1e-4 }))]
    expect(some.report.variant).toMatch(/^mesh/)
    expect(some.potential).toEqual(others.potential)
  })
  it('refuses a law that no mesh suits', async () => {
    const points = { position: cube.slice(0, 30), q: new Float32Array(10).fill(1) }
    const workload = sum(pairTerm('exp(-r/q_j)')(), { boundary, method: fast({ tolerance: 1e-4 }) })
    await expect(engine.run(workload, points)).rejects.toThrow('is not a product')
  })
})

describe('wrong options', () => {
  it('are refused', async () => {
    expect(() => fast({ tolerance: 0 })).toThrow('"tolerance"')
    expect(() => fast(undefined as never)).toThrow('"tolerance"')
    const points = { position: cube.slice(0, 30), mass: mass.slice(0, 10) }
    const run = (method: object) => engine.run(accelerations(law, { method: method as never }), points)
    await expect(run({ ...fast({ tolerance: 1e-3 }), grid: 3 })).rejects.toThrow('option of fast')
    await expect(run({ kind: 'fast', tolerance: 2 })).rejects.toThrow('expected less than 1, got 2')
    await expect(run(fast({ tolerance: 1e-9 }))).rejects.toThrow('at least 0.000001')
    await expect(run({ kind: 'faster', tolerance: 1e-3 })).rejects.toThrow(
      '"method.kind" expected "tree" or "mesh" or "fast", got "faster"',
    )
  })
})

describe('a simulation', () => {
  const few = { position: cube.slice(0, 3000), velocity: new Float32Array(3000), mass: mass.slice(0, 1000) }
  it('chooses once, and its snapshot has the choice', async () => {
    const simulation = await engine.simulate({
      particles: few,
      forces: [{ law, method: fast({ tolerance: 1e-4 }) }],
      dt: 1e-3,
    })
    await simulation.step(2)
    const snapshot = await simulation.snapshot()
    // So few points take all pairs.
    expect(snapshot.forces?.[0]).not.toHaveProperty('method')
    const again = await engine.resume(snapshot)
    await Promise.all([simulation.step(3), again.step(3)])
    expect(await again.read('position')).toEqual(await simulation.read('position'))
    simulation.dispose()
    again.dispose()
  })
  it('takes a mesh in a box, and for many points in open space, also as its only law', async () => {
    const boxed = await engine.simulate({
      particles: few,
      law,
      domain: { boundary: periodic([1, 1, 1]), method: fast({ tolerance: 1e-3 }) },
      dt: 1e-3,
    })
    await boxed.step(1)
    expect((await boxed.forceErrors())[0]?.variant).toMatch(/^mesh/)
    boxed.dispose()
    const particles = { position: cube, mass }
    const open = await engine.simulate({ particles, forces: [{ law, method: fast({ tolerance: 1e-5 }) }], dt: 1e-4 })
    await open.step(1)
    expect((await open.forceErrors())[0]).toMatchObject({ ok: true, tolerance: 1e-5 })
    expect((await open.forceErrors())[0]?.variant).toMatch(/^mesh/)
    open.dispose()
  })
  it('takes all pairs for laws that nothing suits in open space, also within a cutoff, and refuses them in a box', async () => {
    const method = fast({ tolerance: 1e-3 })
    const particles = { position: cube, mass }
    const odd = pairForce('mass_i*mass_j*exp(-r)*abs(r - 0.5)', { inertia: 'mass' })()
    for (const force of [
      { law: odd, method },
      { law: pairForce('exp(-r/(mass_i + mass_j))', { inertia: 'mass' })(), method },
      { law, cutoff: 0.1, method },
    ]) {
      const simulation = await engine.simulate({ particles, forces: [force], dt: 1e-4 })
      await simulation.step(1)
      const [error] = await simulation.forceErrors()
      expect(error?.variant ?? 'all pairs').not.toContain('mesh')
      expect(error === undefined).toBe(force.law !== odd)
      simulation.dispose()
    }
    const boxed = { law: lennardJones(), boundary: periodic([1, 1, 1]), method }
    const some = { ...few, epsilon: few.mass, sigma: few.mass }
    await expect(engine.simulate({ particles: some, forces: [boxed], dt: 1e-3 } as never)).rejects.toThrow('mesh')
  })
})
