// One call of forceManyBody beside one of d3-force-3d, which is exact at theta 0, in 1 to 3 dimensions.

import { type Charge3, type Node3, forceManyBody as ofD3 } from 'd3-force-3d'
import { afterEach, describe, expect, it } from 'vitest'
import { randomOf } from '../../conformance/src/random.ts'
import { type ForceManyBody, forceManyBody, type ManyBodyOptions } from '../src/d3/many-body.ts'

type Dimensions = 1 | 2 | 3
type Settings = (force: Charge3) => unknown

const axes = ['x', 'y', 'z'] as const
const speeds = ['vx', 'vy', 'vz'] as const
const numbers = randomOf(3)
const at = (...[x = 0, y = 0, z = 0]: number[]): Node3 => ({ x, y, z })
const cloud = (count: number, size: number): Node3[] =>
  Array.from({ length: count }, () => at(...axes.map(() => numbers.uniform(0, size))))

const used: ForceManyBody<Node3>[] = []
const made = (options?: ManyBodyOptions): ForceManyBody<Node3> => {
  const force = forceManyBody<Node3>(options)
  used.push(force)
  return force
}
afterEach(() => {
  for (const force of used.splice(0)) force.dispose()
})

/** The velocities after one call with alpha 1 for nodes at rest, node by node. */
function pushes(
  force: Charge3,
  places: readonly Node3[],
  dimensions: Dimensions,
  settings: Settings = () => 0,
): number[] {
  const nodes = places.map((place, index) => ({ ...place, index, vx: 0, vy: 0, vz: 0 }))
  settings(force)
  force.initialize(nodes, () => 0.75, dimensions)
  force(1)
  return nodes.flatMap((node) => speeds.slice(0, dimensions).map((speed) => node[speed]))
}

const theirs = (places: readonly Node3[], dimensions: Dimensions, settings?: Settings) =>
  pushes(ofD3().theta(0), places, dimensions, settings)
const mine = (places: readonly Node3[], dimensions: Dimensions, settings?: Settings, options?: ManyBodyOptions) =>
  pushes(made(options) as unknown as Charge3, places, dimensions, settings)

/** The largest difference of a component, relative to the largest component. */
const apart = (some: readonly number[], others: readonly number[]) => {
  expect(some).toHaveLength(others.length)
  return Math.max(...some.map((x, n) => Math.abs(x - (others[n] as number)))) / Math.max(...others.map(Math.abs))
}

/** The errors of nodes, relative to the summed sizes of their terms, ascending. */
function errorsOf(got: readonly number[], right: readonly number[], places: readonly Node3[], dimensions: Dimensions) {
  const used = axes.slice(0, dimensions)
  const errors = places.map((place, n) => {
    const size = places.reduce((sum, other) => {
      const r = Math.hypot(...used.map((axis) => (other[axis] as number) - (place[axis] as number)))
      return r === 0 ? sum : sum + 30 / Math.max(r, 1)
    }, 0)
    return (
      Math.hypot(...used.map((_, c) => (got[dimensions * n + c] as number) - (right[dimensions * n + c] as number))) /
      size
    )
  })
  return errors.sort((a, b) => a - b)
}

