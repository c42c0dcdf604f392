// Repeated sums through a mesh, which the device computes by itself: points go there, and sums come back.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgpu } from '@manybody/backend-webgpu'
import {
  type Backend,
  coulomb,
  createEngine,
  type Device,
  forces,
  gravity,
  mesh,
  open,
  pairTerm,
  periodic,
  potentials,
  sum,
} from '@manybody/core'
import { afterAll, expect, test } from 'vitest'

const count = 250
const noise = (n: number) => (Math.abs(Math.sin(12.9898 * (n + 1))) * 43758.5453) % 1
const position = Float64Array.from({ length: 3 * count }, (_, n) => noise(n))
const charge = Float64Array.from({ length: count }, (_, n) => (n % 2 ? -1 : 1))
const mass = Float64Array.from({ length: count }, (_, n) => 0.5 + noise(n + 7))

/** How often the device was asked for the fields of a grid alone, and whether it takes another grid and has room for arrays. */
let alone = 0
let [takesGrids, hasRoom] = [true, true]
const counting: Backend = {
  ...webgpu(),
  async open(options) {
    const device: Device = await webgpu().open(options)
    const gridSum: Device['gridSum'] = (...given) => {
      alone++
      return device.gridSum?.(...given) ?? Promise.resolve(undefined)
    }
    const takesGridStage: Device['takesGridStage'] = async (...given) =>
      takesGrids && (await device.takesGridStage?.(...given)) === true
    const buffer: Device['buffer'] = async (length) => {
      if (!hasRoom) throw new Error('the device is out of memory')
      return device.buffer(length)
    }
    const own: Partial<Device> = { gridSum, takesGridStage, buffer }
    return new Proxy(device, {
      get: (it, name) => {
        if (name in own) return Reflect.get(own, name)
        const given = Reflect.get(it, name, it) as unknown
        return typeof given === 'function' ? given.bind(it) : given
      },
    })
  },
}
const engine = await createEngine({ backends: [counting] })
const judge = await createEngine({ backends: [cpuWasm()], precision: 'f64' })
afterAll(() => {
  engine.dispose()
  judge.dispose()
})

const box = { boundary: periodic([1, 1, 1]) }
const tilted = { boundary: periodic({ a: [1, 0, 0], b: [0.3, 1, 0], c: [-0.2, 0.4, 1] }) }
const flat = { position: position.filter((_, n) => n % 3 < 2), charge, dimension: 2 }
const of =
  (law: typeof forces | typeof potentials, pair: ReturnType<typeof coulomb>, options: object) => (tolerance: number) =>
    law(pair, { ...options, method: mesh({ tolerance }) })
const cases = [
  ['forces in a box', of(forces, coulomb(), box), { position, charge }],
  ['potentials in a triclinic box', of(potentials, coulomb(), tilted), { position, charge }],
  ['forces in open space', of(forces, gravity({ softening: 0.05 }), { boundary: open() }), { position, mass }],
  ['forces in a square', of(forces, coulomb(), { boundary: periodic([1, 1]) }), flat],
] as const

/** The values of a run, and its report. */
async function run(on: { run: (...given: never[]) => Promise<object> }, workload: object, points: object) {
  const { report, ...results } = (await on.run(workload as never, points as never)) as {
    report: { variant: string; evaluated: number; error: { ok: boolean; note?: string; targets: number } }
  }
  return { report, values: Object.values(results)[0] as Float32Array }
}

const apart = (found: ArrayLike<number>, truth: ArrayLike<number>): number => {
  const [all, off] = [Array.from(truth), Array.from(truth, (x, n) => x - (found[n] as number))]
  return Math.hypot(...off) / Math.hypot(...all)
}

test.each(cases)('%s, again and again', async (name, make, points) => {
  const [workload, exact] = [make(1e-3), make(1e-6)]
  // The first finds the setting, and the second counts pairs.
  for (let n = 0; n < 2; n++) await run(engine, workload, points)
  const before = alone
  for (let n = 0; n < 4; n++) {
    // Other points of the same box, and in open space within the room of the grid.
    const moved = points.position.map((x, at) => 0.5 + (x - 0.5) * (1 - 0.01 * n) + 0.002 * noise(at + 100 * n))
    const there = { ...points, position: moved }
    const [found, truth] = [await run(engine, workload, there), await run(judge, exact, there)]
    expect(found.report.error).toMatchObject({ ok: true })
    expect(found.report.error.targets).toBeGreaterThan(0)
    expect(found.report.variant).toMatch(/^mesh/)
    expect(found.report.evaluated).toBeGreaterThan(0)
    expect(apart(found.values, truth.values)).toBeLessThan(5e-3)
  }
  // Other points of open space may get another reach, which begins again.
  expect(alone - before).toBeLessThan(name.includes('open') ? 4 : 1)
})

