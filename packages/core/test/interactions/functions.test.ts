// Tabulated functions: splines as SciPy computes them, exact derivatives, functions by kinds, behaviour outside, and wrong input.

import { describe, expect, it } from 'vitest'
import { cubicsOf } from '../../src/ground/curves.ts'
import {
  createEngine,
  energy,
  forces,
  type LawOptions,
  pairForce,
  pairPotential,
  pairTerm,
  potentials,
  reference,
  sum,
  sumOf,
  tree,
} from '../../src/index.ts'

const engine = await createEngine({ backends: [reference()], precision: 'f64' })
type Functions = NonNullable<LawOptions['functions']>

const pair = (r: number) => ({ position: [0, 0, 0, r, 0, 0] })
async function at(functions: Functions, r: number, text = 'u(r)') {
  const law = pairPotential(text, { functions })()
  const { potential } = await engine.run(potentials(law), pair(r))
  const { force } = await engine.run(forces(law), pair(r))
  return [potential[0], force[0]] as [number, number]
}

/** SciPy 1.17.1, CubicSpline(at, values, bc_type='natural'). */
const even = { from: 1, to: 2, values: [3, -1, 0.5, 2, 1] }
const uneven = { at: [0.5, 0.8, 1, 1.3, 1.35, 2, 4], values: [5, 3, 2, 2.5, 2.4, 1, 0.5] }