describe.each([1, 2, 3] as const)('in %i-D', (dimensions) => {
  it.each([
    ['the exact sums', { tolerance: 0 }, 1e-12],
    // Coordinates of up to 250 are rounded by 8e-6, and the nearest nodes are 0.5 apart.
    ['float32', {}, 2e-5],
  ])('%s are those of d3', (_, options, bound) => {
    const places = cloud(300, 500)
    const errors = errorsOf(
      mine(places, dimensions, undefined, options),
      theirs(places, dimensions),
      places,
      dimensions,
    )
    expect(errors.at(-1)).toBeLessThan(bound)
  })

  it('a tree meets its tolerance', () => {
    const places = cloud(2500, 1000)
    const force = made()
    const got = pushes(force as unknown as Charge3, places, dimensions)
    expect(force.report()).toMatchObject({
      variant: expect.stringMatching(/^tree/),
      precision: 'f32',
      error: { ok: true },
    })
    const right = pushes(made({ tolerance: 0 }) as unknown as Charge3, places, dimensions)
    const errors = errorsOf(got, right, places, dimensions)
    expect(errors.at(-1)).toBeGreaterThan(1e-5)
    expect(errors[Math.floor(0.99 * errors.length)]).toBeLessThan(1e-2)
  })

  it('coordinates that do not count are neither read nor changed', () => {
    const nodes = [0, 3, 7].map((x, index) => ({ index, x, y: x ** 2, z: x ** 3, vx: 0, vy: 0, vz: 0 }))
    for (const node of nodes) for (const axis of axes.slice(dimensions)) node[axis] = Number.NaN
    const force = made()
    force.initialize(nodes, Math.random, dimensions)
    force(1)
    for (const node of nodes)
      for (const [n, speed] of speeds.entries()) {
        if (n < dimensions) expect(Math.abs(node[speed])).toBeGreaterThan(1e-3)
        else expect(node[speed]).toBe(0)
      }
  })

  // Node 2 is far away, so the middle of the nodes is not a round number.
  const pairAt = (axis: number, distance: number) =>
    [0, distance, -333.3].map((d) => at(...axes.map((_, n) => (n === axis ? d : 0))))
  const ends: [string, number, number][] = axes
    .slice(0, dimensions)
    .flatMap((name, axis) => [0.1, 5, 7.3, 100].map((distance): [string, number, number] => [name, distance, axis]))
  it.each(ends)('nodes along %s at a distanceMax of %d do not meet, and nearer ones do', (_, distance, axis) => {
    for (const options of [{}, { tolerance: 0 }]) {
      const settings: Settings = (force) => force.distanceMax(distance)
      expect(mine(pairAt(axis, distance), dimensions, settings, options)).toEqual(new Array(3 * dimensions).fill(0))
      const near = pairAt(axis, distance * (1 - 1e-12))
      expect(apart(mine(near, dimensions, settings, options), theirs(near, dimensions, settings))).toBeLessThan(1e-6)
    }
  })

  it.each([0.5, 1, 1.5, 2, 5])('the limits are those of d3 with a distanceMin of %d', (distanceMin) => {
    // Distances on a lattice are exact: many are at a limit.
    const places = Array.from({ length: 64 }, (_, n) => at(n % 4, Math.floor(n / 4) % 4, Math.floor(n / 16)))
    const lattice = dimensions === 3 ? places : places.slice(0, 4 ** dimensions)
    for (const distanceMax of [1, 2, 3, Number.POSITIVE_INFINITY]) {
      const settings: Settings = (force) => force.distanceMin(distanceMin).distanceMax(distanceMax)
      const right = theirs(lattice, dimensions, settings)
      const got = mine(lattice, dimensions, settings, { tolerance: 0 })
      // Both add random pushes of up to 30 * 5e-7 for each pair that shares a coordinate.
      expect(Math.max(...got.map((x, n) => Math.abs(x - (right[n] as number))))).toBeLessThan(64 * 3e-5)
    }
  })
})

describe('nodes that share a coordinate', () => {
  it.each([1, 2])('are pushed along axis %i about as far as by d3', (axis) => {
    const places = Array.from({ length: 40 }, (_, n) => at(10 * n))
    const along = (all: readonly number[]) => all.filter((_, n) => n % 3 === axis).map(Math.abs)
    for (const options of [{}, { tolerance: 0 }])
      for (const [n, push] of along(mine(places, 3, undefined, options)).entries()) {
        const right = along(theirs(places, 3))[n] as number
        expect(push).toBeGreaterThan(right / 2)
        expect(push).toBeLessThan(right * 2)
      }
  })

  it('are pushed by those that have a strength, past those that have none', () => {
    const places = Array.from({ length: 9 }, (_, n) => at(10 * n))
    const settings: Settings = (force) => force.strength((_, n) => (n % 4 === 0 ? -30 : 0))
    const got = mine(places, 2, settings).filter((_, n) => n % 2 === 1)
    expect(got.every((y) => Math.abs(y) > 1e-9)).toBe(true)
    expect(mine(places, 2, (force) => force.strength(0))).toEqual(new Array(18).fill(0))
  })

  it('in float32 only are pushed as far as they are apart', () => {
    const places = [at(0, 1e-9), at(10, 0), at(3, 1e4)]
    const got = mine(places, 2, (force) => force.strength((_, n) => (n === 2 ? 0 : -30)))
    expect(got[1]).toBeCloseTo(30 * 1e-11, 15)
    expect(got[3]).toBeCloseTo(-30 * 1e-11, 15)
  })

  it('and their place are pushed as a whole, like in the tree of d3', () => {
    for (const dimensions of [1, 2, 3] as const) {
      const places = [at(1, 1, 1), at(1, 1, 1), at(1, 1, 1), at(9, 1, 1)]
      expect(apart(mine(places, dimensions), theirs(places, dimensions))).toBeLessThan(1e-6)
    }
  })
})

