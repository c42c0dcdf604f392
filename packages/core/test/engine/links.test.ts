// Workloads over links: which points receive, the results without links, and the input that they refuse.

import { expect, it } from 'vitest'
import type { Backend } from '../../src/contract/backend.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { type LinkedLaw, type LinkReduction, overLinks } from '../../src/engine/links/over-links.ts'
import { pairForce, pairPotential, pairTerm } from '../../src/problem/interactions/define.ts'
import { gravity } from '../../src/problem/interactions/gravity.ts'
import { periodic } from '../../src/problem/workloads/define-domain.ts'
import type { Attributes } from '../../src/problem/workloads/particles.ts'
import { anglePotential, dihedralPotential } from '../../src/simulation/forces/angle-law.ts'
import { reference } from '../../src/truth/reference/backend.ts'
import { referenceEngine } from '../support/reference-engine.ts'

const difference = pairTerm('weight*(f_j - f_i)', { parameters: { weight: 1 } })
const spring = pairPotential('k*(r - rest)^2/2', { inertia: 'mass', parameters: { k: 1, rest: 0.5 } })
const length = pairTerm('r')()
const f = [1, 2, 4]
const pair = { position: [0, 0, 3, 4], mass: [1, 2], dimension: 2 }

async function run(reduction: LinkReduction, links: LinkedLaw, points: object = { f }, options: object = {}) {
  await using engine = await referenceEngine()
  const { report: _, ...results } = await engine.run(overLinks(reduction, links), points as Attributes, options)
  return Object.fromEntries(
    Object.entries(results).map(([name, x]) => [name, typeof x === 'number' ? x : Array.from(x)]),
  )
}

it('lets both points of a bond receive, the first one if directed, and a bond twice if it is listed twice', async () => {
  const bonds = [
    [0, 1],
    [1, 2],
    [0, 1],
  ] as const
  const attributes = { weight: [1, 10, 100] }
  expect(await run('sum', { law: difference(), bonds, attributes })).toEqual({ value: [101, -81, -20] })
  expect(await run('sum', { law: difference(), bonds, attributes, directed: true })).toEqual({ value: [101, 20, 0] })
  expect(await run('each', { law: difference(), bonds, attributes })).toEqual({ value: [1, 20, 100] })
  expect(await run('mean', { law: difference(), bonds, attributes })).toEqual({ value: [101 / 2, -81 / 3, -20] })
  expect(await run('argmin', { law: difference(), bonds, attributes })).toEqual({
    index: [0, 2, 1],
    value: [1, -100, -20],
  })
  expect(await run('sum', { law: pairTerm('1')(), bonds })).toEqual({ value: [2, 3, 1] })
})

it('gives the empty result to points without links, and to empty lists', async () => {
  const none = { law: difference(), bonds: [] }
  expect(await run('sum', none)).toEqual({ value: [0, 0, 0] })
  expect(await run('mean', { law: difference(), bonds: [[0, 1]] })).toEqual({ value: [1, -1, 0] })
  expect(await run('argmax', none)).toEqual({ index: [-1, -1, -1], value: [-Infinity, -Infinity, -Infinity] })
  expect(await run('each', none)).toEqual({ value: [] })
  expect(await run('energy', { law: spring(), bonds: [] }, pair)).toEqual({ energy: 0 })
})

it('scales forces and energies, and measures across the faces of a box', async () => {
  const bonds = [[0, 1]] as const
  expect(await run('force', { law: spring({ rest: 1 }), bonds, scale: 0.5 }, pair)).toEqual({
    force: [1.2, 1.6, -1.2, -1.6].map((x) => expect.closeTo(x, 12)),
  })
  expect(await run('each', { law: length, bonds, boundary: periodic([4, 5]) }, pair)).toEqual({ value: [Math.SQRT2] })
  const tilted = periodic({ a: [4, 0], b: [1.5, 5] })
  expect(await run('each', { law: length, bonds, boundary: tilted }, pair)).toEqual({
    value: [expect.closeTo(Math.hypot(1.5, 1), 14)],
  })
  const far = { position: Float64Array.of(1e9, 0, 1e9 + 3, 4), dimension: 2 }
  expect(await run('each', { law: length, bonds }, far)).toEqual({ value: [5] })
})

it('pushes points at one place apart along x if the law has a rest length, and leaves out a singular bond', async () => {
  const together = { position: [7, 7, 7, 7], mass: [1, 1], dimension: 2 }
  const bonds = [[0, 1]] as const
  const { force } = await run('force', { law: spring(), bonds }, together)
  expect(force).toEqual([-0.5, 0, 0.5, 0].map((x) => expect.closeTo(x, 12)))
  expect(await run('energy', { law: spring(), bonds }, together)).toEqual({ energy: 0.125 })
  expect(await run('force', { law: gravity(), bonds }, together)).toEqual({ force: [0, 0, 0, 0] })
  expect(await run('each', { law: length, bonds }, together)).toEqual({ value: [0] })
})

