// Which pairs count in the reference, and from where a periodic source acts.

import { describe, expect, it } from 'vitest'
import { attributeSum } from '../../src/problem/interactions/attribute-sum.ts'
import { pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import { countWithin, forces, matrix, nearest, potentials, reduce, sum } from '../../src/problem/workloads/pair.ts'
import { numbersBetween, random } from '../support/random.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const one = pairTerm('1', { name: 'one' })()
const line = Float64Array.of(0, 0, 0, 1, 0, 0, 3, 0, 0)

describe('the pair of a point with itself', () => {
  it('is left out, unless it is included by option or there are two sets', async () => {
    await using engine = await referenceEngine()
    const particles = { position: line }
    expect((await engine.run(sum(one), particles)).value).toEqual(Float64Array.of(2, 2, 2))
    expect((await engine.run(sum(one, { self: 'include' }), particles)).value).toEqual(Float64Array.of(3, 3, 3))
    const two = { targets: particles, sources: particles }
    expect((await engine.run(sum(one), two)).value).toEqual(Float64Array.of(3, 3, 3))
  })

  it('is 0 or its term on the diagonal of a matrix', async () => {
    await using engine = await referenceEngine()
    const particles = { position: line, p: Float64Array.of(1, 2, 3) }
    const { value } = await engine.run(matrix(attributeSum()), particles)
    expect(value).toEqual(Float64Array.of(0, 3, 4, 3, 0, 5, 4, 5, 0))
    const { value: whole } = await engine.run(matrix(attributeSum(), { self: 'include' }), particles)
    expect(whole).toEqual(Float64Array.of(2, 3, 4, 3, 4, 5, 4, 5, 6))
  })
})

describe('exclusions', () => {
  it('are left out in both directions of one set', async () => {
    await using engine = await referenceEngine()
    const { value } = await engine.run(sum(one, { exclusions: [[2, 0]] }), { position: line })
    expect(value).toEqual(Float64Array.of(1, 2, 1))
  })

  it('are pairs of target and source for two sets', async () => {
    await using engine = await referenceEngine()
    const two = { targets: { position: line }, sources: { position: line } }
    const { value } = await engine.run(
      sum(one, {
        exclusions: [
          [2, 0],
          [2, 0],
          [2, 1],
        ],
      }),
      two,
    )
    expect(value).toEqual(Float64Array.of(3, 3, 1))
  })

  it('are refused beyond the sets', async () => {
    await using engine = await referenceEngine()
    await expect(
      engine.run(
        sum(one, {
          exclusions: [
            [0, 1],
            [1, 3],
          ],
        }),
        { position: line },
      ),
    ).rejects.toThrow('"exclusions[1]" expected a target below 3 and a source below 3, got [1, 3]')
  })
})

describe('coincident points', () => {
  const position = Float64Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0)

  it('contribute nothing if the law is singular', async () => {
    await using engine = await referenceEngine()
    const particles = { position, mass: Float64Array.of(1, 2, 4) }
    const { potential } = await engine.run(potentials(gravity()), particles)
    expect(potential).toEqual(Float64Array.of(-4, -8, -12))
    expect((await engine.run(forces(gravity()), particles)).force).toEqual(Float64Array.of(4, 0, 0, 8, 0, 0, -12, 0, 0))
  })

  it('count if the law is finite', async () => {
    await using engine = await referenceEngine()
    const { potential } = await engine.run(potentials(gravity({ softening: 1 })), {
      position: position.subarray(0, 6),
      mass: Float64Array.of(1, 2),
    })
    expect(potential).toEqual(Float64Array.of(-2, -2))
  })

  it('are judged with the parameters of the run', async () => {
    await using engine = await referenceEngine()
    const particles = { position: position.subarray(0, 6), mass: Float64Array.of(1, 2) }
    const soft = potentials(gravity({ softening: 1 }))
    expect((await engine.run(soft, particles, { parameters: { softening: 0 } })).potential).toEqual(
      Float64Array.of(0, 0),
    )
    expect((await engine.run(soft, particles)).potential).toEqual(Float64Array.of(-2, -2))
  })

  it('are neighbours at distance 0, the lower index first, without the point itself', async () => {
    await using engine = await referenceEngine()
    const { index, distance } = await engine.run(nearest(2), { position })
    expect(index).toEqual(Int32Array.of(1, 2, 0, 2, 0, 1))
    expect(distance).toEqual(Float64Array.of(0, 1, 0, 1, 1, 1))
  })

  it('are counted at any radius', async () => {
    await using engine = await referenceEngine()
    expect((await engine.run(countWithin(1e-9), { position })).count).toEqual(Uint32Array.of(1, 1, 0))
    expect((await engine.run(countWithin(1), { position })).count).toEqual(Uint32Array.of(2, 2, 2))
    expect((await engine.run(countWithin(Infinity), { position })).count).toEqual(Uint32Array.of(2, 2, 2))
  })
})

