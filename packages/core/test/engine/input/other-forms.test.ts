// Numbers in forms that are not taken are refused with a line of code that makes a flat array of them, and that line is right.

import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { createEngine, type Engine } from '../../../src/engine/engine.ts'
import { gravity } from '../../../src/problem/interactions/gravity.ts'
import { nearest } from '../../../src/problem/workloads/pair.ts'
import { map } from '../../../src/problem/workloads/particle.ts'
import type { Particles } from '../../../src/problem/workloads/particles.ts'
import { fakeBackend } from '../../support/fake-backends.ts'

let engine: Engine
beforeAll(async () => {
  engine = await createEngine({ backends: [fakeBackend('cpu')] })
})
afterAll(() => engine.dispose())

const workload = nearest(1)
const find = (particles: unknown) => engine.run(workload, particles as Particles)
const messageOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'it was taken',
    (error: Error) => `${error.constructor.name}: ${error.message}`,
  )

/** Three points. The first two are each other's nearest, and the third is nearest to the first. */
const objects = [
  { x: 0, y: 0 },
  { x: 1, y: 0 },
  { x: 0, y: 3 },
]
const pairs = objects.map(({ x, y }) => [x, y])
const flat = pairs.flat()
const nodes = objects.map((node, index) => ({ index, ...node, vx: 1, vy: 1 }))
const places = objects.map(({ x, y }) => ({ latitude: x, longitude: y }))

const forms: readonly (readonly [string, unknown, remedy: string])[] = [
  ['objects', objects, 'Float32Array.from(position.flatMap(({ x, y }) => [x, y]))'],
  ['nodes of d3', nodes, 'Float32Array.from(position.flatMap(({ x, y }) => [x, y]))'],
  [
    'objects with other names',
    places,
    'Float32Array.from(position.flatMap(({ latitude, longitude }) => [latitude, longitude]))',
  ],
  ['lists', pairs, 'position.flat()'],
  [
    'typed arrays',
    pairs.map((pair) => Float32Array.from(pair)),
    'Float32Array.from(position.flatMap((numbers) => [...numbers]))',
  ],
  ['text of numbers', flat.map(String), 'Float32Array.from(position, Number)'],
  ['one text', flat.join(), "Float32Array.from(position.split(','), Number)"],
  ['bigints', flat.map(BigInt), 'Float32Array.from(position, Number)'],
  ['an array of bigints', BigInt64Array.from(flat.map(BigInt)), 'Float32Array.from(position, Number)'],
  ['whole numbers', Int16Array.from(flat), 'Float32Array.from(position)'],
  ['memory', Float32Array.from(flat).buffer, 'new Float32Array(position)'],
  ['a view of memory', new DataView(Float32Array.from(flat).buffer), 'new Float32Array(position.buffer)'],
  ['an iterator', flat.values(), 'Float32Array.from(position)'],
  ['a BufferAttribute', { array: Float32Array.from(flat), itemSize: 2 }, 'position.array'],
]

test.each(forms)('%s are refused with the line that makes them flat', async (_, position, remedy) => {
  const message = await messageOf(find({ position, dimension: 2 }))
  expect(message).toMatch(/^TypeError: "position" expected /)
  expect(message.split('; give ')[1]).toBe(remedy)
  const made: unknown = new Function('position', `return ${remedy}`)(position)
  const { index } = await find({ position: made, dimension: 2 })
  expect([...index]).toEqual([1, 0, 0])
})

test('velocities as objects are refused with the line for velocities', async () => {
  const particles = { position: flat, velocity: nodes, mass: [1, 1, 1], dimension: 2 as const }
  const law = gravity({ softening: 0.1 })
  // @ts-expect-error Points are no numbers.
  const message = await messageOf(engine.simulate({ law, particles, dt: 1 }))
  expect(message).toContain('; give Float32Array.from(velocity.flatMap(({ vx, vy }) => [vx, vy]))')
})