describe('tabulated functions', () => {
  it.each([
    [1.125, 0.4642857142857142, -17.42857142857143],
    [1.25, -1, -4.571428571428571],
    [1.4, -0.4977142857142864, 8.902857142857139],
    [1.75, 2, 0.5714285714285715],
    [1.9, 1.5920000000000005, -5.188571428571426],
  ])('are natural cubic splines: at %f', async (r, value, slope) => {
    const [potential, force] = await at({ u: even }, r)
    expect(potential).toBeCloseTo(value, 12)
    expect(force).toBeCloseTo(slope, 11)
  })

  it.each([
    [0.55, 4.670095632760106, -6.6020061631903735],
    [0.9, 2.3608922537869907, -5.487205397731715],
    [1.32, 2.4688949443159967, -1.9642762690131113],
    [1.7, 1.5801756821797306, -2.1696666265492177],
    [3.1, 0.2198184859237492, 0.026257393625814807],
  ])('at any distances are the same spline to a few 1e-7: at %f', async (r, value, slope) => {
    const [potential, force] = await at({ u: uneven }, r)
    expect(Math.abs(potential - value)).toBeLessThan(1e-6)
    expect(Math.abs(force - slope)).toBeLessThan(1e-4)
  })

  it('have a continuous value, slope and second derivative at each node', () => {
    const { pieces } = cubicsOf(even)
    for (const [n, { x, a, b, c, d }] of pieces.slice(0, -1).entries()) {
      const next = pieces[n + 1] as (typeof pieces)[number]
      const t = next.x - x
      expect(a + t * (b + t * (c + t * d))).toBeCloseTo(next.a, 12)
      expect(b + t * (2 * c + 3 * t * d)).toBeCloseTo(next.b, 11)
      expect(2 * c + 6 * t * d).toBeCloseTo(2 * next.c, 10)
    }
  })

  it.each([
    ['zero', 0.5, 0],
    ['zero', 2.5, 0],
    ['edge', 0.5, 3],
    ['edge', 2.5, 1],
  ] as const)('%s beyond the ends: at %f', async (outside, r, value) => {
    const [potential, force] = await at({ u: { ...even, outside } }, r)
    expect(potential).toBeCloseTo(value, 12)
    expect(Math.abs(force)).toBe(0)
  })

  it('say which pair is beyond the ends, by default', async () => {
    const law = pairPotential('u(r)', { functions: { u: even } })()
    await expect(engine.run(energy(law), pair(2.5))).rejects.toThrow(
      /points 0 and 1, which are 2\.5 apart: the function u is tabulated from 1 to 2$/,
    )
  })

  it('say so with a function for each kind', async () => {
    const law = pairPotential('u[kind_j](r)', { functions: { u: [even, { ...even, to: 3 }] } })()
    await expect(engine.run(energy(law), { ...pair(4), kind: [0, 1] })).rejects.toThrow(
      /4 apart: the function u is tabulated from 1 to [23]$/,
    )
  })

  it('are chosen by the kinds of both points', async () => {
    const flat = (value: number) => ({ from: 0, to: 9, values: [value, value] })
    const law = pairTerm('u[kind_i, kind_j](r) + 100*w[kind_j](r)', {
      functions: {
        u: [
          [flat(1), flat(2)],
          [flat(3), flat(4)],
        ],
        w: [flat(5), flat(6)],
      },
    })()
    const { value } = await engine.run(sum(law), { ...pair(1), kind: [0, 1] })
    expect([...value]).toEqual([2 + 600, 3 + 500])
    expect(law.symmetric).toBe(false)
  })

  it('share what equal functions have, and are symmetric if their numbers are', () => {
    const [a, b] = [even, { ...even, values: [1, 2, 3] }]
    const of = (u: Functions['u']) => pairPotential('u[kind_i, kind_j](r)', { functions: { u } as Functions })()
    expect(
      of([
        [a, b],
        [b, a],
      ]).symmetric,
    ).toBe(true)
    expect(
      of([
        [a, b],
        [{ ...b, to: 3 }, a],
      ]).symmetric,
    ).toBe(false)
    expect(
      of([
        [a, b],
        [b, a],
      ]).tables?.['u.x'],
    ).toHaveLength(6)
  })

  it('may have other numbers in each run', async () => {
    const law = pairPotential('u(r)', { functions: { u: even } })()
    const program = await engine.prepare(potentials(law), { count: 2 })
    const flat = { from: 0, to: 3, values: [7, 7] }
    const own = await program.run(pair(1.5))
    const other = await program.run(pair(1.5), { functions: { u: flat } })
    expect([own.potential[0], other.potential[0]]).toEqual([expect.closeTo(0.5, 12), 7])
    const uneven = { at: [0, 1, 3], values: [7, 7, 7] }
    expect((await program.run(pair(1.5), { functions: { u: uneven } })).potential[0]).toBeCloseTo(7, 12)
    const wrong = (u: unknown) => program.run(pair(1.5), { functions: { u } as never })
    await expect(wrong([flat])).rejects.toThrow(
      "expected one function with outside: 'error', as in the law, got a function for each kind with outside: 'error'",
    )
    await expect(wrong({ ...flat, outside: 'edge' })).rejects.toThrow("got one function with outside: 'edge'")
    await expect(program.run(pair(1.5), { functions: { v: flat } } as never)).rejects.toThrow(
      /"v" is not a function of u\(r\)/,
    )
  })

  it('are added up by name: each law keeps its own', async () => {
    const flat = (value: number) => ({ from: 0, to: 9, values: [value, value] })
    const one = pairTerm('k*u(r)', { functions: { u: flat(2) }, parameters: { k: 3 } })
    const other = pairTerm('k + u[kind_j](r)', { functions: { u: [flat(5), flat(7)] }, parameters: { k: 100 } })
    const law = sumOf(one(), other())
    expect(law.expressions.value).toBe('k2 + u2[kind_j](r) + k * u(r)')
    const again = JSON.parse(JSON.stringify(law))
    for (const it of [law, again]) {
      const { value } = await engine.run(sum(it), { ...pair(1), kind: [0, 1] })
      expect([...value]).toEqual([6 + 107, 6 + 105])
    }
  })

  it('survive JSON', async () => {
    const law = pairPotential('u[kind_i, kind_j](r)', { functions: { u: [[even]] } })()
    const again = JSON.parse(JSON.stringify(law))
    const points = { ...pair(1.3), kind: [0, 0] }
    const { energy: first } = await engine.run(energy(law), points)
    const { energy: second } = await engine.run(energy(again), points)
    expect(second).toEqual(first)
  })
})

