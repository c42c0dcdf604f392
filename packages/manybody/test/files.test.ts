// Files that are written and read again, in pieces of any size, and the errors for malformed files.

import { expect, it } from 'vitest'
import {
  FileFormatError,
  type FileSource,
  readCsv,
  readTipsy,
  readXyz,
  writeCsv,
  writeTipsy,
  writeXyz,
} from '../src/files/index.ts'
import { accelerations, createEngine, gravity } from '../src/index.ts'

/** A file in pieces of `size` bytes. */
function* cut(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let n = 0; n < bytes.length; n += size) yield bytes.subarray(n, n + size)
}
const encoded = (text: string) => new TextEncoder().encode(text)
const together = (pieces: Iterable<Uint8Array>) => Uint8Array.from([...pieces].flatMap((piece) => [...piece]))

async function frames(source: FileSource) {
  const found = []
  for await (const frame of readXyz(source)) found.push(frame)
  return found
}

const water = {
  comment: 'water, Å',
  symbols: ['O', 'H', 'H'],
  position: Float64Array.of(0, 0, 0, 0.76, 0.59, 0, -0.76, 0.59, 1e-7),
}

it('frames of XYZ are read as they were written, however their text is cut into pieces', async () => {
  const second = { ...water, comment: '', position: water.position.map((x) => x / 3) }
  const text = writeXyz(water) + writeXyz(second)
  for (const size of [1, 2, 7, 1000]) expect(await frames(cut(encoded(text), size)), `${size}`).toEqual([water, second])
  expect(await frames(text.replaceAll('\n', '\r\n'))).toEqual([water, second])
  expect(await frames(new Response(text).body as ReadableStream<Uint8Array>)).toEqual([water, second])
  expect(await frames(`${writeXyz({ position: [1, 2, 3] })}\n\n`)).toMatchObject([{ symbols: ['X'], comment: '' }])
})

it('points of CSV are read as they were written', async () => {
  const points = {
    position: Float64Array.of(1, 2, 3, 4, 5, 6),
    velocity: Float64Array.of(0.1, -0.2, 1e-300, 7, 8, 9),
    mass: Float64Array.of(1 / 3, 2),
    dimension: 3 as const,
  }
  const text = [...writeCsv(points)].join('')
  expect(text.split('\n')[0]).toBe('x,y,z,vx,vy,vz,mass')
  for (const size of [1, 5, 1000]) expect(await readCsv(cut(encoded(text), size))).toEqual(points)
  expect(await readCsv(new TextEncoder().encode(text))).toEqual(points)
  await expect(readCsv(3 as never)).rejects.toThrow('"source" expected a text, bytes, or a stream of them, got 3')
  expect(await readCsv('"charge", x ,y\r\n-1,2,3\r\n\r\n')).toEqual({
    position: Float64Array.of(2, 3),
    charge: Float64Array.of(-1),
    dimension: 2,
  })
})

it('points of CSV are the input of a run', async () => {
  await using engine = await createEngine({ backend: 'reference' })
  const { acceleration } = await engine.run(accelerations(gravity()), await readCsv('x,y,mass\n0,0,1\n2,0,4\n'))
  expect([...acceleration]).toEqual([1, 0, -0.25, 0])
})

it('snapshots of TIPSY are read as they were written, in either byte order', async () => {
  const points = (count: number, names: readonly string[]) => ({
    position: Float32Array.from({ length: 3 * count }, (_, n) => n / 7),
    velocity: Float32Array.from({ length: 3 * count }, (_, n) => -n / 3),
    mass: Float32Array.from({ length: count }, (_, n) => 1 + n),
    ...Object.fromEntries(names.map((name, k) => [name, new Float32Array(count).fill(k + 0.5)])),
  })
  const snapshot = {
    time: 0.25,
    gas: points(2, ['density', 'temperature', 'smoothing', 'metals', 'potential']),
    dark: points(3, ['softening', 'potential']),
    star: points(1, ['metals', 'formation', 'softening', 'potential']),
  }
  const bytes = together(writeTipsy(snapshot))
  expect(bytes).toHaveLength(32 + 4 * (2 * 12 + 3 * 9 + 11))
  for (const size of [1, 10, 4096]) expect(await readTipsy(cut(bytes, size))).toEqual(snapshot)
  const swapped = bytes.slice()
  swapped.set(bytes.slice(0, 8).reverse())
  for (let n = 8; n < bytes.length; n += 4) swapped.set(bytes.slice(n, n + 4).reverse(), n)
  expect(await readTipsy([swapped])).toEqual(snapshot)
  const { dark, gas } = await readTipsy(writeTipsy({ dark: points(3, []) }))
  expect([gas.mass.length, dark.mass.length, dark.softening?.[0]]).toEqual([0, 3, 0])
})

