// Domain options: their meaning, the error for each mistake, and which workloads refuse which.

import { describe, expect, it } from 'vitest'
import { pairForce, pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import type { Interaction } from '../../src/problem/interactions/interaction.ts'
import { domainOf, open, periodic } from '../../src/problem/workloads/define-domain.ts'
import type { DomainOptions } from '../../src/problem/workloads/domain.ts'
import {
  accelerations,
  countWithin,
  energy,
  forces,
  matrix,
  nearest,
  neighborsWithin,
  potentials,
  reduce,
  sum,
  virial,
} from '../../src/problem/workloads/pair.ts'

const law = gravity()
const term = pairTerm('r', { name: 'distance' })()
const vector = pairTerm({ a: 'dx', b: 'dy' }, { name: 'vector' })()
const push = pairForce('1', { name: 'push' })()

describe('a domain', () => {
  it('is open space without a cutoff by default, in which no point acts on itself', () => {
    expect(domainOf()).toEqual({ self: 'exclude', boundary: { kind: 'open' }, exclusions: [] })
  })

  it('does not shift energies by default', () => {
    expect(domainOf({ cutoff: 2 }).cutoff).toEqual({ distance: 2, shift: false })
    expect(domainOf({ cutoff: 2, switchDistance: 0 }).cutoff).toEqual({ distance: 2, switchDistance: 0, shift: false })
  })

  it('leaves its options unchanged, and copies exclusions once from any iterable', () => {
    const pairs: [number, number][] = [[0, 1]]
    const domain = domainOf({ exclusions: pairs.values() })
    pairs.push([1, 2])
    expect(domain.exclusions).toEqual([[0, 1]])
    expect([domain, domain.exclusions, domain.exclusions[0]].every(Object.isFrozen)).toBe(true)
  })

  it('allows a cutoff of exactly half the box', () => {
    expect(domainOf({ boundary: periodic([4, 6, 8]), cutoff: 2 }).cutoff?.distance).toBe(2)
  })

  it('has no limit along an open axis, and is the same after JSON', () => {
    const slab = periodic([Infinity, 6, 8])
    expect(domainOf({ boundary: slab, cutoff: 3 }).boundary).toEqual({
      kind: 'periodic',
      lengths: [0, 6, 8],
      open: ['x'],
    })
    expect(domainOf({ boundary: JSON.parse(JSON.stringify(slab)) }).boundary).toEqual(slab)
  })
})

describe('a wrong domain', () => {
  const box = periodic([4, 6, 8])
  it.each<[options: unknown, error: Error]>([
    [
      { cutof: 1 },
      new TypeError(
        '"cutof" is not a domain option; expected self, boundary, cutoff, switchDistance, shift, exclusions',
      ),
    ],
    [{ self: 'skip' }, new TypeError('"self" expected "exclude" or "include", got "skip"')],
    [{ boundary: 'periodic' }, new TypeError('"boundary" expected open() or periodic([...]), got "periodic"')],
    [{ boundary: { kind: 'closed' } }, new TypeError('"boundary" expected open() or periodic([...]), got "closed"')],
    [
      { boundary: { kind: 'periodic' } },
      new TypeError('"lengths" expected a list of 1, 2 or 3 numbers, got undefined'),
    ],
    [
      { boundary: { kind: 'periodic', lengths: [1, -1, 1] } },
      new RangeError('"lengths[1]" expected finite number > 0, got -1'),
    ],
    [{ cutoff: 0 }, new RangeError('"cutoff" expected finite number > 0, got 0')],
    [{ cutoff: -1 }, new RangeError('"cutoff" expected finite number > 0, got -1')],
    [{ cutoff: NaN }, new RangeError('"cutoff" expected finite number > 0, got NaN')],
    [{ cutoff: Infinity }, new RangeError('"cutoff" expected finite number > 0, got Infinity')],
    [{ cutoff: '2' }, new TypeError('"cutoff" expected number, got "2"')],
    [
      { boundary: box, cutoff: 2.1, exclusions: [[0, 1]] },
      new RangeError(
        '"cutoff" expected at most half the shortest box length, 2, beside exclusions, got 2.1; points have several images, and an exclusion names none',
      ),
    ],
    [{ switchDistance: 1 }, new TypeError('"switchDistance" expected a "cutoff" beside it, got none')],
    [{ shift: true }, new TypeError('"shift" expected a "cutoff" beside it, got none')],
    [{ cutoff: 2, switchDistance: 2 }, new RangeError('"switchDistance" expected less than the cutoff, 2, got 2')],
    [{ cutoff: 2, switchDistance: -1 }, new RangeError('"switchDistance" expected finite number >= 0, got -1')],
    [
      { cutoff: 2, switchDistance: 1, shift: true },
      new TypeError('"shift" and "switchDistance" both end a potential at the cutoff; expected one of them, got both'),
    ],
    [{ exclusions: [[0, -1]] }, new RangeError('"exclusions[0][1]" expected integer >= 0, got -1')],
    [
      {
        exclusions: [
          [0, 1],
          [1.5, 2],
        ],
      },
      new RangeError('"exclusions[1][0]" expected integer >= 0, got 1.5'),
    ],
    [{ exclusions: [[0]] }, new TypeError('"exclusions[0]" expected a pair [a, b], got 1 of them')],
    [{ exclusions: [[0, 1, 2]] }, new TypeError('"exclusions[0]" expected a pair [a, b], got 3 of them')],
    [{ exclusions: [0, 1] }, new TypeError('"exclusions[0]" expected a pair [a, b], got 0')],
    [{ exclusions: { 0: [0, 1] } }, new TypeError('"exclusions" expected a list of pairs [a, b], got Object')],
  ])('is refused: %j', (options, error) => {
    expect(() => domainOf(options as DomainOptions)).toThrow(error)
    expect(() => domainOf(options as DomainOptions)).toThrow(error.constructor as ErrorConstructor)
  })

  it.each<[lengths: unknown, message: string]>([
    [[], '"lengths" expected a list of 1, 2 or 3 numbers, got 0 of them'],
    [[1, 2, 3, 4], '"lengths" expected a list of 1, 2 or 3 numbers, got 4 of them'],
    [5, '"lengths" expected a list of 1, 2 or 3 numbers, got 5'],
    [[1, 0, 1], '"lengths[1]" expected number > 0, got 0; the length of an axis that does not repeat is Infinity'],
    [
      [1, 2, null],
      '"lengths[2]" expected number > 0, got null; the length of an axis that does not repeat is Infinity',
    ],
    [[1, -Infinity], '"lengths[1]" expected finite number > 0, got -Infinity'],
    [
      [Infinity, Infinity, Infinity],
      '"lengths" expected at least one finite number, got Infinity, Infinity, Infinity; a space that repeats along no axis is open()',
    ],
    [[1, NaN], '"lengths[1]" expected finite number > 0, got NaN'],
  ])('is refused: a box with lengths %j', (lengths, message) => {
    expect(() => periodic(lengths as number[])).toThrow(message)
  })

  it('does not result from open()', () => {
    expect(open()).toEqual({ kind: 'open' })
  })
})

describe('a workload', () => {
  it.each<[make: () => unknown, message: string]>([
    [
      () => forces(gravity as unknown as Interaction),
      '"law" expected an interaction, such as gravity(), got a law that was not called',
    ],
    [
      () => forces(undefined as unknown as Interaction),
      '"law" expected an interaction, such as gravity(), got undefined',
    ],
    [() => forces(term), '"forces" expected an energy or a force, got distance, which is a term: use sum(law)'],
    [() => virial(term), '"virial" expected an energy or a force, got distance'],
    [() => accelerations(term), '"accelerations" expected an energy or a force, got distance'],
    [
      () => accelerations(push),
      `"accelerations" expected a law with inertia, got push: define it with { inertia: 'mass' }, or use forces(law)`,
    ],
    [() => potentials(push), '"potentials" expected a potential, got push, which gives a force and has no energy'],
    [() => energy(term), '"energy" expected a potential, got distance, which gives a term and has no energy'],
    [() => sum(push), '"term" expected a term or a potential, got push, which gives a force: use forces(law)'],
    [() => reduce('min', vector), '"min" expected a scalar term, got vector with 2 components'],
    [() => matrix(vector), '"matrix" expected a scalar term, got vector with 2 components'],
    [
      () => reduce('mean' as 'min', term),
      '"operation" expected "min" or "max" or "argmin" or "argmax" or "logsumexp", got "mean"',
    ],
    [
      () => forces(push, { cutoff: 1, shift: true }),
      '"shift" expected a potential, got push, which gives a force: there is no energy to shift',
    ],
    [() => nearest(0), '"k" expected integer >= 1, got 0'],
    [() => nearest(1.5), '"k" expected integer >= 1, got 1.5'],
    [
      () => nearest(2, { cutoff: 2, switchDistance: 1 } as object),
      '"switchDistance" is not an option of nearest; expected self, boundary, cutoff, exclusions',
    ],
    [() => nearest(2, { cutoff: 2, shift: true } as object), '"shift" is not an option of nearest; expected self'],
    [
      () => countWithin(1, { cutoff: 2 } as object),
      '"cutoff" is not an option of countWithin; expected self, boundary, exclusions',
    ],
    [
      () => neighborsWithin(1, { cutoff: 2 } as object),
      '"cutoff" is not an option of neighborsWithin; expected self, boundary, exclusions',
    ],
    [() => neighborsWithin(0), '"radius" expected finite number > 0, got 0'],
    [
      () => neighborsWithin(24, { boundary: periodic([2, 1]) }),
      '"radius" expected one that reaches at most 512 cells, got 24, which needs 25 x 49 of them',
    ],
    [() => countWithin(Infinity, { cutof: 2 } as object), '"cutof" is not an option of countWithin; expected self'],
    [() => countWithin(0), '"radius" expected finite number > 0, got 0'],
    [() => countWithin(NaN), '"radius" expected finite number > 0, got NaN'],
    [
      () => countWithin(1.1, { boundary: periodic([2, 3]), exclusions: [[0, 1]] }),
      '"radius" expected at most half the shortest box length, 1, beside exclusions, got 1.1',
    ],
    [() => forces(law, { cutoff: -1 }), '"cutoff" expected finite number > 0, got -1'],
  ])('refuses wrong arguments with $1', (make, message) => {
    expect(make).toThrow(message)
  })
})