describe('a cutoff that leaves too few neighbours', () => {
  it('gives index -1 and an infinite distance', async () => {
    await using engine = await referenceEngine()
    const { index, distance } = await engine.run(nearest(2, { cutoff: 1.5 }), { position: line })
    expect(index).toEqual(Int32Array.of(1, -1, 0, -1, -1, -1))
    expect(distance).toEqual(Float64Array.of(1, Infinity, 1, Infinity, Infinity, Infinity))
  })
})

describe('nearest images', () => {
  const boundary = periodic([4, 6, 10])
  const displacement = pairTerm({ dx: 'dx', dy: 'dy', dz: 'dz' })()
  const between = async (source: readonly number[]) => {
    await using engine = await referenceEngine()
    const two = {
      targets: { position: new Float64Array(3) },
      sources: { position: Float64Array.from(source) },
    }
    return [...(await engine.run(sum(displacement, { boundary }), two)).value].map((x) => x + 0)
  }

  it.each<[source: readonly number[], d: readonly number[]]>([
    [
      [1, 1, 1],
      [1, 1, 1],
    ],
    [
      [3, 5, 9],
      [-1, -1, -1],
    ],
    [
      [-3, -5, -9],
      [1, 1, 1],
    ],
    [
      [4, 6, 10],
      [0, 0, 0],
    ],
    [
      [401, 601, -999],
      [1, 1, 1],
    ],
    [
      [1.999, 2.999, 4.999],
      [1.999, 2.999, 4.999],
    ],
    [
      [2.001, 3.001, 5.001],
      [2.001 - 4, 3.001 - 6, 5.001 - 10],
    ],
  ])('of %j are at %j', async (source, d) => {
    for (const [axis, x] of (await between(source)).entries()) expect(x).toBeCloseTo(d[axis] as number, 12)
  })

  it('of a source half a box away are the same from both points', async () => {
    const steps = [0.5, 1.5, 2.5, 3.5]
    for (const n of steps) {
      const there = await between([4 * n, 6 * n, 10 * n])
      const back = await between([-4 * n, -6 * n, -10 * n])
      expect(back).toEqual(there.map((x) => -x + 0))
    }
  })

  it('keep the forces of a symmetric law opposite, also half a box apart', async () => {
    await using engine = await referenceEngine()
    const spring = pairPotential('r2/2')()
    const { force } = await engine.run(forces(spring, { boundary }), { position: Float64Array.of(0, 0, 0, 2, 3, 5) })
    expect([...force.subarray(3)]).toEqual([...force.subarray(0, 3)].map((x) => -x))
  })

  it('do not depend on which image of a point its position is', async () => {
    await using engine = await referenceEngine()
    const position = numbersBetween(random(2), 30, 0, 4)
    const moved = position.map((x, n) => x + ([4, -12, 30][n % 3] as number))
    const workload = reduce('min', pairTerm('r')(), { boundary })
    const [a, b] = [await engine.run(workload, { position }), await engine.run(workload, { position: moved })]
    for (const [n, x] of a.value.entries()) expect(b.value[n]).toBeCloseTo(x, 12)
  })
})

