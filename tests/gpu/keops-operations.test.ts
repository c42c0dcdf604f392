// The operations of KeOps that are functions of numbers and of vectors of any length, on every backend. Its own tests (`test_op.py`) compare
// each operation with PyTorch; here each is written out in float64. KeOps' other operations are matrices, tensors, one-hot vectors, extremes
// of components, inverse sines and exponential integrals.

import { cpuWasm } from '@manybody/backend-cpu-wasm'
import { webgl } from '@manybody/backend-webgl'
import { webgpu } from '@manybody/backend-webgpu'
import { createEngine, type Engine, type Precision, pairTerm, reference, sum } from '@manybody/core'
import { afterAll, describe, expect, test } from 'vitest'
import { angleContexts } from '../support/angle.ts'
import { deep } from '../support/share.ts'

/** Operations on components: a vector for each pair. */
const ofComponents: Readonly<Record<string, readonly [text: string, value: (x: number, y: number) => number]>> = {
  Abs: ['abs(x_i - y_j)', (x, y) => Math.abs(x - y)],
  Add: ['x_i + y_j', (x, y) => x + y],
  Atan: ['atan2(x_i - y_j, 1)', (x, y) => Math.atan(x - y)],
  Atan2: ['atan2(x_i - 1, y_j - 1)', (x, y) => Math.atan2(x - 1, y - 1)],
  Clamp: ['min(max(x_i, y_j), 1.5)', (x, y) => Math.min(Math.max(x, y), 1.5)],
  ClampInt: ['min(max(x_i - y_j, 0), 1)', (x, y) => Math.min(Math.max(x - y, 0), 1)],
  Cos: ['cos(x_i - y_j)', (x, y) => Math.cos(x - y)],
  DiffClampInt: ['select(0 <= x_i - y_j && x_i - y_j <= 1, 1, 0)', (x, y) => (x - y >= 0 && x - y <= 1 ? 1 : 0)],
  Divide: ['x_i/y_j', (x, y) => x / y],
  Equal: ['select(x_i == y_j, 1, 0)', (x, y) => (x === y ? 1 : 0)],
  Exp: ['exp(x_i - y_j)', (x, y) => Math.exp(x - y)],
  Floor: ['floor(x_i - 2*y_j)', (x, y) => Math.floor(x - 2 * y)],
  IfElse: ['select(x_i >= 1, y_j, x_i*y_j)', (x, y) => (x >= 1 ? y : x * y)],
  IntInv: ['1/3 + x_i - y_j', (x, y) => 1 / 3 + x - y],
  Inv: ['1/(x_i + y_j)', (x, y) => 1 / (x + y)],
  LessOrEqual: ['select(x_i <= y_j, 1, 0)', (x, y) => (x <= y ? 1 : 0)],
  LessThan: ['select(x_i < y_j, 1, 0)', (x, y) => (x < y ? 1 : 0)],
  Log: ['log(x_i*y_j)', (x, y) => Math.log(x * y)],
  Minus: ['-x_i*y_j', (x, y) => -x * y],
  Mod: ['x_i - floor(x_i/y_j)*y_j', (x, y) => x - Math.floor(x / y) * y],
  Mult: ['x_i*y_j', (x, y) => x * y],
  NotEqual: ['select(x_i == y_j, 0, 1)', (x, y) => (x === y ? 0 : 1)],
  Pow: ['(x_i - y_j)^3', (x, y) => (x - y) ** 3],
  Powf: ['pow(x_i, y_j)', (x, y) => x ** y],
  ReLU: ['max(x_i - y_j, 0)', (x, y) => Math.max(x - y, 0)],
  Round: ['round(x_i + y_j + 0.3)', (x, y) => Math.round(x + y + 0.3)],
  Rsqrt: ['inverseSqrt(x_i + y_j)', (x, y) => 1 / Math.sqrt(x + y)],
  Sign: ['sign(x_i - y_j)', (x, y) => Math.sign(x - y)],
  Sin: ['sin(x_i - y_j)', (x, y) => Math.sin(x - y)],
  SinXDivX: ['select(x_i == y_j, 1, sin(x_i - y_j)/(x_i - y_j))', (x, y) => (x === y ? 1 : Math.sin(x - y) / (x - y))],
  Sqrt: ['sqrt(x_i*y_j)', (x, y) => Math.sqrt(x * y)],
  Square: ['(x_i - y_j)^2', (x, y) => (x - y) ** 2],
  Step: ['step(x_i - y_j)', (x, y) => (x - y >= 0 ? 1 : 0)],
  Subtract: ['x_i - y_j', (x, y) => x - y],
  XLogX: [
    'select(x_i == y_j, 0, (x_i - y_j)^2*log((x_i - y_j)^2))',
    (x, y) => (x === y ? 0 : (x - y) ** 2 * Math.log((x - y) ** 2)),
  ],
}

type Vector = readonly number[]
const over = (a: Vector, of: (x: number, k: number) => number) => a.reduce((total, x, k) => total + of(x, k), 0)

