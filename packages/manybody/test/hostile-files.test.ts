// Files that are damaged, endless, or promise more than they hold. The error is always a `FileFormatError`.

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
  type XyzFrame,
} from '../src/files/index.ts'
import { Random } from './support/random.ts'

async function readFrames(source: FileSource): Promise<unknown> {
  const frames = []
  for await (const frame of readXyz(source)) frames.push(frame)
  return frames
}

const points = {
  position: [0.5, -1.25, 3e-7, 4, 5, 6],
  velocity: [1, 2, 3, 4, 5, 6],
  mass: [1, 2],
}
const vectors = {
  position: Float32Array.from(points.position),
  velocity: new Float32Array(6),
  mass: Float32Array.of(1, 2),
}
const utf8 = (text: string) => new TextEncoder().encode(text)
const together = (pieces: Iterable<Uint8Array>) => Uint8Array.from([...pieces].flatMap((piece) => [...piece]))
const pbc = [true, true, false] as const

const formats: readonly (readonly [string, Uint8Array, (source: Uint8Array[]) => Promise<unknown>])[] = [
  ['plain XYZ', utf8(writeXyz({ position: points.position, symbols: ['O', 'H'] }).repeat(2)), readFrames],
  [
    'extended XYZ',
    utf8(writeXyz({ ...points, lattice: [1, 0, 0, 0, 1, 0, 0, 0, 1], pbc, time: 2, comment: 'a "b"' })),
    readFrames,
  ],
  ['CSV', utf8([...writeCsv({ ...points, 'my "a", b': [1.5, 2.5] })].join('')), readCsv],
  ['CSV with semicolons', utf8('# x\nx;y;"z"\n1,5;2,5;3\n"1";2;3\n'), (source) => readCsv(source, { missing: 0 })],
  ['TIPSY', together(writeTipsy({ gas: vectors, dark: vectors, star: vectors })), readTipsy],
]

/** The file with some bytes changed, cut out, repeated or moved. */
function damaged(file: Uint8Array, random: Random): Uint8Array {
  const bytes = [...file]
  for (let n = 1 + random.below(4); n > 0; n--) {
    const at = random.below(bytes.length + 1)
    const part = bytes.slice(at, at + random.below(12))
    const marks = utf8('\n\r\t ,;:"\'\\#=0-eE{}[]').filter(() => random.below(8) === 0)
    const change = random.below(5)
    if (change === 0) bytes.splice(at, part.length)
    else if (change === 1) bytes.splice(random.below(bytes.length + 1), 0, ...part)
    else if (change === 2) bytes.splice(at, 1, random.below(256))
    else if (change === 3) bytes.splice(at, random.below(3), ...marks)
    else bytes.splice(at)
  }
  return Uint8Array.from(bytes)
}

it.each(formats)('damaged %s is read, or said to be malformed', async (_, file, read) => {
  await read([file])
  let refused = 0
  for (let seed = 0; seed < 1500; seed++) {
    const random = new Random(seed)
    const bytes = damaged(file, random)
    const cut = random.below(bytes.length + 1)
    const outcome = await read([bytes.subarray(0, cut), bytes.subarray(cut)]).catch((error: unknown) => error)
    if (!(outcome instanceof Error)) continue
    expect(outcome, `seed ${seed}: ${outcome.stack}`).toBeInstanceOf(FileFormatError)
    refused++
  }
  expect(refused).toBeGreaterThan(100)
})

const names = (count: number, name: (n: number) => string) => Array.from({ length: count }, (_, n) => name(n)).join('')

/** A file without an end. */
function* endless(begin: string, piece: string): Generator<string> {
  yield begin
  for (;;) yield piece
}

it.each<[what: string, read: () => Promise<unknown>]>([
  ['a line of XYZ', () => readFrames(endless('', '1'.repeat(1000)))],
  ['a comment of XYZ', () => readFrames(endless('1\n', 'a=1 '.repeat(1000)))],
  ['a line of CSV', () => readCsv(endless('x,y\n', '1'.repeat(1000)))],
  ['a field of CSV in quotes', () => readCsv(endless('x,y\n"', '1\n'.repeat(1000)))],
])('%s that never ends is refused', async (_, read) => {
  await expect(read()).rejects.toThrow(FileFormatError)
})

it.each<[what: string, refused: () => Promise<unknown>, taken: () => Promise<unknown>]>([
  [
    'columns of CSV',
    () => readCsv(`x,y${names(4095, (n) => `,a${n}`)}\n`),
    () => readCsv(`x,y${names(4094, (n) => `,a${n}`)}\n`),
  ],
  [
    'columns of XYZ',
    () => readFrames(`0\nProperties=pos:R:3${names(4096, (n) => `:a${n}:R:1`)}\n`),
    () => readFrames(`0\nProperties=pos:R:3${names(4095, (n) => `:a${n}:R:1`)}\n`),
  ],
  [
    'keys of XYZ',
    () => readFrames(`0\nProperties=pos:R:3${names(4096, (n) => ` a${n}=1`)}\n`),
    () => readFrames(`0\nProperties=pos:R:3${names(4095, (n) => ` a${n}=1`)}\n`),
  ],
])('more than 4096 %s are refused', async (_, refused, taken) => {
  await taken()
  await expect(refused()).rejects.toThrow(/expected at most 4096 (columns|keys), got/)
})

it('frames with the same header share nothing that a caller may change', async () => {
  const frame = '1\nLattice="1 2 3" pbc="T T F"\nO 1 2 3\n'
  const [first, second] = (await readFrames(frame.repeat(2))) as XyzFrame[]
  expect(second).toEqual(first)
  for (const name of ['lattice', 'pbc', 'position', 'symbols'] as const) expect(second?.[name]).not.toBe(first?.[name])
})

it('a header that promises more points than the file holds reserves no memory for them', async () => {
  const view = new DataView(new ArrayBuffer(32 + 40))
  for (const [n, value] of [2 ** 31 - 1, 3, 0, 0, 2 ** 31 - 1].entries()) view.setInt32(8 + 4 * n, value)
  await expect(readTipsy(new Uint8Array(view.buffer))).rejects.toThrow(
    'Malformed TIPSY file, byte 72: expected point 1 of 2147483647 of star, got the end of the file',
  )
  await expect(readFrames('9007199254740991\n\nH 0 0 0\n')).rejects.toThrow(
    'expected point 2 of 9007199254740991, got the end of the file',
  )
})

it('a source is let go when its file is malformed', async () => {
  for (const read of [readFrames, readCsv, readTipsy as (source: FileSource) => Promise<unknown>]) {
    let ended = false
    const source = (function* () {
      try {
        for (;;) yield utf8('malformed, and longer than a header\n')
      } finally {
        ended = true
      }
    })()
    await expect(read(source)).rejects.toThrow(FileFormatError)
    expect(ended).toBe(true)
  }
})

it('pieces that are neither text nor bytes are refused', async () => {
  await expect(readCsv([1, 2] as never)).rejects.toThrow('"source" expected text or bytes in each piece, got 1')
  await expect(readFrames(new ArrayBuffer(8) as never)).rejects.toThrow('"source" expected a text, bytes, or a stream')
})
