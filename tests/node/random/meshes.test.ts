// Sums through a mesh on the processor: laws of many kinds, sets and boxes meet their tolerance, judged on all targets: over all images by
// another split, and in open space by all pairs. Each law has one of the places or more, and each place some of the laws.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import {
  accelerations,
  biotSavart,
  coulomb,
  createEngine,
  forces,
  gravity,
  type Interaction,
  mesh,
  open,
  type PairWorkload,
  pairPotential,
  pairTerm,
  periodic,
  potentials,
  type SumOptions,
  sum,
  yukawa,
} from '@manybody/core'
import { bind, truthOf } from '@manybody/core/judge'
import { afterAll, describe, expect, test } from 'vitest'
import { randomOf } from '../../../packages/conformance/src/random.ts'
import { processorEngines } from '../../support/random/processor.ts'
import { deep } from '../../support/share.ts'

const engines = await processorEngines()
const judge = await createEngine({ backends: [cpuWasm()], precision: 'f64' })
afterAll(() => judge.dispose())

const numbers = randomOf(41)
const count = 250
const random = (length: number, from: number, to: number) =>
  Float64Array.from({ length }, () => numbers.uniform(from, to))

type Make = (options: SumOptions) => PairWorkload

/** One of all places, another one for the next law, and the places that need this law, too. */
const placesOf = <Place>(places: readonly Place[], law: number, needs: (place: Place) => boolean = () => false) =>
  places.filter((place, n) => deep || (n + law) % places.length === 0 || needs(place))

const laws: Readonly<Record<string, Make>> = {
  'forces of 1/r': (o) => forces(coulomb(), o),
  'potentials of 1/r': (o) => potentials(coulomb(), o),
  'softened gravity': (o) => accelerations(gravity({ softening: 0.02 }), o),
  Yukawa: (o) => forces(yukawa({ kappa: 4 }), o),
  Gaussians: (o) => forces(potential('q_i*q_j*exp(-20*r2)'), o),
  'r^-2': (o) => forces(potential('q_i*q_j/r2'), o),
  'r^-6': (o) => forces(potential('q_i*q_j*r^-6'), o),
  'Born-Mayer': (o) => forces(potential('q_i^2*q_j^2*exp(-r/0.1)'), o),
  'a typed law': (o) => forces(potential('q_i*q_j*tanh(r)*r^-1.7*(1 + 0.5/r)'), o),
  'log(1 + 0.3/r)': (o) => forces(potential('q_i*q_j*log(1 + 0.3/r)'), o),
  'an inverse multiquadric': (o) => sum(term('q_j/sqrt(1 + 100*r2)'), o),
  'two weights': (o) => sum(term('q_j*exp(-3*r) + (p_i*q_j - q_i*p_j)/(r2 + 0.01)'), o),
  'Biot and Savart': (o) => sum(biotSavart({ softening: 0.05 }), o),
}
/** Laws that have no sum over all images. */
const openLaws: Readonly<Record<string, Make>> = {
  ...laws,
  'a law that grows': (o) => sum(term('q_j*log(r)'), o),
  'r^-4 of sources of one sign': (o) => sum(term('p_j^2*r^-4'), o),
}
function potential(text: string): Interaction {
  return pairPotential(text)()
}
function term(text: string): Interaction {
  return pairTerm(text)()
}

const attributes = {
  charge: Float64Array.from({ length: count }, (_, n) => (n % 2 ? -1 : 1)),
  mass: random(count, 0.5, 1).map(Math.fround),
  ...Object.fromEntries(['q', 'p', 'wx', 'wy', 'wz'].map((name) => [name, random(count, -1, 1).map(Math.fround)])),
}
const unit = random(3 * count, 0, 1)
const places = [
  { name: 'spread over a cube', lengths: [1, 1, 1], unit },
  {
    name: 'on two scales in an oblong box',
    lengths: [0.7, 1.5, 1],
    // Half of the points are twenty times closer together.
    unit: unit.map((x, n) => (n % 6 < 3 ? x : 0.3 + 0.05 * x)),
    needs: 'r^-2',
  },
  {
    name: 'spread over a triclinic box and beyond',
    lengths: [1, 1.2, 0.9],
    box: { a: [1, 0, 0], b: [-0.45, 1.2, 0], c: [0.5, 0.6, 0.9] },
    nearest: [1, 1.2, 0.9],
    unit,
    needs: 'forces of 1/r',
  },
  {
    name: 'in a thin slab',
    lengths: [1, 1.2, 0.1],
    box: [1, 1.2, Number.POSITIVE_INFINITY],
    unit,
    needs: 'forces of 1/r',
  },
  { name: 'in a thick slab', lengths: [0.4, 2, 0.6], box: [0.4, Number.POSITIVE_INFINITY, 0.6], unit },
]