test('points that spread get another grid', async () => {
  const [, make, points] = cases[2]
  const workload = make(1e-3)
  for (const size of [1, 1, 1, 1.4, 1.4, 0.9, 30, 30]) {
    const there = { ...points, position: points.position.map((x) => size * x - 3) }
    const [found, truth] = [await run(engine, workload, there), await run(judge, make(1e-6), there)]
    expect(found.report.error).toMatchObject({ ok: true })
    // A run with wrong fields would be repeated.
    expect(found.report.error.note).toBeUndefined()
    expect(apart(found.values, truth.values)).toBeLessThan(5e-3)
  }
})

test('calls at once do not mix their points', async () => {
  const [, make, points] = cases[0]
  const workload = make(1e-3)
  for (let n = 0; n < 3; n++) await run(engine, workload, points)
  const sets = [0, 1, 2].map((n) => ({ ...points, position: points.position.map((x, at) => x + 0.1 * noise(at + n)) }))
  const apiece = []
  for (const set of sets) apiece.push((await run(engine, workload, set)).values.slice())
  const together = await Promise.all(sets.map((set) => run(engine, workload, set)))
  for (const [n, { values }] of together.entries()) expect(apart(values, apiece[n] as Float32Array)).toBeLessThan(1e-5)
})

test('kinds that take turns stay within the device, and results go into given arrays', async () => {
  const [, forcesIn, points] = cases[0]
  const [, potentialsIn] = cases[1]
  const kinds = [forcesIn(1e-3), potentialsIn(1e-3)]
  const into: (Float32Array | undefined)[] = []
  for (let n = 0; n < 3; n++) for (const kind of kinds) await run(engine, kind, points)
  const before = alone
  for (let n = 0; n < 2; n++)
    for (const [at, kind] of kinds.entries()) {
      const { values } = await run(engine, kind, points)
      const [name] = kind.results
      into[at] ??= values.slice().fill(0)
      const given = (await engine.run(
        kind as never,
        points as never,
        { into: { [name as string]: into[at] } } as never,
      )) as object
      expect(Object.values(given)).toContain(into[at])
      expect(apart(into[at] as Float32Array, values)).toBeLessThan(1e-6)
    }
  expect(alone).toBe(before)
})

test('attributes may have any name', async () => {
  const names = { weight0: charge, weight1: mass, meshSum: mass, meshWeight0: charge }
  const law = pairTerm('weight1_i*meshSum_i*weight0_j/sqrt(r^2 + 0.01) + meshWeight0_i*weight1_j/sqrt(r^2 + 0.02)')()
  const truth = await run(judge, sum(law, { method: mesh({ tolerance: 1e-6 }) }), { position, ...names })
  let before = 0
  for (let n = 0; n < 4; n++) {
    if (n === 2) before = alone
    const found = await run(engine, sum(law, { method: mesh({ tolerance: 1e-3 }) }), { position, ...names })
    expect(found.report.error).toMatchObject({ ok: true })
    expect(apart(found.values, truth.values)).toBeLessThan(5e-3)
  }
  expect(alone).toBe(before)
})

test.each([
  ['a judge of another grid', () => (takesGrids = false)],
  ['arrays', () => (hasRoom = false)],
])('without room for %s, the host takes over', async (_, lose) => {
  const [, make, points] = cases[0]
  // Another number of points begins again.
  const some = { position: points.position.slice(0, 600), charge: points.charge.slice(0, 200) }
  const workload = make(1e-3)
  const truth = await run(judge, make(1e-6), some)
  try {
    for (let n = 0; n < 5; n++) {
      if (n === 2) lose()
      const found = await run(engine, workload, some)
      expect(found.report.error).toMatchObject({ ok: true })
      expect(apart(found.values, truth.values)).toBeLessThan(5e-3)
    }
  } finally {
    takesGrids = true
    hasRoom = true
  }
})
