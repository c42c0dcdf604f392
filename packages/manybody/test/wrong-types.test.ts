// Wrong types in every argument of `initial`, `files` and `d3`. The error names the expected type and the given value.

import { expect, it } from 'vitest'
import { type ForceManyBody, forceManyBody } from '../src/d3/many-body.ts'
import { readCsv, readTipsy, readXyz, writeCsv, writeTipsy, writeXyz } from '../src/files/index.ts'
import * as initial from '../src/initial/index.ts'

const detached = new Float32Array(6)
structuredClone(detached.buffer, { transfer: [detached.buffer] })
const cyclic: Record<string, unknown> = {}
cyclic.self = cyclic

const values = {
  undefined: undefined,
  null: null,
  true: true,
  NaN: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  text: 'yes',
  bigint: 1n,
  symbol: Symbol('s'),
  function: () => Number.NaN,
  list: [Symbol('s')],
  object: {},
  cyclic,
  'without prototype': Object.create(null),
  generator: {
    *[Symbol.iterator]() {
      for (;;) yield 1
    },
  },
  'very long': { length: 2 ** 40 },
  detached,
  DataView: new DataView(new ArrayBuffer(24)),
}

const nodes = () => [
  { x: 0, y: 0, vx: 0, vy: 0 },
  { x: 0, y: 1, vx: 0, vy: 0 },
]
function charging(set: (force: ForceManyBody) => unknown): void {
  const force = forceManyBody({ threads: 1 })
  try {
    force.initialize(nodes())
    set(force)
    force(1)
  } finally {
    force.dispose()
  }
}
async function frames(source: never): Promise<void> {
  for await (const frame of readXyz(source)) expect(frame).toBeDefined()
}

const some = { count: 3, seed: 1 }
const csv = 'x,y\n1,2\n'
// biome-ignore lint/suspicious/noExplicitAny: a value of any type goes where it does not belong
type Call = (value: any) => unknown
const places: Readonly<Record<string, Call>> = {
  ...Object.fromEntries(Object.entries(initial).map(([name, make]) => [name, make as Call])),
  'count of a disk': (v) => initial.disk({ count: v, seed: 1 }),
  seed: (v) => initial.uniformBall({ count: 1, seed: v }),
  centralMass: (v) => initial.disk({ ...some, centralMass: v }),
  diskMass: (v) => initial.disk({ ...some, diskMass: v }),
  'radius of two disks': (v) => initial.twoDisks({ ...some, radius: v }),
  inclinations: (v) => initial.twoDisks({ ...some, inclinations: v }),
  'an inclination': (v) => initial.twoDisks({ ...some, inclinations: [v, v] }),
  lengths: (v) => initial.uniformBox({ ...some, lengths: v }),
  'a length': (v) => initial.uniformBox({ ...some, lengths: [1, v] }),
  kind: (v) => initial.lattice({ kind: v, cells: [1, 1, 1], spacing: 1 }),
  cells: (v) => initial.lattice({ kind: 'fcc', cells: v, spacing: 1 }),
  spacing: (v) => initial.lattice({ kind: 'fcc', cells: [1, 1, 1], spacing: v }),
  'masses of velocities': (v) => initial.maxwellVelocities({ mass: v, temperature: 1, seed: 1 }),
  'dimension of velocities': (v) => initial.maxwellVelocities({ mass: [1], temperature: 1, seed: 1, dimension: v }),
  circulation: (v) => initial.vortexRing({ count: 3, circulation: v }),
  readXyz: (v) => frames(v as never),
  'a piece of XYZ': (v) => frames([v] as never),
  readCsv: (v) => readCsv(v),
  'options of readCsv': (v) => readCsv(csv, v),
  'text of readCsv': (v) => readCsv(csv, { text: v }),
  'names of readCsv': (v) => readCsv(csv, { names: v }),
  'a name of readCsv': (v) => readCsv(csv, { names: { x: v } }),
  'missing of readCsv': (v) => readCsv(csv, { missing: v }),
  readTipsy: (v) => readTipsy(v),
  'a piece of TIPSY': (v) => readTipsy([v]),
  writeCsv: (v) => [...writeCsv(v)],
  'dimension of CSV': (v) => [...writeCsv({ position: [1, 2, 3, 4, 5, 6], dimension: v })],
  'an attribute of CSV': (v) => [...writeCsv({ position: [1, 2, 3], q: [v] })],
  writeXyz: (v) => writeXyz(v),
  'a symbol': (v) => writeXyz({ position: [1, 2, 3], symbols: [v] }),
  writeTipsy: (v) => [...writeTipsy(v)],
  'time of TIPSY': (v) => [...writeTipsy({ time: v })],
  'masses of TIPSY': (v) => [...writeTipsy({ dark: { position: [1, 2, 3], velocity: [1, 2, 3], mass: [v] } as never })],
  'options of d3': (v) => forceManyBody(v).dispose(),
  'tolerance of d3': (v) => forceManyBody({ tolerance: v }),
  nodes: (v) => charging((force) => force.initialize(v)),
  random: (v) => charging((force) => force.initialize(nodes(), v)),
  dimensions: (v) => charging((force) => force.initialize(nodes(), Math.random, v)),
  strength: (v) => charging((force) => force.strength(v)),
  'strength of a node': (v) => charging((force) => force.strength(() => v)),
  distanceMin: (v) => charging((force) => force.distanceMin(v)),
  distanceMax: (v) => charging((force) => force.distanceMax(v)),
  theta: (v) => charging((force) => force.theta(v)),
}

it.each(Object.entries(places))('%s: what is wrong is said', async (_, call) => {
  for (const [name, value] of Object.entries(values)) {
    const told: unknown = await (async () => call(value))().then(
      () => 'taken',
      (error: unknown) => `${error}`,
    )
    expect(`${name}: ${told}`).toMatch(
      /: (taken|(TypeError|RangeError|FileFormatError): .*(expected|is not an? |has no place|is missing|another meaning).*)$/s,
    )
    expect(told, name).not.toMatch(
      /of undefined|of null|is not a function|not iterable|[Cc]annot (convert|mix|perform)/,
    )
  }
})

it.each<[string, () => unknown]>([
  ['a ball', () => initial.uniformBall({ count: 2 ** 50, seed: 1 })],
  ['a box', () => initial.uniformBox({ count: 2 ** 50, seed: 1, lengths: [1, 1] })],
  ['two disks', () => initial.twoDisks({ count: 2 ** 50, seed: 1 })],
  ['a ring', () => initial.vortexRing({ count: 2 ** 50, circulation: 1 })],
  ['a lattice', () => initial.lattice({ kind: 'bcc', cells: [1, 2 ** 20, 2 ** 29], spacing: 1 })],
])('%s of more points than memory holds is refused', (_, make) => {
  expect(make).toThrow(/"(count|cells)" expected points that memory holds, got \d+, one array of which takes \S+ GiB/)
})
