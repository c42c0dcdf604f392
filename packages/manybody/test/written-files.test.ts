// Random points that are written and read again: every number, name and word comes back the same.

import { describe, expect, it } from 'vitest'
import { readCsv, readTipsy, readXyz, writeCsv, writeTipsy, writeXyz, type XyzFrame } from '../src/files/index.ts'
import { createEngine, gravity, periodic } from '../src/index.ts'
import { Random } from './support/random.ts'

const special = [0, -0, 1, -1, 1e21, 1e-300, 5e-324, Number.MAX_VALUE, 2 ** 53 + 2, 123456789012345680000, 0.1, 1 / 3]
const numbersOf = (random: Random, length: number, single: boolean) => {
  const number = () => (random.below(3) === 0 ? random.among(special) : (random.next() - 0.5) * 10 ** random.below(40))
  const numbers = Array.from({ length }, number)
  return Float64Array.from(single ? numbers.map((x) => Math.fround(Math.abs(x) > 3e38 || x === 0 ? 0.1 : x)) : numbers)
}
const asGiven = (numbers: Float64Array, kind: number) =>
  kind === 0
    ? numbers
    : kind === 1
      ? [...numbers]
      : numbers.every((x) => Object.is(Math.fround(x), x))
        ? Float32Array.from(numbers)
        : numbers
const names = [
  'mass',
  'M',
  'x_1',
  'a,b',
  'say "so"',
  ' around ',
  "it's",
  'a;b',
  '#1',
  'a\tb',
  '__proto__',
  'constructor',
  'Z',
  'Vx',
  '1',
  'Å',
  '\\',
  '[a]',
  'k=v',
  '{',
  'type',
] as const
const words = [
  'Sun',
  'H,1',
  '"',
  '""',
  "'",
  'a;b',
  '4295806720123456789',
  'NaN',
  '#',
  '\\n',
  'Ü',
  '{[',
  '-',
  '1e5',
] as const

/** All entries of a record, so that `__proto__` counts. Arrays become lists that keep the sign of 0. */
const entries = (object: object) =>
  new Map(
    Object.entries(object).map(([name, value]) => [
      name,
      typeof value === 'object' ? Array.from(value as ArrayLike<unknown>, (x) => (Object.is(x, -0) ? '-0' : x)) : value,
    ]),
  )

function pointsFrom(random: Random) {
  const dimension = random.among([2, 3] as const)
  const count = random.among([0, 1, 2, 7])
  const single = random.below(2) === 0
  const velocity = random.below(2) === 0 ? numbersOf(random, count * dimension, single) : undefined
  const attributes = new Map(
    Array.from({ length: random.below(4) }, () => [random.among(names), numbersOf(random, count, single)] as const),
  )
  return { dimension, count, position: numbersOf(random, count * dimension, single), velocity, attributes }
}

const seeds = Array.from({ length: 300 }, (_, seed) => seed)

it('points of CSV come back the same', async () => {
  for (const seed of seeds) {
    const random = new Random(seed)
    const { dimension, count, position, velocity, attributes } = pointsFrom(random)
    const texts = count > 0 && random.below(2) === 0 ? ['label'] : []
    const labels = texts.map(
      (name) => [name, Array.from({ length: count }, () => random.among([...words, '', ' a b ']))] as const,
    )
    const kind = random.below(3)
    const given = Object.fromEntries([...attributes].map(([name, numbers]) => [name, asGiven(numbers, kind)]))
    const text = [
      ...writeCsv({
        ...given,
        ...Object.fromEntries(labels),
        position: asGiven(position, kind),
        velocity: velocity && asGiven(velocity, kind),
        dimension,
      }),
    ].join('')
    const read = await readCsv(text, { text: texts })
    const expected = {
      ...Object.fromEntries([...attributes, ...labels]),
      position,
      ...(velocity && { velocity }),
      dimension,
    }
    expect(entries(read), `seed ${seed}\n${text}`).toEqual(entries(expected))
  }
})

