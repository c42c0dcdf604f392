// Everything that can be wrong with options, told before anything runs.

import { describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../../src/engine/engine.ts'
import { pairForce } from '../../../src/problem/interactions/define.ts'
import { gravity } from '../../../src/problem/interactions/gravity.ts'
import { lennardJones } from '../../../src/problem/interactions/lennard-jones.ts'
import { forces, matrix, potentials } from '../../../src/problem/workloads/pair.ts'
import type { Workload } from '../../../src/problem/workloads/workload.ts'
import { reference } from '../../../src/truth/reference/backend.ts'
import { fakeBackend, proofRuns } from '../../support/fake-backends.ts'

const position = new Float32Array(6)
const mass = new Float32Array(2).fill(1)
const law = forces(gravity())
const pair: [number, number] = [0, 1]

describe('an unknown option, which is usually misspelt, is refused', () => {
  const some = { position, mass }
  const make = () => createEngine({ backends: [fakeBackend('fake')] })
  const misspelt = { onProgres: () => {} } as object
  it.each<[name: string, attempt: (engine: Engine) => unknown, message: string]>([
    [
      'run',
      (e) => e.run(law, some, misspelt),
      '"onProgres" is not a run option; expected signal, onProgress, parameters',
    ],
    ['verify', (e) => e.verify(law, some, misspelt), '"onProgres" is not an option of verify; expected signal'],
    ['stream', (e) => e.stream(matrix(gravity()), some, misspelt).next(), '"onProgres" is not an option of stream'],
    [
      'simulate',
      (e) => e.simulate({ law: gravity(), particles: { ...some, velocity: position }, dt: 1, steps: 3 } as never),
      '"steps" is not a simulation option; expected law, particles, integrator, dt, time, domain',
    ],
    [
      'step',
      async (e) => {
        const simulation = await e.simulate({ law: gravity(), particles: { ...some, velocity: position }, dt: 1 })
        await simulation.step(1, misspelt)
      },
      '"onProgres" is not an option of step; expected signal, onProgress',
    ],
    ['a workload', () => forces(gravity(), { cutof: 1 } as object), '"cutof" is not a domain option; expected self'],
    [
      'lennardJones',
      () => lennardJones({ sigmas: 1 } as object),
      '"sigmas" is not an option of lennardJones; expected mixing, epsilon, sigma',
    ],
    [
      'a law',
      () => pairForce('1', { parameter: { k: 1 } } as object),
      '"parameter" is not an option of a law; expected name',
    ],
  ])('by %s', async (_, attempt, message) => {
    await using engine = await make()
    await expect((async () => attempt(engine))()).rejects.toThrow(message)
  })
})

describe('an engine refuses', () => {
  it.each<[options: object, message: string]>([
    [{ backnd: 'webgpu' }, '"backnd" is not an engine option; expected backends, backend, require, forbid, precision'],
    [{ precision: 'f16' }, '"precision" expected "f32" or "f64", got "f16"'],
    [{ tune: 'fast' }, '"tune" expected "off" or "quick" or "full", got "fast"'],
    [{ threads: 0 }, '"threads" expected integer >= 1, got 0'],
    [{ require: 'hardware' }, '"require" expected a list of names, kinds or features, got "hardware"'],
    [{ forbid: ['software', 3] }, '"forbid" expected a list of names, kinds or features, got 3 at 1'],
    [{ require: [undefined] }, '"require" expected a list of names, kinds or features, got undefined at 0'],
    [{ forbid: 'software' }, '"forbid" expected a list of names, kinds or features, got "software"'],
  ])('%j, before anything is probed', async (options, message) => {
    const backend = fakeBackend('fake')
    await expect(createEngine({ ...options, backends: [backend] })).rejects.toThrow(message)
    expect(backend.log.opened).toBe(0)
  })

  it.each([
    [undefined, 'undefined'],
    [reference(), 'Object'],
    [[reference(), reference], 'function at 1'],
    [['reference'], '"reference" at 0'],
  ])('%o for backends', async (backends, got) => {
    const refused = createEngine({ backends: backends as never })
    await expect(refused).rejects.toThrow(`"backends" expected a list of backends, such as reference(), got ${got}`)
  })

  it.each([[undefined], [null], ['webgpu']])('%j for options', async (options) => {
    const refused = createEngine(options as never)
    await expect(refused).rejects.toThrow(/^"engine options" expected an object with backends, backend, .*, got/)
  })

  it.each([
    [{ variant: 'tiled' }, '"variant" expected plain, the only one of the reference, got "tiled"'],
    [{ variant: 'plain', sizes: { tile: 3 } }, '"sizes" expected none, because the reference has no sizes, got tile'],
  ])('the plan %j on the reference', async (plan, message) => {
    await using engine = await createEngine({ backends: [reference()] })
    await expect(engine.run(forces(gravity()), { position: [0, 0, 0], mass: [1] }, { plan })).rejects.toThrow(message)
  })

  it.each([['simd'], [{ varaint: 'simd' }]])('the plan %j', async (plan) => {
    const backend = fakeBackend('fake')
    await using engine = await createEngine({ backends: [backend] })
    await expect(engine.run(law, { position, mass }, { plan: plan as never })).rejects.toThrow('variant, sizes')
    expect(backend.log.runs).toBe(proofRuns)
  })

  it('values that are not workloads', async () => {
    await using engine = await createEngine({ backends: [fakeBackend('fake')] })
    const nothing = engine.run(undefined as unknown as Workload, { position, mass })
    await expect(nothing).rejects.toThrow('"workload" expected one, such as forces(gravity()), got undefined')
  })
})

describe('data without an end is refused:', () => {
  const cyclic: Record<string, unknown> = {}
  cyclic.self = cyclic
  const list: unknown[] = []
  list.push(list)
  const endless = <T>(make: () => T): Iterable<T> => ({
    *[Symbol.iterator]() {
      for (;;) yield make()
    },
  })
  const some = { position, mass }
  const moving = { particles: { ...some, velocity: position }, dt: 1 }
  const itself = /"(self|plan|fixed)" expected plain data, got an object that contains itself/
  const generated = /"\S+" expected at most 16777216 entries of a generator, got more; give a list/

  it.each<[name: string, attempt: (engine: Engine) => unknown, message: RegExp]>([
    ['a plan that contains itself', (e) => e.run(law, some, { plan: cyclic as never }), itself],
    ['sizes that contain themselves', (e) => e.verify(law, some, { plan: { sizes: cyclic } as never }), itself],
    ['points that contain themselves', (e) => e.run(law, cyclic as never), /"position" expected .*, got nothing/],
    ['an attribute that contains itself', (e) => e.run(law, { position, mass: cyclic as never }), /"mass" expected/],
    [
      'a set that contains itself',
      (e) => e.run(law, { targets: cyclic, sources: some } as never),
      /"targets.position"/,
    ],
    ['a simulation that contains itself', (e) => e.simulate({ ...moving, law: cyclic } as never), itself],
    ['a snapshot that contains itself', (e) => e.resume(cyclic as never), itself],
    ['a list that contains itself', (e) => e.simulate({ ...moving, law: gravity(), fixed: list as never }), itself],
    ['exclusions', () => forces(gravity(), { exclusions: endless(() => pair) }), generated],
    ['fixed points', (e) => e.simulate({ ...moving, law: gravity(), fixed: endless(() => 0) }), generated],
  ])('%s', async (_, attempt, message) => {
    await using engine = await createEngine({ backends: [fakeBackend('fake')] })
    await expect((async () => attempt(engine))()).rejects.toThrow(message)
  })
})

it('more groups of a total than float32 counts are refused', async () => {
  await using engine = await createEngine({ backends: [fakeBackend('fake')] })
  const totals = engine.total({ all: 'mass' }, { mass }, { by: '0', groups: 2 ** 24 + 1 })
  await expect(totals).rejects.toThrow('"groups" expected at most 16777216, as float32 counts no further, got 16777217')
})

it('an array of numbers in place of options is refused by its type, however long it is', async () => {
  const many = new Float32Array(2 ** 25) as object
  expect(() => forces(gravity(), many)).toThrow(/"domain options" expected an object .*, got Float32Array/)
  await using engine = await createEngine({ backends: [fakeBackend('fake')] })
  const wrong = { ...law, domain: many } as typeof law
  await expect(engine.run(wrong, { position, mass })).rejects.toThrow(
    /"workload.domain" expected Object, as its other fields say, got Float32Array/,
  )
})

describe('a stream refuses', () => {
  it.each([0, -1, 1.5, NaN])('blocks of %d rows', async (rows) => {
    await using engine = await createEngine({ backends: [fakeBackend('fake')] })
    const rowsOf = engine.stream(matrix(gravity()), { position, mass }, { rows })
    await expect(rowsOf.next()).rejects.toThrow('"rows" expected integer >= 1')
  })

  it('workloads without rows', async () => {
    await using engine = await createEngine({ backends: [fakeBackend('fake')] })
    const rowsOf = engine.stream(potentials(gravity()) as never, { position, mass })
    await expect(rowsOf.next()).rejects.toThrow(
      '"workload" expected matrix(term), got one for potential: use engine.run',
    )
  })
})
