// Names that a caller chooses: at every door they work, or are rejected with one message, and none is lost in silence.

import { describe, expect, it } from 'vitest'
import { pairForce, pairPotential, pairTerm } from '../src/problem/interactions/define.ts'
import { stencil } from '../src/problem/workloads/grid.ts'
import { accelerations, sum } from '../src/problem/workloads/pair.ts'
import { cellIndex, map } from '../src/problem/workloads/particle.ts'
import { referenceEngine } from './support/reference-engine.ts'

const grid = { cells: [3, 2], spacing: 1 }
const values = Float32Array.of(1, 2, 4)
const position = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 2, 0)
const own = <T>(name: string, value: T): Record<string, T> =>
  Object.defineProperty({}, name, { value, enumerable: true, configurable: true, writable: true })

const refused: readonly string[] = [
  'new-mass',
  'a b',
  '',
  '_a',
  '__proto__',
  '1a',
  'é',
  'a\n',
  '/*',
  '(x+x+)+y',
  'L'.repeat(65),
  'L'.repeat(1e6),
]
const strange: readonly string[] = [
  'constructor',
  'toString',
  'hasOwnProperty',
  'a__b',
  'gl_x',
  'fn',
  'var',
  'then',
  'name',
  'x',
  'L'.repeat(64),
]

/** The doors of core for names. Each returns the numbers of the run if the name works. */
const doors: Record<string, (name: string) => Promise<Iterable<number> | undefined>> = {
  'an output of a map': async (name) => {
    await using engine = await referenceEngine()
    return (await engine.run(map(own(name, '2*q')), { q: values }))[name]
  },
  'a parameter of a map': async (name) => {
    await using engine = await referenceEngine()
    return (await engine.run(map({ y: `${name}*q` }, own(name, 2)), { q: values })).y
  },
  'an attribute of a map': async (name) => {
    await using engine = await referenceEngine()
    return (await engine.run(map({ y: `2*${name}` }), own(name, values))).y
  },
  'an array that no map reads': async (name) => {
    await using engine = await referenceEngine()
    return (await engine.run(map({ y: '2*q' }), { q: values, ...own(name, values) })).y
  },
  'a vector of a shape': async (name) => {
    await using engine = await referenceEngine()
    const program = await engine.prepare(map({ y: '2*q' }), { count: 3, vectors: [name] })
    return (await program.run({ q: values })).y
  },
  'an output of a stencil': async (name) => {
    await using engine = await referenceEngine()
    const field = Float32Array.of(1, 2, 4, 0, 0, 0)
    return (await engine.run(stencil(own(name, '2*c'), grid), { field }))[name]?.slice(0, 3)
  },
  'an attribute of a law': async (name) => {
    await using engine = await referenceEngine()
    const term = sum(pairTerm(`2*${name}_i + 0*dx`)(), { self: 'include', cutoff: 1e-9 })
    return (await engine.run(term, { position, ...own(name, values) })).value
  },
  'an array that no law reads': async (name) => {
    await using engine = await referenceEngine()
    const term = sum(pairTerm('2*q_i')(), { self: 'include', cutoff: 1e-9 })
    return (await engine.run(term, { position, q: values, ...own(name, values) })).value
  },
  'an inertia': async (name) => {
    const law = pairPotential('r2/2', { inertia: name })()
    await using engine = await referenceEngine()
    const { acceleration } = await engine.run(accelerations(law), { position, ...own(name, values) })
    return acceleration.subarray(0, 3).map((_, n) => [2, 4, 8][n] as number)
  },
  'a component of a term': async (name) => {
    await using engine = await referenceEngine()
    const term = sum(pairTerm(own(name, '2*q_i'))(), { self: 'include', cutoff: 1e-9 })
    return (await engine.run(term, { position, q: values })).value
  },
  'a parameter of a law': async (name) => {
    await using engine = await referenceEngine()
    const law = pairTerm('k*q_i', { parameters: { k: 2, ...own(name, 3) }, minimum: { k: 0 } })
    return (await engine.run(sum(law(), { self: 'include', cutoff: 1e-9 }), { position, q: values })).value
  },
}

/** Names that mean something at one door and nothing at others. */
const taken: Record<string, readonly string[]> = {
  'a parameter of a law': ['x', 'r'],
}

/** A title for a name, however long it is. */
const titled = (name: string) =>
  [JSON.stringify(name.length > 20 ? `${name.slice(0, 3)}... (${name.length})` : name), name] as const

describe.each(Object.entries(doors))('%s', (door, run) => {
  it.each(strange.filter((name) => !taken[door]?.includes(name)).map(titled))('may be called %s', async (_, name) => {
    expect([...((await run(name)) ?? [])]).toEqual([2, 4, 8])
  })

  it.each(refused.map(titled))('may not be called %s', async (_, name) => {
    const error = await run(name).then(
      () => undefined,
      (e: Error) => e,
    )
    expect(error).toBeInstanceOf(Error)
    // A name is part of the text of an expression, too. There a parser reports the fault.
    expect(error?.message).toMatch(/expected names of letters, digits and "_"|^Cannot parse expression|name/)
    expect(error?.message.length).toBeLessThan(600)
  })
})