describe('blocks of pairs', () => {
  /** The sum has other bits in another order. */
  const law = pairTerm('a_i*b_j + r2')()
  const weights = (count: number) => Float64Array.from({ length: count }, (_, j) => 1 / (j + 3))

  it.each([1, 127, 128, 129, 256, 300])('add up %d sources in their order', async (count) => {
    await using engine = await referenceEngine()
    const [here, there] = [numbersBetween(random(3), 6, 0, 1), numbersBetween(random(4), 3 * count, 0, 1)]
    const [a, b] = [Float64Array.of(2, 3), weights(count)]
    const points = { targets: { position: here, a }, sources: { position: there, b } }
    const { value } = await engine.run(sum(law, { exclusions: [[1, 0]] }), points)
    const expected = Array.from(a, (own, i) => {
      let total = 0
      for (let j = i; j < count; j++) {
        const d = [0, 1, 2].map((axis) => (there[3 * j + axis] as number) - (here[3 * i + axis] as number))
        const r2 = d.reduce((squares, along) => squares + along * along, 0)
        total += own * (b[j] as number) + r2
      }
      return total
    })
    expect(value).toEqual(Float64Array.from(expected))
  })

  /** More sources than a block has pairs. Every third one is where the first target is. */
  const many = 300
  const here = numbersBetween(random(3), 6, 0, 1)
  const there = numbersBetween(random(4), 3 * many, 0, 1).map((x, n) =>
    Math.floor(n / 3) % 3 === 0 ? (here[n % 3] as number) : x,
  )
  const [a, b] = [Float64Array.of(2, 3), weights(many)]
  const h = Float64Array.from({ length: many }, (_, j) => (j % 5) / 10)
  const points = { targets: { position: here, a, h: Float64Array.of(0.2, 0.1) }, sources: { position: there, b, h } }
  /** The sum of the terms of the sources that count. */
  const summed = (
    term: (i: number, j: number, r: number) => number,
    counts: (i: number, j: number, r: number) => boolean,
  ) =>
    Array.from(a, (_, i) => {
      let total = 0
      for (let j = 0; j < many; j++) {
        const r = Math.hypot(
          ...[0, 1, 2].map((axis) => (there[3 * j + axis] as number) - (here[3 * i + axis] as number)),
        )
        if (counts(i, j, r)) total += term(i, j, r)
      }
      return total
    })
  const product = (i: number, j: number) => (a[i] as number) * (b[j] as number)
  const widths = (i: number, j: number) => (points.targets.h[i] as number) + (h[j] as number)
  const inverse = pairTerm('a_i*b_j/r')()

  it.each([
    [
      'a cutoff',
      sum(law, { cutoff: 0.5 }),
      summed(
        (i, j, r) => product(i, j) + r * r,
        (_i, _j, r) => r <= 0.5,
      ),
    ],
    [
      'a cutoff of each pair',
      sum(law, { cutoff: 'h_i + h_j' }),
      summed(
        (i, j, r) => product(i, j) + r * r,
        (i, j, r) => r <= widths(i, j),
      ),
    ],
    [
      'coincident pairs without a term',
      sum(inverse),
      summed(
        (i, j, r) => product(i, j) / r,
        (_i, _j, r) => r > 0,
      ),
    ],
    [
      'both',
      sum(inverse, { cutoff: 'h_i + h_j' }),
      summed(
        (i, j, r) => product(i, j) / r,
        (i, j, r) => r > 0 && r <= widths(i, j),
      ),
    ],
  ])('leave out pairs by %s', async (_, workload, expected) => {
    await using engine = await referenceEngine()
    const { value } = await engine.run(workload, points)
    for (const [i, one] of expected.entries()) expect((value[i] as number) / one).toBeCloseTo(1, 12)
  })

  it('count pairs within a limit', async () => {
    await using engine = await referenceEngine()
    const { count } = await engine.run(countWithin(0.25, pairTerm('r2 + 0*b_j')()), points)
    expect(Array.from(count)).toEqual(
      summed(
        () => 1,
        (_i, _j, r) => r * r <= 0.25,
      ),
    )
  })
})