describe.each(numbered(laws))('%s', (law, make, n) => {
  test.each(placesOf(places, n, ({ needs }) => needs === law))(
    '$name',
    async ({ lengths, unit, box = lengths, nearest = box }) => {
      const boundary = periodic(box)
      // In float32, because a tolerance is that of the numbers that a device has.
      const position = Float32Array.from(unit, (x, n) => x * (lengths[n % 3] as number))
      const points = pointsOf(make({ boundary }), position)
      const truth = await numbersOf(judge, make({ boundary, method: mesh({ tolerance: 1e-9 }) }), points)
      // The nearest images of a triclinic box are those of a box with right angles, or closer.
      await expectWithin(
        (options) => make({ boundary, ...options }),
        points,
        truth.values,
        make({ boundary: periodic(nearest as readonly number[]) }),
      )
    },
  )
})

const openPlaces: Readonly<Record<string, (x: number, n: number) => number>> = {
  'a cube': (x) => x,
  'a plane': (x, n) => (n % 3 === 2 ? 4 : 3 * x),
  'a line': (x, n) => (n % 3 === 0 ? 10 * x : 0),
  'two clusters, far from the origin': (x, n) => 100 + (n % 6 < 3 ? 0.2 * x : 1 + 0.1 * x),
}

describe.each(numbered(openLaws))('%s in open space', (_, make, n) => {
  test.each(placesOf(Object.entries(openPlaces), n))('in %s', async (_, place) => {
    const points = pointsOf(make({}), Float32Array.from(unit, place))
    const truth = await numbersOf(judge, make({}), points)
    await expectWithin(make, points, truth.values)
  })
})

/** Laws of points in a plane. */
const flatLaws: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(Object.entries(laws).filter(([name]) => name !== 'Biot and Savart' && name !== 'r^-2')),
  'the logarithm': (o) => potentials(potential('-q_i*q_j*log(r)'), o),
  'forces of the logarithm': (o) => forces(potential('-p_i^2*p_j^2*log(r)'), o),
  'point vortices': (o) => sum(pairTerm({ u: '-p_j*dy/(r2 + 0.001)', v: 'p_j*dx/(r2 + 0.001)' })(), o),
}
const planes = [
  { name: 'a square', edges: [1, 1], at: (x: number) => x },
  {
    name: 'an oblong box, on two scales',
    edges: [0.6, 1.5],
    at: (x: number, n: number) => (n % 4 < 2 ? x : 0.3 + 0.05 * x),
  },
  { name: 'open space', edges: [3, 1], at: (x: number) => 10 + x },
]

describe.each(numbered(flatLaws))('%s in a plane', (_, make, n) => {
  test.each(placesOf(planes, n))('in $name', async ({ name, edges, at }) => {
    const boundary = name === 'open space' ? open() : periodic(edges)
    const position = Float32Array.from(
      { length: 2 * count },
      (_, k) => at(unit[k] as number, k) * (edges[k % 2] as number),
    )
    const points = { ...pointsOf(make({ boundary }), position), dimension: 2 as const }
    const judged = boundary.kind === 'open' ? {} : { method: mesh({ tolerance: 1e-9 }) }
    const truth = await numbersOf(judge, make({ boundary, ...judged }), points)
    await expectWithin((options) => make({ boundary, ...options }), points, truth.values, make({ boundary }))
  })
})