/** Operations on vectors: a number for each pair, with the weights `w` of components. */
const ofVectors: Readonly<Record<string, readonly [text: string, value: (x: Vector, y: Vector, w: Vector) => number]>> =
  {
    Elem: ['dot(second, x_i)*dot(second, y_j)', (x, y) => (x[1] ?? 0) * (y[1] ?? 0)],
    Norm2: ['norm(x_i - y_j)', (x, y) => Math.sqrt(over(x, (a, k) => (a - (y[k] ?? 0)) ** 2))],
    Normalize: [
      'dot(x_i, y_j)/(norm(x_i)*norm(y_j))',
      (x, y) => over(x, (a, k) => a * (y[k] ?? 0)) / Math.sqrt(over(x, (a) => a * a) * over(y, (b) => b * b)),
    ],
    Scalprod: ['dot(x_i, y_j)', (x, y) => over(x, (a, k) => a * (y[k] ?? 0))],
    SqDist: ['sqdist(x_i, y_j)', (x, y) => over(x, (a, k) => (a - (y[k] ?? 0)) ** 2)],
    SqNorm2: ['dot(x_i - y_j, x_i - y_j)', (x, y) => over(x, (a, k) => (a - (y[k] ?? 0)) ** 2)],
    SqNormDiag: ['sum(w*(x_i + y_j)^2)', (x, y, w) => over(x, (a, k) => (w[k] ?? 0) * (a + (y[k] ?? 0)) ** 2)],
    SqNormIso: ['0.5*sum((x_i + y_j)^2)', (x, y) => 0.5 * over(x, (a, k) => (a + (y[k] ?? 0)) ** 2)],
    Sum: ['sum(x_i*y_j + 1)', (x, y) => over(x, (a, k) => a * (y[k] ?? 0) + 1)],
    WeightedSqDist: ['sum(w*(x_i - y_j)^2)', (x, y, w) => over(x, (a, k) => (w[k] ?? 0) * (a - (y[k] ?? 0)) ** 2)],
    WeightedSqNorm: [
      'sum(w*x_i^2)*sum(w*y_j^2)',
      (x, y, w) => over(x, (a, k) => (w[k] ?? 0) * a * a) * over(y, (b, k) => (w[k] ?? 0) * b * b),
    ],
  }

const [targets, sources, length] = [6, 9, 5]
/** Eighths from 1/8 to 2, so that some components are equal. */
const eighths = (count: number, factor: number) =>
  Array.from({ length: count }, (_, n) => (((factor * n) % 16) + 1) / 8)
const [x, y, b] = [eighths(targets * length, 7), eighths(sources * length, 5), eighths(sources, 3)]
const w = eighths(length, 11)
const second = [0, 1, 0, 0, 0]
const points = { targets: { x, count: targets }, sources: { y, b, count: sources } }
const rowOf = (a: Vector, n: number) => a.slice(n * length, (n + 1) * length)
const each = (count: number) => Array.from({ length: count }, (_, n) => n)

/** The sum over all sources, with their weights. */
const summed = (of: (i: number, j: number) => number, i: number) =>
  each(sources).reduce((total, j) => total + (b[j] ?? 0) * of(i, j), 0)

const operations = [
  ...Object.entries(ofComponents).map(([name, [text, value]]) => ({
    ...{ name, text: `b_j*vector(${text})` },
    expected: each(targets * length).map((n) =>
      summed((at, j) => value(x[at] ?? 0, y[j * length + (at % length)] ?? 0), n),
    ),
  })),
  ...Object.entries(ofVectors).map(([name, [text, value]]) => ({
    ...{ name, text: `b_j*(${text})` },
    expected: each(targets).map((n) => summed((i, j) => value(rowOf(x, i), rowOf(y, j), w), n)),
  })),
]

test('45 operations of KeOps and one more', () => {
  expect(operations).toHaveLength(46)
})

const engines: Readonly<Record<string, () => Promise<Engine<Precision>>>> = {
  reference: () => createEngine({ backends: [reference()], backend: 'reference', precision: 'f64' }),
  'cpu-wasm': () => createEngine({ backends: [cpuWasm()], backend: 'cpu-wasm', threads: 1 }),
  'cpu-wasm in float64': () =>
    createEngine({ backends: [cpuWasm()], backend: 'cpu-wasm', threads: 1, precision: 'f64' }),
  webgpu: () => createEngine({ backends: [webgpu()], backend: 'webgpu' }),
  webgl: async () => createEngine({ backends: [webgl({ context: await angleContexts(2) })], backend: 'webgl' }),
}

describe.each(Object.entries(engines))('%s', async (name, open) => {
  const engine = await open()
  afterAll(() => engine.dispose())
  const allowed = engine.device.info.precision === 'f64' ? 1e-13 : 2e-6

  // A driver of WebGL takes long to link a program.
  const some = deep || name !== 'webgl' ? operations : operations.filter((_, n) => n % 2 === 0)
  test.each(some)('$name: $text', async ({ text, expected }) => {
    const named = Object.entries({ w, second }).filter(([name]) => new RegExp(`\\b${name}\\b`).test(text))
    const parameters: Readonly<Record<string, readonly number[]>> = Object.fromEntries(named)
    const { value } = await engine.run(sum(pairTerm(text, { parameters })()), points)
    const size = Math.max(...expected.map(Math.abs))
    expect(value).toHaveLength(expected.length)
    for (const [n, truth] of expected.entries())
      expect(Math.abs((value[n] ?? Number.NaN) - truth)).toBeLessThan(allowed * size)
  })
})