describe('a name with another meaning is refused', () => {
  const run = async (workload: Parameters<Awaited<ReturnType<typeof referenceEngine>>['run']>[0], data: object) => {
    await using engine = await referenceEngine()
    await engine.run(workload, data as { position: Float32Array })
  }
  it.each<[what: string, attempt: () => unknown, message: string]>([
    ['an output "report"', () => map({ report: 'q' }), '"outputs" expected names other than report'],
    [
      'an output "report" of a stencil',
      () => stencil({ report: 'c' }, grid),
      '"outputs" expected names other than report',
    ],
    ['a parameter pi of a map', () => map({ y: 'pi*q' }, { pi: 3 }), '"parameters" expected names other than pi'],
    [
      'a parameter pi of a stencil',
      () => stencil({ y: 'pi*c' }, grid, { pi: 3 }),
      '"parameters" expected names other than',
    ],
    [
      'a parameter pi of a law',
      () => pairTerm('pi*r', { parameters: { pi: 3 } }),
      '"parameters" expected names other than',
    ],
    [
      'an attribute pi of a map',
      () => run(map({ y: 'pi*q' }), { q: values, pi: values }),
      '"particles" expected names other than',
    ],
    [
      'an attribute with the name of a parameter',
      () => run(map({ y: 'k*q' }, { k: 2 }), { q: values, k: values }),
      '"particles" expected names other than pi, k',
    ],
    [
      'an attribute velocity_x next to a vector velocity',
      () => run(map({ y: 'velocity_x' }), { position, velocity: position, velocity_x: values }),
      '"velocity_x" is a component of "velocity" and an array among the particles; leave out or rename one of them',
    ],
    ['an attribute "dimension" of a map', () => map({ y: '2*dimension' }), 'give the attribute another name'],
    ['an attribute "dimension" of a law', () => pairTerm('dimension_i'), 'give the attribute another name'],
    [
      'positions in a law',
      () => pairTerm('position_i'),
      'a law reads displacements dx, dy, dz and distances r, r2, not positions',
    ],
    [
      'the time in a law',
      () => pairTerm('r*cos(time)'),
      'the name "time" cannot be read: a simulation computes it for each point: computed: { now: \'time\' }; read now_i',
    ],
    [
      'an inertia "position"',
      () => pairTerm('r', { inertia: 'position' }),
      '"inertia" expected names other than position, dimension',
    ],
    [
      'a minimum of no parameter',
      () => pairTerm('r', { minimum: { k: 0 } } as object),
      '"k" is not a parameter with a minimum; expected none',
    ],
    [
      'a fourth component of a force',
      () => pairForce({ x: 'dx', y: 'dy', w: '1' } as never),
      '"w" is not a component of a force; expected x, y, z',
    ],
    [
      'more cells than 32-bit integers count',
      () => cellIndex({ cells: [2048, 2048, 512], spacing: 1 }),
      '"cells" expected at most 2147483647 cells in total, as cell numbers are 32-bit integers, got 2147483648',
    ],
    [
      'an invalid name of a law',
      () => pairTerm('r', { name: 3 } as never),
      '"name" expected text of 1 to 100 characters, got 3',
    ],
    [
      'a page for the name of a law',
      () => pairTerm('r', { name: 'a'.repeat(1e6) }),
      '"name" expected text of 1 to 100 characters, got 1000000 of them',
    ],
    [
      'an expression for outputs',
      () => map('2*q' as never),
      `"outputs" expected expressions by name, { name: 'expression' }, got "2*q"`,
    ],
    [
      'a list of components for a term',
      () => pairTerm(['r'] as never),
      '"term" expected an expression, or one by name for each component, got Array',
    ],
    [
      'a number for parameters',
      () => map({ y: 'q' }, 1 as never),
      '"parameters" expected numbers by name, { name: 1 }, got 1',
    ],
    [
      'null for the parameters of a law',
      () => pairTerm('r', { parameters: null } as never),
      '"parameters" expected numbers by name, or a list of names, got null',
    ],
  ])('%s', async (_, attempt, message) => {
    await expect((async () => attempt())()).rejects.toThrow(message)
  })
})

it('a law without a name is named after its text, which is shortened if it is long', () => {
  expect(pairTerm('r').law).toBe('r')
  expect(pairTerm(`r${' + r'.repeat(100)}`).law).toBe(`r${' + r'.repeat(24)}...`)
})

it('an attribute h of the points does not affect an integrator that calls its step h', async () => {
  await using engine = await referenceEngine()
  const law = pairPotential('h_i*h_j*r2/2', { inertia: 'mass' })()
  const particles = { position, velocity: new Float32Array(9), mass: values, h: values }
  const simulation = await engine.simulate({ law, particles, dt: 0.01 })
  await simulation.step(1)
  expect(simulation.steps).toBe(1)
})
