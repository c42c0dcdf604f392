// In Node, without a canvas, the backend is unavailable and names a remedy.

import {
  accelerations,
  cellIndex,
  gravity,
  map,
  nearest,
  pairTerm,
  type Shape,
  sum,
  type Workload,
} from '@manybody/core'
import { expect, test } from 'vitest'
import { webgl } from '../src/index.ts'
import { supportOf } from '../src/support.ts'

test('without a canvas, the backend is unavailable and says what to do', async () => {
  expect(await webgl().probe()).toEqual({
    available: false,
    reason: expect.stringMatching(/no canvas; pass a function that returns a WebGL context, as webgl\(\{ context \}\)/),
  })
  await expect(webgl().open()).rejects.toThrow(/Cannot open backend "webgl": this environment has no canvas/)
})

test('a context function that returns nothing or something else, or throws, makes the backend unavailable', async () => {
  expect(await webgl({ context: () => null }).probe()).toMatchObject({
    reason: expect.stringMatching(/no WebGL context/),
  })
  for (const other of [{}, 5, 'webgl2'])
    expect(await webgl({ context: () => other as never }).probe()).toMatchObject({
      reason: expect.stringMatching(/"context" expected a function that returns a WebGL context, got one that returns/),
    })
  const failing = () => {
    throw new Error('no display')
  }
  expect(await webgl({ context: failing }).probe()).toMatchObject({ reason: expect.stringMatching(/no display/) })
})

const shape: Shape = { dimension: 3, targets: 100, sources: 100, sameSet: true, vectors: ['position'] }
const info = {
  backend: 'webgl',
  name: 'a device',
  kind: 'software',
  precision: 'f32',
  features: [],
  limits: { resultBytes: 2 ** 26, textureSize: 4096, textures: 16 },
} as const
const pull = accelerations(gravity())
const wide = (components: number) =>
  sum(pairTerm(Object.fromEntries(Array.from({ length: components }, (_, c) => [`c${c}`, `${c} + r2`])))())
const many = (count: number) => map({ y: Array.from({ length: count }, (_, n) => `a${n}`).join(' + ') })
const ofVectors = sum(pairTerm('dot(x_i, x_j)')())
const lengthOf = (x: number) => ({ vectors: [], lengths: { x } })
const summed = (count: number) =>
  sum(pairTerm(Array.from({ length: count }, (_, n) => `a${n}_i*a${n}_j`).join(' + '))())

test.for<[string, Workload, Partial<Shape>, RegExp | undefined]>([
  ['the largest texture is filled', pull, { targets: 2 ** 20, sources: 2 ** 20 }, undefined],
  ['one point more', pull, { targets: 2 ** 20 + 1, sources: 2 ** 20 + 1 }, /4097 rows of a texture.*4096/],
  ['wide results of few points', wide(16), { targets: 2 ** 18, sources: 2 ** 18 }, undefined],
  ['wide results of many', wide(16), { targets: 2 ** 19, sources: 2 ** 19 }, /8388608 numbers does not fit a texture/],
  ['16 neighbours', nearest(16), {}, undefined],
  ['17 neighbours', nearest(17), {}, /17 neighbours do not fit/],
  ['cells beyond float32', cellIndex({ cells: [300, 300, 300], spacing: 1 }), {}, /do not fit float32/],
  ['32 components', wide(32), {}, undefined],
  ['33 components', wide(33), {}, /terms have 33 components, but this backend takes at most 32/],
  ['100 arrays', many(100), {}, undefined],
  [
    '100 arrays of many points',
    many(100),
    { targets: 2 ** 19 },
    /13 arrays share a texture of \d+ rows, but this device has 4096/,
  ],
  ['60 attributes of sources', summed(60), {}, undefined],
  ['the largest texture of vectors', ofVectors, { targets: 2 ** 14, sources: 2 ** 14, ...lengthOf(256) }, undefined],
  [
    'vectors that are longer by one',
    ofVectors,
    { targets: 2 ** 14, sources: 2 ** 14, ...lengthOf(257) },
    /4210688 numbers does not fit a texture/,
  ],
  ['65 attributes of sources', summed(65), {}, /65 attributes takes 4352 texels of a row, but this device has 4096/],
])('support: %s', ([, workload, part, reason]) => {
  const support = supportOf(workload, { ...shape, ...part }, info)
  if (reason === undefined) expect(support).toEqual({ ok: true })
  else expect(support).toEqual({ ok: false, reason: expect.stringMatching(reason) })
})