describe('wrong functions are refused', () => {
  const of =
    (u: unknown, text = 'u(r)') =>
    () =>
      pairPotential(text, { functions: { u } as Functions })
  it.each([
    [of(3), '"functions.u" expected { from: 1, to: 5, values: [...] } or { at: [...], values: [...] }, got 3'],
    [of([]), '"functions.u" expected a function for each kind, got none'],
    [of({ from: 1, to: 2, values: [1] }), '"functions.u.values" expected at least 2 numbers, got 1'],
    [of({ from: 1, to: 2, values: 'abc' }), '"functions.u.values" expected a list of numbers, got "abc"'],
    [of({ from: 2, to: 1, values: [1, 2] }), '"functions.u.to" expected more than 2, got 1'],
    [of({ from: -1, to: 1, values: [1, 2] }), '"functions.u.from" expected finite number >= 0, got -1'],
    [
      of({ from: 1, to: 2, values: [1, Number.POSITIVE_INFINITY] }),
      '"functions.u.values[1]" expected finite number, got Infinity',
    ],
    [
      of({ at: [1, 2, 2], values: [1, 2, 3] }),
      '"functions.u.at" expected ascending distances, got 2 at index 2, after 2',
    ],
    [of({ at: [1, 2], values: [1, 2, 3] }), '"functions.u.values" expected 2 numbers, as in at, got 3'],
    [of({ at: [1, 2], from: 1, values: [1, 2] }), '"functions.u" expected from and to, or at, got both'],
    [of({ ...even, outside: 'nan' }), '"functions.u.outside" expected'],
    [of([[even, even], [even]], 'u[kind_i, kind_j](r)'), '"functions.u[1]" expected 2 functions, as in row 0, got 1'],
    [
      of([even, { ...even, outside: 'zero' }], 'u[kind_i](r)'),
      '"functions.u" expected one behaviour outside in all functions, got error and zero',
    ],
    [of({ at: [1, 1 + 1e-9, 2], values: [1, 2, 3] }), '"at" expected distances at least'],
    [of(even, 'u'), 'expected "(r)", because a tabulated function takes the distance: u(r), got end of text'],
    [of(even, 'u(r2)'), 'expected "(r)", because a tabulated function takes the distance: u(r), got "r2"'],
    [of([[even]], 'u(r)'), 'expected "[", because kinds choose a function: u[kind_i, kind_j](r), got "("'],
    [of([[even]], 'u[kind_i](r)'), 'expected 2 indices, as in u[kind_i, kind_j](r), got 1'],
    [
      () => pairPotential('u(r)', { parameters: { u: 1 }, functions: { u: even } } as never),
      '"functions" expected names other than',
    ],
    [() => pairPotential('exp(r)', { functions: { exp: even } }), '"functions" expected names other than'],
  ])('%#', (make, message) => {
    expect(make).toThrow(message)
  })

  const law = pairPotential('u(r)', { functions: { u: even }, inertia: 'mass' })()
  it.each([
    [
      () => sumOf(law, pairForce('1')()),
      '"laws" expected potentials without tabulated functions beside forces, got u(r), whose force has no text',
    ],
    [
      () => engine.run(energy(law, { cutoff: 'h_i', shift: true }), { ...pair(1.2), h: [2, 2] }),
      '"shift" expected one cutoff for all pairs, because u(r) has tabulated functions, got a cutoff for each pair',
    ],
    [() => pairPotential('u(r + 1)', { functions: { u: even } }), 'takes the distance: u(r), got "+"'],
    [
      () => engine.run(energy(law, { method: tree({ tolerance: 1e-2 }) }), pair(1.2)),
      'a tree adds up sources before it meets a target, and u needs',
    ],
    [
      () =>
        engine.run(energy(pairPotential('u[kind_i](r)', { functions: { u: [even, even] } })()), {
          ...pair(1.2),
          kind: [0, 2],
        }),
      '"kind" expected whole numbers from 0 to 1, because u has 2 numbers, got 2 at index 1',
    ],
  ])('in a place that cannot have them, %#', async (run, message) => {
    await expect((async () => run())()).rejects.toThrow(message)
  })
})