it('measures angles and dihedrals', async () => {
  const position = [1, 0, 0, 0, 0, 0, 0, 0, 1, -1, 0, 1]
  const angles = [[0, 1, 2]] as const
  expect(await run('each', { law: anglePotential('theta')(), angles }, { position })).toEqual({ value: [Math.PI / 2] })
  const { value } = await run('each', { law: dihedralPotential('phi')(), dihedrals: [[0, 1, 2, 3]] }, { position })
  expect(value).toEqual([expect.closeTo(Math.PI, 12)])
})

it('takes other parameters and tables, reads components of vectors, and runs workloads from JSON', async () => {
  const bonds = [[0, 1]] as const
  expect(await run('sum', { law: difference(), bonds }, { f }, { parameters: { weight: 3 } })).toEqual({
    value: [3, -3, 0],
  })
  const typed = pairTerm('t[kind_i, kind_j]', {
    tables: {
      t: [
        [1, 2],
        [2, 3],
      ],
    },
  })
  const kinds = { kind: [0, 1, 1] }
  expect(
    await run('sum', { law: typed(), bonds }, kinds, {
      tables: {
        t: [
          [0, 9],
          [9, 0],
        ],
      },
    }),
  ).toEqual({ value: [9, 9, 0] })
  const velocity = { position: [0, 0, 1, 1], velocity: [1, 2, 3, 4], dimension: 2 }
  expect(await run('sum', { law: pairTerm('velocity_y_j')(), bonds }, velocity)).toEqual({ value: [4, 2] })
  await using engine = await referenceEngine()
  const data = JSON.parse(JSON.stringify(overLinks('sum', { law: difference(), bonds, directed: true })))
  expect(Array.from(((await engine.run(data, { f })) as unknown as { value: Float64Array }).value)).toEqual([1, 0, 0])
})

it('prepares a workload for points of one shape', async () => {
  await using engine = await referenceEngine()
  const workload = overLinks('acceleration', { law: spring(), bonds: [[0, 1]] })
  const program = await engine.prepare(workload, { count: 2, dimension: 2 })
  expect(Array.from((await program.run(pair)).acceleration)).toEqual(
    [2.7, 3.6, -1.35, -1.8].map((x) => expect.closeTo(x, 12)),
  )
  await expect(program.run({ position: [0, 0, 0, 1, 1, 1], mass: [1, 1, 1], dimension: 2 })).rejects.toThrow(
    '"points" expected 2 points in 2-D, as prepared, got 3 in 2-D',
  )
  program.dispose()
  await expect(program.run(pair)).rejects.toThrow('disposed')
})

it('names the link with a term that is not finite', async () => {
  await using engine = await referenceEngine()
  const law = pairTerm('sqrt(f_j - f_i)')()
  const { value, report } = await engine.run(
    overLinks('each', {
      law,
      bonds: [
        [0, 1],
        [2, 1],
      ],
    }),
    { f },
  )
  expect(Array.from(value)).toEqual([1, Number.NaN])
  expect(report.notes?.[0]).toMatch(/^the term of bond 1, 2-1, is NaN: .* is NaN for an operand of -2/)
  const well = pairPotential('log(r - 9)')()
  await expect(engine.run(overLinks('energy', { law: well, bonds: [[0, 1]] }), pair)).rejects.toThrow(
    'Cannot add up "energy" to a number, got NaN: the term of bond 0, 0-1, is NaN: ',
  )
})