describe('bad input', () => {
  const nodes = () => [at(0), at(1), at(2)].map((node, index) => ({ ...node, index, vx: 0, vy: 0, vz: 0 }))
  it.each([0, 4, 1.5, Number.NaN])('of %d dimensions is refused', (dimensions) => {
    expect(() => made().initialize(nodes(), Math.random, dimensions)).toThrow(
      `"dimensions" expected 1, 2 or 3, got ${dimensions}`,
    )
  })

  it.each([
    [undefined, 3, '"z" of node 1 expected a finite number, got undefined; simulation.nodes(nodes) places new nodes'],
    ['5', 3, '"z" of node 1 expected a finite number, got "5"'],
    [Number.NEGATIVE_INFINITY, 3, '"z" of node 1 expected a finite number, got -Infinity'],
  ] as const)('as a coordinate, %s, is named', (z, dimensions, message) => {
    const given = nodes()
    Object.assign(given[1] as Node3, { z })
    const force = made()
    force.initialize(given, Math.random, dimensions)
    expect(() => force(1)).toThrow(message)
    force.initialize(given, Math.random, 2)
    expect(() => force(1)).not.toThrow()
  })

  it('that exceeds float32 is refused, and taken with a tolerance of 0', () => {
    const large: Settings = (force) => force.strength(1e39)
    expect(() => mine(nodes(), 2, large)).toThrow('"forces" expected finite numbers, got an overflow')
    expect(apart(mine(nodes(), 2, large, { tolerance: 0 }), theirs(nodes(), 2, large))).toBeLessThan(1e-6)
    const far = [at(0), at(1), at(1e39)]
    expect(() => mine(far, 2)).toThrow('"forces" expected finite numbers, got an overflow')
    expect(apart(mine(far, 2, undefined, { tolerance: 0 }), theirs(far, 2))).toBeLessThan(1e-6)
  })
})

describe('the precision', () => {
  it('is float64 for exact sums, also after a change of tolerance', () => {
    const force = made()
    const places = cloud(50, 100)
    for (const [tolerance, distanceMax, precision, bound] of [
      [1e-2, Number.POSITIVE_INFINITY, 'f32', 3e-5],
      [0, Number.POSITIVE_INFINITY, 'f64', 1e-12],
      [1e-2, 40, 'f64', 1e-12],
      [1e-2, Number.POSITIVE_INFINITY, 'f32', 3e-5],
    ] as const) {
      force.tolerance(tolerance).distanceMax(distanceMax)
      const right = theirs(places, 3, (other) => other.distanceMax(distanceMax))
      expect(apart(pushes(force as unknown as Charge3, places, 3), right)).toBeLessThan(bound)
      expect(force.report()).toMatchObject({ precision, variant: expect.stringMatching(/^all pairs/) })
      if (precision === 'f32') force.dispose()
    }
  })
})

describe.each([0, 1])('%i nodes', (count) => {
  it('stay at rest, without a report', () => {
    const force = made()
    expect(pushes(force as unknown as Charge3, cloud(count, 1), 3)).toEqual(new Array(3 * count).fill(0))
    expect(force.report()).toBeUndefined()
  })
})

describe('nodes without a place', () => {
  it('get no push, and are not compared with each other', () => {
    const places = Array.from({ length: 30_000 }, (_, n) => (n < 2 ? at(n) : { ...at(), y: Number.NaN }))
    const got = mine(places, 2, undefined, { tolerance: 0 })
    expect(got[0]).toBeCloseTo(-30, 6)
    expect(got.slice(4).every((v) => v === 0)).toBe(true)
  })
})