function numbered(given: Readonly<Record<string, Make>>) {
  return Object.entries(given).map(([name, make], n) => [name, make, n] as const)
}

function pointsOf(given: PairWorkload, position: Float32Array): Points {
  const read = (name: string) =>
    Object.values(given.law.expressions).some((text) => text.includes(`${name}_`)) || given.law.inertia === name
  return { position, ...Object.fromEntries(Object.entries(attributes).filter(([name]) => read(name))) }
}

/** Every engine meets tolerances, and says so. */
async function expectWithin(
  make: Make,
  points: Points,
  truth: ArrayLike<number>,
  nearest: PairWorkload = make({}),
): Promise<void> {
  for (const engine of engines)
    for (const tolerance of engine.device.info.precision === 'f32' ? [1e-2, 1e-5] : [1e-8]) {
      const found = await numbersOf(engine, make({ method: mesh({ tolerance }) }), points)
      expect(found.report.error).toMatchObject({ ok: true, tolerance })
      const errors = relative(found.values, truth, nearest, points)
      expect(errors[Math.ceil(0.99 * count) - 1]).toBeLessThanOrEqual(tolerance)
    }
}

describe('units', () => {
  const charge = Float64Array.from({ length: count }, (_, n) => (n % 2 ? -1 : 1))
  type On = typeof judge | (typeof engines)[number]
  const found = (engine: On, edge: number, from: number, tolerance: number, isOpen = false) => {
    const position = unit.map((x) => x * edge + from)
    // Two points a ten-thousandth of a billionth of the box apart.
    position.set([from, from, from, from + 1e-13 * edge, from, from])
    const boundary = isOpen ? open() : periodic([edge, edge, edge])
    return numbersOf(engine, forces(coulomb(), { boundary, method: mesh({ tolerance }) }), { position, charge })
  }
  const single = engines[1] as (typeof engines)[number]
  test.each([
    ['nanometres', 1e-9, 0],
    ['nanometres beside a far origin', 1e-9, 1e-3],
    ['light years', 1e12, 0],
    ['a far origin', 1, 1e6],
    ['nanometres in open space', 1e-9, 1e-3, true],
    ['light seconds in open space', 3e8, 0, true],
  ])('may be %s', async (_, edge, from, isOpen = false) => {
    const [some, truth] = [await found(single, edge, from, 1e-4, isOpen), await found(judge, edge, from, 1e-8, isOpen)]
    expect(some.report.error).toMatchObject({ ok: true })
    // Without the two, where rounding decides.
    let [apart, size] = [0, 0]
    for (let n = 6; n < truth.values.length; n++) {
      const want = (truth.values[n] as number) * edge * edge
      apart += ((some.values[n] as number) * edge * edge - want) ** 2
      size += want * want
    }
    expect(Math.sqrt(apart / size)).toBeLessThan(1e-3)
  })
  test('must be those of float32', async () => {
    await expect(found(single, 1e15, 0, 1e-4)).rejects.toThrow('use other units or precision "f64"')
  })
})

type Points = Readonly<Record<string, Float64Array | Float32Array | 2>>
async function numbersOf(engine: typeof judge | (typeof engines)[number], workload: PairWorkload, points: Points) {
  const { report, ...results } = await engine.run(workload, points as never)
  return { report, values: Object.values(results)[0] as Float64Array | Float32Array }
}

/** The errors of all targets by the sizes of their terms, those of the nearest images, ascending. */
function relative(
  values: ArrayLike<number>,
  truth: ArrayLike<number>,
  nearest: PairWorkload,
  points: Points,
): readonly number[] {
  const { shape, bindings } = bind(nearest, points as never)
  const [sizes] = Object.values(truthOf(nearest, shape, bindings, { precision: 'f64' }).scales)
  const width = truth.length / count
  return Array.from({ length: count }, (_, i) => {
    let squares = 0
    for (let n = i * width; n < (i + 1) * width; n++) squares += ((values[n] as number) - (truth[n] as number)) ** 2
    return Math.sqrt(squares) / (sizes?.[i] as number)
  }).sort((a, b) => a - b)
}