const bonds = [[0, 1]] as const
const law = difference()
const bend = anglePotential('theta')()
it.each<[name: string, reduction: string, links: object, message: string, points?: object, options?: object]>([
  ['an index without a point', 'sum', { law, bonds: [[0, 3]] }, 'expected indices of the 3 points, got 3'],
  ['a negative index', 'sum', { law, bonds: [[0, -1]] }, '"links.bonds[0][1]" expected integer >= 0, got -1'],
  ['a fraction', 'sum', { law, bonds: [[0, 0.5]] }, '"links.bonds[0][1]" expected integer >= 0, got 0.5'],
  ['a link to itself', 'sum', { law, bonds: [[1, 1]] }, '"links.bonds[0]" expected two points, got point 1 twice'],
  ['a flat list', 'sum', { law, bonds: [0, 1] }, '"links.bonds[0]" expected a pair [a, b], got 0'],
  ['nothing', 'sum', {}, '"links.law" expected an interaction, such as a spring, got undefined'],
  [
    'a number too many',
    'sum',
    { law, bonds, attributes: { weight: [1, 2] } },
    'expected length 1, one number per bond',
  ],
  ['an attribute of points', 'sum', { law, bonds, attributes: { f: [1] } }, '"f" is not a parameter of'],
  ['a domain', 'sum', { law, bonds, cutoff: 1 }, '"cutoff" is not a part of links'],
  ['a word', 'product', { law, bonds }, '"reduction" expected "force" or'],
  ['a force of a term', 'force', { law, bonds }, 'which is a term'],
  ['an energy of a force', 'energy', { law: pairForce('1')(), bonds }, 'has no energy'],
  ['a least vector', 'min', { law: pairTerm({ a: 'dx', b: 'dy' })(), bonds }, 'expected a scalar term'],
  ['a direction of no point', 'energy', { law: spring(), bonds, directed: true }, 'where each bond counts once'],
  [
    'directed angles',
    'force',
    { law: bend, angles: [[0, 1, 2]], directed: true },
    'because all points of an angle receive',
  ],
  ['a virial of angles', 'virial', { law: bend, angles: [[0, 1, 2]] }, 'the virial of angles is 0'],
  ['no inertia', 'acceleration', { law: bend, angles: [[0, 1, 2]] }, "define it with { inertia: 'mass' }"],
  ['a missing attribute', 'sum', { law, bonds }, '"f" expected an attribute or a parameter', { g: [1, 2] }],
  ['missing positions', 'force', { law: spring(), bonds }, '"position_x" expected', { mass: [1, 2] }],
  ['places', 'sum', { law: pairTerm('position_x_j')(), bonds }, 'expected a law of displacements', pair],
  ['no mass', 'acceleration', { law: spring(), bonds }, 'got 0 at index 1', { ...pair, mass: [1, 0] }],
  [
    'dihedrals in the plane',
    'each',
    { law: dihedralPotential('phi')(), dihedrals: [] },
    'dihedrals turn in space',
    pair,
  ],
  ['an unknown parameter', 'sum', { law, bonds }, '"w" is not a parameter of', { f }, { parameters: { w: 1 } }],
  [
    'one number for all links',
    'sum',
    { law, bonds, attributes: { weight: [1] } },
    '"parameters.weight" has a number for each link',
    { f },
    { parameters: { weight: 1 } },
  ],
  ['ranges', 'sum', { law, bonds }, '"ranges" is not a run option of links', { f }, { ranges: {} }],
])('refuses %s', async (_, reduction, links, message, points, options) => {
  await expect(run(reduction as 'sum', links as LinkedLaw, points, options)).rejects.toThrow(message)
})

it('verifies the results of links, and finds wrong ones', async () => {
  const good = reference()
  const open: Backend['open'] = async (options) => {
    const device = await good.open(options)
    const prepare: typeof device.prepare = async (...given) => {
      const program = await device.prepare(...given)
      const run: typeof program.run = async (...call) => {
        const results = await program.run(...call)
        const { term } = results
        return term ? { ...results, term: (term as Float64Array).map((x) => x * (1 + 1e-9)) } : results
      }
      return { dispose: () => program.dispose(), run, report: program.report }
    }
    return { ...device, prepare }
  }
  await using right = await referenceEngine()
  await using wrong = await createEngine({ backends: [{ ...good, open }], precision: 'f64' })
  for (const reduction of ['sum', 'mean', 'max', 'each', 'energy', 'logsumexp'] as const) {
    const workload = overLinks(reduction, { law: spring(), bonds: [[0, 1]] })
    expect((await right.verify(workload, pair)).ok, reduction).toBe(true)
    expect((await wrong.verify(workload, pair)).ok, reduction).toBe(false)
  }
})

it('checks workloads from data', async () => {
  await using engine = await referenceEngine()
  const good = overLinks('sum', { law, bonds })
  await expect(engine.run({ ...good, results: ['force' as 'value'] }, { f })).resolves.toHaveProperty('value')
  await expect(engine.run({ ...good, links: { ...good.links, scale: Number.NaN } }, { f })).rejects.toThrow('scale')
})

const embedded = { x: [0, 0, 1, 1, 0, 2, 3, -1, 2], b: [1, 10, 100], count: 3 }
const chain = [
  [0, 1],
  [2, 1],
] as const
/** The squared distances of the chain: 0 to 1 and 1 to 2. */
const [near, far] = [1 + 0 + 1, 4 + 1 + 0]

it('reads vectors of any length, without positions', async () => {
  const squares = pairTerm('b_j*sqdist(x_i, x_j)')()
  expect(await run('sum', { law: squares, bonds: chain }, embedded)).toEqual({
    value: [10 * near, 1 * near + 100 * far, 10 * far],
  })
  // Both ends of a bond have their own sum: this one is not symmetric.
  const directed = pairTerm('sum(x_i*(x_j + 1))')()
  expect(await run('each', { law: directed, bonds: chain }, embedded)).toEqual({
    value: [0 * 2 + 0 * 1 + 1 * 3, 3 * 2 + -1 * 1 + 2 * 3],
  })
  const attributes = { weight: [2, 0.5] }
  const weighed = pairTerm('weight*norm(x_i)^2 + r', { parameters: { weight: 1 } })()
  const placed = { ...embedded, position: [0, 0, 0, 0, 0, 4, 0, 3, 4] }
  expect(await run('each', { law: weighed, bonds: chain, attributes }, placed)).toEqual({
    value: [2 * 1 + 4, expect.closeTo(0.5 * 14 + 3, 12)],
  })
})