const xyz = (source: FileSource) => frames(source)
const tipsy = (change: (bytes: Uint8Array) => Uint8Array) =>
  readTipsy([
    change(
      together(
        writeTipsy({
          dark: { position: Float32Array.of(1, 2, 3), velocity: new Float32Array(3), mass: Float32Array.of(1) },
        }),
      ),
    ),
  ])

it.each([
  [() => xyz('three\n\n'), 'XYZ', 'line 1', '"number of points" expected a number, got "three"'],
  [() => xyz('1.5\n\n'), 'XYZ', 'line 1', '"number of points" expected integer >= 0, got 1.5'],
  [() => xyz('2\nwater\nO 0 0 0\n'), 'XYZ', 'line 4', 'expected point 2 of 2, got the end of the file'],
  [() => xyz(`${writeXyz(water)}1\n\nO 0 0 zero\n`), 'XYZ', 'line 8', '"z" expected a number, got "zero"'],
  [() => xyz('1\n\nO 0 0\n'), 'XYZ', 'line 3', '"z" expected a number, got nothing'],
  [() => readCsv(''), 'CSV', 'line 1', 'expected names, such as x,y,z,mass, got an empty file'],
  [() => readCsv('x,y\n1,2\n3\n'), 'CSV', 'line 3', 'expected 2 fields, got 1'],
  [() => readCsv('x,y\n1,NaN\n'), 'CSV', 'line 2', '"y" expected a number, got "NaN"'],
  [() => readCsv('x,mass\n'), 'CSV', 'line 1', 'the column "y" is missing; given: "x", "mass"'],
  [() => readCsv('x,y,vx\n'), 'CSV', 'line 1', 'the column "vy" is missing; given: "x", "y", "vx"'],
  [() => readCsv('x,y,vx,vy,vz\n'), 'CSV', 'line 1', 'the column "vz" has no "z" beside it'],
  [() => readCsv('x,y,x\n'), 'CSV', 'line 1', 'the name "x" is there twice'],
  [() => readCsv('x,y,position\n'), 'CSV', 'line 1', 'expected names such as x, vx or mass, got "position"'],
  [() => tipsy((bytes) => bytes.subarray(0, 20)), 'TIPSY', 'byte 20', 'expected the header, got the end of the file'],
  [
    () => tipsy((bytes) => bytes.subarray(0, 40)),
    'TIPSY',
    'byte 40',
    'expected point 1 of 1 of dark, got the end of the file',
  ],
  [
    () => tipsy((bytes) => Uint8Array.of(...bytes, 0)),
    'TIPSY',
    'byte 68',
    'expected the end of the file, got more bytes',
  ],
  [
    () => tipsy((bytes) => bytes.fill(9, 8, 12)),
    'TIPSY',
    'byte 8',
    'expected as many points as of all kinds together, 1, got 151587081',
  ],
  [() => tipsy((bytes) => bytes.fill(9, 12, 16)), 'TIPSY', 'byte 12', 'expected 3 dimensions, got 151587081'],
  [() => tipsy((bytes) => bytes.fill(255, 36, 40)), 'TIPSY', 'byte 36', 'expected a finite number, got NaN'],
])('a malformed file is reported with its place', async (read, format, place, reason) => {
  const error = await (async () => read())().catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(FileFormatError)
  expect(error).toMatchObject({ format, place, reason, message: `Malformed ${format} file, ${place}: ${reason}` })
})

it('refuses to write what does not fit', () => {
  expect(() => writeXyz({ position: [1, 2] })).toThrow('"position" expected three numbers per point, got 2 numbers')
  expect(() => writeXyz({ position: [1, 2, 3], symbols: [] })).toThrow('"symbols" expected length 1')
  expect(() => writeCsv({ position: [1, 2, 3], mass: [1, 2] })).toThrow('"mass" expected length 1, got 2')
})