test.each([
  [objects, '{ position: Float32Array.from(particles.flatMap(({ x, y }) => [x, y])) }'],
  [pairs, '{ position: particles.flat() }'],
  [Float32Array.from(flat), '{ position: particles }'],
])('points without names, as in %j, are refused with the object that names them', async (particles, remedy) => {
  expect(await messageOf(find(particles))).toMatch(/^TypeError: "particles" expected \{ position, \.\.\. \}/)
  expect(await messageOf(find(particles))).toContain(`; give ${remedy}, and dimension: 2 for points in 2-D`)
  // @ts-expect-error Points need names.
  const moving = engine.simulate({ law: gravity(), particles, dt: 1 })
  expect(await messageOf(moving)).toContain(`; give ${remedy}`)
})

test('one list for each axis is refused with the line that puts them together', async () => {
  const [x, y] = [objects.map((at) => at.x), Float32Array.from(objects, (at) => at.y)]
  const message = await messageOf(find({ x, y, dimension: 2 }))
  const remedy = message.split('; give position: ')[1]
  expect(remedy).toBe('Array.from(x, (_, n) => [x[n], y[n]]).flat()')
  expect(new Function('x', 'y', `return ${remedy}`)(x, y)).toEqual(flat)
})

test('nulls from JSON are explained', async () => {
  const position = JSON.parse(JSON.stringify([0, Number.NaN, 1, 0])) as number[]
  expect(await messageOf(find({ position, dimension: 2 }))).toBe(
    'TypeError: "position" expected numbers, got null at index 1; JSON writes null for NaN and for infinite numbers',
  )
})

describe('an array whose buffer was transferred', () => {
  const detached = () => {
    const array = Float32Array.from(flat)
    structuredClone(array.buffer, { transfer: [array.buffer] })
    return array
  }
  const named = (name: string) =>
    `TypeError: "${name}" expected numbers, got a detached Float32Array: its buffer was transferred, for example by postMessage; transfer a copy, ${name}.slice(), or wait until the buffer comes back`
  const particles = { position: flat, mass: [1, 1, 1], dimension: 2 as const }
  const law = gravity({ softening: 0.1 })

  it.each<[name: string, call: () => Promise<unknown>]>([
    ['position', () => find({ position: detached(), dimension: 2 })],
    ['targets.position', () => find({ targets: { position: detached() }, sources: { position: flat } })],
    ['m', () => engine.run(map({ twice: '2*m' }), { m: detached() })],
    ['into.index', () => engine.run(workload, { position: flat, dimension: 2 }, { into: { index: gone(Int32Array) } })],
    ['velocity', () => engine.simulate({ law, particles: { ...particles, velocity: detached() }, dt: 1 })],
    ['m', () => engine.total({ m: 'm' }, { m: detached() })],
    ['mass', async () => (await engine.simulate({ law, particles, dt: 1 })).write('mass', detached())],
  ])('is named: %s', async (name, call) => {
    expect(await messageOf(call())).toBe(
      named(name).replaceAll('Float32Array', name === 'into.index' ? 'Int32Array' : 'Float32Array'),
    )
  })

  it('is named, too, if its buffer was made too short for it', async () => {
    // Newer than the library that the types are of.
    const Buffer = ArrayBuffer as unknown as new (
      bytes: number,
      options: object,
    ) => ArrayBuffer & { resize(bytes: number): void }
    const buffer = new Buffer(24, { maxByteLength: 24 })
    const position = new Float32Array(buffer, 0, 6)
    buffer.resize(8)
    expect(await messageOf(find({ position, dimension: 2 }))).toBe(named('position'))
    const moving = engine.simulate({ law, particles: { ...particles, velocity: position }, dt: 1 })
    expect(await messageOf(moving)).toBe(named('velocity'))
  })

  it('is refused by a call that repeats another, too', async () => {
    const position = Float32Array.from(flat)
    await find({ position, dimension: 2 })
    structuredClone(position.buffer, { transfer: [position.buffer] })
    expect(await messageOf(find({ position, dimension: 2 }))).toBe(named('position'))
  })

  it('is another thing than an empty array', async () => {
    expect((await find({ position: new Float32Array(0) })).index).toHaveLength(0)
  })

  const gone = <T extends ArrayBufferView>(Type: new (length: number) => T): T => {
    const array = new Type(3)
    structuredClone(array.buffer, { transfer: [array.buffer as ArrayBuffer] })
    return array
  }
})