it('reads vectors among the parameters, and prepares a law of vectors', async () => {
  const law = pairTerm('dot(w, x_j)*p', { parameters: { w: [1, 2, 3], p: 2 } })()
  const linked = overLinks('sum', { law, bonds: chain })
  const value = [2 * (1 + 6), 2 * 3 + 2 * (3 - 2 + 6), 2 * (1 + 6)]
  await using engine = await referenceEngine()
  expect([...(await engine.run(linked, embedded)).value]).toEqual(value)
  const prepared = await engine.prepare(linked, { count: 3 })
  expect([...(await prepared.run(embedded)).value]).toEqual(value)
  expect([...(await engine.run(linked, embedded, { parameters: { p: 1 } })).value]).toEqual(value.map((v) => v / 2))
  const other = await engine.run(linked, embedded, { parameters: { w: [0, 0, 1] } })
  expect([...other.value]).toEqual([2 * 2, 2 * 1 + 2 * 2, 2 * 2])
  expect(await engine.verify(linked, embedded)).toMatchObject({ ok: true, sampled: 3 })
})

it.each<[links: LinkedLaw, points: object, message: string]>([
  [
    { law: pairTerm('vector(x_j)')(), bonds: chain },
    embedded,
    '"links.law" expected a term that is a number, got vector(x_j), a vector',
  ],
  [
    { law: pairTerm('sum(p*x_j)', { parameters: { p: 1 } })(), bonds: chain, attributes: { p: [1, 2] } },
    embedded,
    '"links.attributes.p" expected a number outside of functions of vectors',
  ],
  [
    { law: pairTerm('norm(x_j)')(), bonds: chain },
    { x: [1, 2, 3, 4], count: 3 },
    '"x" expected D numbers for each of 3 points',
  ],
  [{ law: pairTerm('norm(x_j)')(), bonds: chain }, { x: [1, 2, 3] }, '"count" expected the number of points'],
])('refuses vectors that do not fit: %#', async (links, points, message) => {
  await expect(run('sum', links, points)).rejects.toThrow(message)
})

it.each<[text: string, parameters: Record<string, number | number[]>, points: object, message: string]>([
  ['sum(p*x_j)', { p: 1e39 }, {}, '"p" expected numbers that float32 holds, up to 3.4e38, got 1e+39'],
  ['1/(1 + dot(g, x_j))', { g: [1, -1e39] }, {}, '"g" expected numbers that float32 holds, up to 3.4e38, got -1e+39'],
  ['1/(1 + sqdist(x_i, x_j))', {}, { x: [1e20, 0, 0, 0] }, '"sum((x_i - x_j)^2)" expected numbers that float32 holds'],
])('refuses sums over components that float32 does not hold: %s', async (text, parameters, points, message) => {
  await using single = await createEngine({ backends: [reference()] })
  const usual = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, value === 1e39 ? 1 : [1, 1]]),
  )
  const links = overLinks('sum', { law: pairTerm(text, { parameters: usual })(), bonds })
  const given = { x: [1, 2, 3, 4], count: 2, ...points }
  for (const call of ['run', 'verify'] as const)
    await expect(
      call === 'run' ? single.run(links, given, { parameters }) : single.verify(links, given, { parameters }),
    ).rejects.toThrow(message)
  await using double = await referenceEngine()
  expect(
    (await double.run(links, given, { parameters: { ...parameters } })).value.every((x) => Number.isFinite(x)),
  ).toBe(true)
})

it('names a function of vectors that is not finite as the law does', async () => {
  await using engine = await referenceEngine()
  const links = overLinks('sum', { law: pairTerm('m_j*sum(1/x_j)')(), bonds })
  const { report } = await engine.run(links, { x: [0, 2, 3, 0], m: [1, 1], count: 2 })
  expect(report.notes).toEqual(['the term of bond 0, 0-1, is Infinity: sum(1 / x_j) is Infinity'])
})

it('needs no lengths of vectors to be prepared', async () => {
  await using engine = await referenceEngine()
  const links = overLinks('sum', { law: pairTerm('sqdist(x_i, x_j)')(), bonds })
  await expect(engine.prepare(links, { count: 2, lengths: { x: 3 } })).rejects.toThrow(
    '"lengths" expected nothing, because a program over links takes vectors of any length; leave lengths out',
  )
})