it('frames of XYZ come back the same', async () => {
  for (const seed of seeds) {
    const random = new Random(seed)
    const { dimension, count, position, velocity, attributes } = pointsFrom(random)
    const columns = [...attributes].map(([name, numbers]) => [name.trim(), numbers] as const)
    const wide = random.below(2) === 0 ? [['spin', numbersOf(random, 3 * count, false)] as const] : []
    const labels =
      count > 0 && random.below(2) === 0
        ? [['label', Array.from({ length: count }, () => random.among(words))] as const]
        : []
    const comment = random.among([
      '',
      'water, Å',
      ' blanks ',
      'a\nb\r\nc',
      'Properties=species:S:1:pos:R:2',
      'Lattice=',
      'say "so" \\n',
      'a=b "',
    ])
    const given = {
      ...Object.fromEntries<Float64Array | readonly string[]>([...columns, ...wide, ...labels]),
      ...(random.below(2) === 0 && { time: random.among(special), 'my energy': -1.5 }),
      ...(velocity && { velocity }),
      ...(random.below(3) === 0 && { lattice: numbersOf(random, 9, false) }),
      ...(random.below(3) === 0 && { pbc: [true, false, random.below(2) === 0] }),
    }
    const symbols = Array.from({ length: count }, () => random.among(words))
    const symbolled = random.below(3) > 0
    const text = writeXyz({ ...given, position, dimension, comment, ...(symbolled && { symbols }) })
    const expected = {
      ...given,
      position,
      comment,
      symbols: symbolled ? symbols : symbols.map(() => 'X'),
      ...(dimension === 2 && { dimension }),
    }
    const read: XyzFrame[] = []
    for await (const frame of readXyz(text + text)) read.push(frame)
    expect(read).toHaveLength(2)
    for (const frame of read) expect(entries(frame), `seed ${seed}\n${text}`).toEqual(entries(expected))
  }
})

it('snapshots of TIPSY come back the same, across many blocks', async () => {
  for (const count of [0, 1, 4095, 4096, 4097, 9000]) {
    const random = new Random(count)
    const numbers = (length: number) => Float32Array.from({ length }, () => random.next() - 0.5)
    const star = {
      ...{ position: numbers(3 * count), velocity: numbers(3 * count), mass: numbers(count), metals: numbers(count) },
      ...{ formation: numbers(count), softening: numbers(count), potential: numbers(count) },
    }
    const read = await readTipsy(writeTipsy({ time: -0, star }))
    expect(Object.is(read.time, -0)).toBe(true)
    expect(entries(read.star)).toEqual(entries(star))
    expect(read.gas.mass).toHaveLength(0)
  }
})

describe('frames of a simulation', () => {
  it('are written with their box of the moment', async () => {
    await using engine = await createEngine({ backend: 'reference' })
    const simulation = await engine.simulate({
      law: gravity({ softening: 0.1 }),
      domain: { boundary: periodic([2, 3, Number.POSITIVE_INFINITY]), cutoff: 0.9 },
      particles: { position: [0, 0, 0, 1, 1, 1], mass: [1, 1] },
      dt: 0.01,
    })
    for await (const frame of simulation.frames()) {
      for await (const { lattice, pbc } of readXyz(writeXyz(frame)))
        expect({ lattice: [...(lattice ?? [])], pbc }).toEqual({
          lattice: [2, 0, 0, 0, 3, 0, 0, 0, 1],
          pbc: [true, true, false],
        })
      const tilted = { ...frame, boundary: periodic({ a: [2, 0, 0], b: [0.5, 3, 0], c: [0.25, 0.125, 4] }) }
      expect(writeXyz(tilted)).toContain('Lattice="2 0 0 0.5 3 0 0.25 0.125 4"')
      expect(writeXyz({ ...frame, boundary: undefined })).not.toContain('Lattice')
      break
    }
  })

  it.each([2, 3] as const)('are written as they are, in %i-D', async (dimension) => {
    await using engine = await createEngine({ backend: 'reference' })
    const count = 3
    const position = Array.from({ length: count * dimension }, (_, n) => (n * n) / 7)
    const particles = { position, mass: [1, 2, 3], dimension }
    const simulation = await engine.simulate({ law: gravity(), particles, dt: 0.01 })
    for await (const frame of simulation.frames({ fields: ['position', 'velocity', 'mass', 'velocity_x'] })) {
      const { steps, time, boundary, ...points } = frame
      expect(boundary).toEqual({ kind: 'open' })
      expect(entries(await readCsv([...writeCsv(frame)].join('')))).toEqual(entries(points))
      for await (const { symbols, comment, ...read } of readXyz(writeXyz(frame))) {
        const { dimension: given, ...others } = { ...points, steps, time }
        expect(entries(read)).toEqual(entries({ ...others, ...(given === 2 && { dimension: given }) }))
        expect([symbols, comment]).toEqual([['X', 'X', 'X'], ''])
      }
      break
    }
  })
})

it('keeps an attribute that is called boundary and is no box', async () => {
  const position = [0, 0, 0, 1, 2, 3]
  const boundary = Float64Array.of(1, 0)
  expect((await readCsv([...writeCsv({ position, boundary })].join(''))).boundary).toEqual(boundary)
  for (const given of [boundary, 7])
    for await (const frame of readXyz(writeXyz({ position, boundary: given }))) expect(frame.boundary).toEqual(given)
})

it.each<[what: string, write: () => unknown, message: string]>([
  ['NaN', () => writeXyz({ position: [Number.NaN, 0, 0] }), '"position" expected finite numbers, got NaN at index 0'],
  [
    'infinity',
    () => writeCsv({ position: [0, 0, 0], mass: [Infinity] }),
    '"mass" expected finite numbers, got Infinity',
  ],
  [
    'a ragged array',
    () => writeCsv({ position: [1, 2, 3, 4] }),
    'expected three numbers per point, got 4 numbers; for points in 2-D',
  ],
  [
    'a vector of attributes',
    () => writeCsv({ position: [1, 2, 3], spin: [1, 2, 3] }),
    '"spin" expected length 1, got 3; give each',
  ],
  [
    'big integers',
    () => writeCsv({ position: [1, 2, 3], id: BigInt64Array.of(1n) as never }),
    '"id" expected numbers, got bigint',
  ],
  ['a name that is taken', () => writeCsv({ position: [1, 2, 3], x: [1] }), '"x" has another meaning in a CSV file'],
  ['a name of two lines', () => writeCsv({ position: [1, 2, 3], 'a\nb': [1] }), 'expected text of one line'],
  ['no positions', () => writeCsv({} as never), '"position" expected an array, got undefined'],
  ['a key of the format', () => writeXyz({ position: [1, 2, 3], PBC: 1 }), '"PBC" has another meaning in an XYZ file'],
  [
    'a comment that is no text',
    () => writeXyz({ position: [], comment: 1 as never }),
    '"comment" expected text, got 1',
  ],
  [
    'another dimension',
    () => writeXyz({ position: [1], dimension: 1 as never }),
    '"dimension" expected 2 or 3, as files hold no points on a line, got 1',
  ],
  [
    'symbols with blanks',
    () => writeXyz({ position: [1, 2, 3], symbols: ['C A'] }),
    '"symbols" expected words without blanks',
  ],
  [
    'a name that positions have',
    () => writeXyz({ position: [1, 2, 3], pos: [1] }),
    '"pos" has another meaning in an XYZ file',
  ],
  [
    'a short lattice',
    () => writeXyz({ position: [1, 2, 3], lattice: [1, 1, 1] }),
    '"lattice" expected length 9, got 3',
  ],
  [
    'a number that is not finite',
    () => writeXyz({ position: [1, 2, 3], time: Number.NaN }),
    '"time" expected a finite number',
  ],
  [
    'a kind of particles that TIPSY lacks',
    () => writeTipsy({ stars: {} } as never),
    '"stars" expected gas, dark, star',
  ],
  [
    'an attribute that TIPSY lacks',
    () =>
      writeTipsy({
        dark: {
          position: new Float32Array(3),
          velocity: new Float32Array(3),
          mass: new Float32Array(1),
          spin: new Float32Array(1),
        },
      }),
    '"dark.spin" has no place in a TIPSY file, which has mass, position, velocity, softening, potential',
  ],
  [
    'a number beyond float32',
    () =>
      writeTipsy({
        dark: {
          position: Float64Array.of(0, 1e39, 0) as never,
          velocity: new Float32Array(3),
          mass: new Float32Array(1),
        },
      }),
    '"dark.position" expected finite float32 numbers, got 1e+39 at index 1',
  ],
])('refuses to write %s', (_, write, message) => {
  expect(write).toThrow(message)
})
