// Compares the functions in modules with float64, over the range where they are finite.

import { pairTerm, sum } from '@manybody/core'
import { type Expr, evaluator, type FunctionName, functions, pairBody, render } from '@manybody/core/expression'
import { describe, expect, it } from 'vitest'
import { type MathName, mathNames } from '../src/compile/expressions/function-names.ts'
import { mathCall, mathFunction } from '../src/compile/expressions/functions.ts'
import { vectorLanguage } from '../src/compile/expressions/operators.ts'
import { registersFor } from '../src/compile/plans/registers.ts'
import { integers, ModuleBuilder } from '../src/compile/wasm/module-builder.ts'
import { at, call } from '../src/compile/wasm/nodes.ts'
import { float32, float64, type Vector } from '../src/compile/wasm/vector.ts'

type Ranges = readonly (readonly [from: number, to: number])[]
const usual = { all: [-12, 12], positive: [1e-3, 1e3], some: [-1, 1] } as const
/** The range for samples of a function: from here, or the range where its definition says that it is finite. */
const rangesOf = (name: MathName): Ranges =>
  ranges[name] ?? functions[name].operands.map(() => usual[functions[name].domain])
const ranges: Readonly<Partial<Record<MathName, Ranges>>> = {
  exp: [[-86, 88.7]],
  log: [[1e-37, 1e37]],
  sin: [[-1000, 1000]],
  cos: [[-1000, 1000]],
  tan: [[-100, 100]],
  erf: [[-6, 6]],
  erfc: [[-5, 9]],
  pow: [
    [0, 50],
    [-15, 15],
  ],
}

function compiled(v: Vector, name: MathName): (...args: readonly Float64Array[]) => Float64Array {
  const module = new ModuleBuilder({ shared: false })
  const callee = mathFunction(module, v, name)
  module.define('all', integers('a', 'b', 'out', 'end'), undefined, (f, { a, b, out, end }) => {
    f.for('i', { kind: 'constant', type: 'i32', value: 0 }, end, v.width, (i) => {
      const load = (from: typeof i) => at('v128.load', 0, { kind: 'op', op: 'i32.add', args: [from, i] })
      const args = callee.parameters.map((_, n) => load(n ? b : a))
      f.emit(at('v128.store', 0, { kind: 'op', op: 'i32.add', args: [out, i] }, call(callee, ...args)))
    })
  })
  const memory = new WebAssembly.Memory({ initial: 64 })
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.encode()), { env: { memory } })
  const all = instance.exports.all as (a: number, b: number, out: number, end: number) => void
  const stride = 1 << 20
  const view = (from: number, length: number) =>
    v.bytes === 4 ? new Float32Array(memory.buffer, from, length) : new Float64Array(memory.buffer, from, length)
  return (...args) => {
    const length = args[0]?.length ?? 0
    for (const [n, values] of args.entries()) view(n * stride, length).set(values)
    all(0, stride, 2 * stride, length * v.bytes)
    return Float64Array.from(view(2 * stride, length))
  }
}

const reference = (name: FunctionName) => {
  const slots = functions[name].parameters.map((_, n) => `x${n}`)
  const args = slots.map((slot) => ({ kind: 'symbol' as const, name: slot }))
  const value = evaluator({ kind: 'call', name, args }, slots)
  return (...x: number[]) => value(Float64Array.from(x))
}

/** Numbers over a range, some near zero, as the vector type holds them. */
function samples(v: Vector, ranges: Ranges, count: number): readonly Float64Array[] {
  const hold = v.bytes === 4 ? Math.fround : (x: number) => x
  return ranges.map(([from, to], n) =>
    Float64Array.from({ length: count }, (_, i) => {
      const u = (((i + 1) * (n ? 0.7548776662466927 : 0.5698402909980532)) % 1) * (i % 4 === 0 ? 1e-3 : 1)
      return hold(to / from > 1e30 ? from * (to / from) ** u : i % 4 === 0 ? u * to : from + u * (to - from))
    }),
  )
}

/** The largest error in units in the last place of the result, denormals counted in the least of those. */
function worst(v: Vector, name: MathName): number {
  const args = samples(v, rangesOf(name), 20000)
  const expected = reference(name)
  const digits = v.bytes === 4 ? 2 ** -23 : 2 ** -52
  const least = v.bytes === 4 ? 2 ** -149 : 2 ** -1074
  let largest = 0
  for (const [i, got] of compiled(v, name)(...args).entries()) {
    const want = expected(...args.map((a) => a[i] as number))
    const ulp = Math.max(2 ** Math.floor(Math.log2(Math.abs(want))) * digits, least)
    largest = Math.max(largest, Math.abs(got - want) / ulp || 0)
    if (Number.isNaN(got) !== Number.isNaN(want)) return Number.POSITIVE_INFINITY
  }
  return largest
}

describe('functions', () => {
  it.each(mathNames)('%s is right to 2 ulp in float32', (name) => {
    expect(worst(float32, name)).toBeLessThan(2)
  })

  // pow and erfc multiply the rounding of an exponent; NUMERICS asks for 1e-13, 450 ulp.
  const bounds: Partial<Record<MathName, number>> = { pow: 100, erfc: 200, tan: 4, sech: 4, erf: 10 }
  it.each(mathNames)('%s is right to a few ulp in float64', (name) => {
    expect(worst(float64, name)).toBeLessThan(bounds[name] ?? 3)
  })
})

describe.each([float32, float64])('with lanes of $type', (v) => {
  it.each(Object.entries(functions))('the language has %s', (name, { parameters, result }) => {
    const x: Expr = { kind: 'symbol', name: 'x' }
    const condition: Expr = { kind: 'call', name: 'less', args: [x, x] }
    const value: Expr = {
      kind: 'call',
      name: name as FunctionName,
      args: parameters.map((type) => (type === 'number' ? x : condition)),
    }
    const number: Expr = result === 'number' ? value : { kind: 'call', name: 'select', args: [value, x, x] }
    const module = new ModuleBuilder({ shared: false })
    module.define('f', { place: 'i32' }, undefined, (f, { place }) => {
      const symbol = () => f.let('v128', 'x', at('v128.load', 0, place))
      const language = vectorLanguage({ module, code: f, vector: v, fused: false, symbol, math: mathCall })
      f.emit(at('v128.store', 0, place, render(number, language)))
    })
    expect(WebAssembly.validate(module.encode())).toBe(true)
  })
})

it.each(mathNames)('a loop that calls %s twice counts as long', (name) => {
  const called = (...args: string[]) => `${name}(${args.slice(0, functions[name].operands.length).join()})`
  const term = sum(pairTerm(`${called('r2', 'dx')}*${called('dy', 'r2')}`)())
  expect(registersFor(pairBody(term, { dimension: 3, sameSet: true }, { guard: false }))).toBe(4)
})

it('a loop that reads a table counts as long', () => {
  const term = sum(pairTerm('a[kind_i, kind_j]*r2', { tables: { a: [[1]] } })())
  expect(registersFor(pairBody(term, { dimension: 3, sameSet: true }, { guard: false }))).toBe(4)
})

describe('at the edge of its range', () => {
  const { POSITIVE_INFINITY: inf, NaN: nan } = Number
  const edges: readonly (readonly [MathName, readonly number[], number])[] = [
    ['exp', [-inf], 0],
    ['exp', [inf], inf],
    ['exp', [nan], nan],
    ['exp', [1000], inf],
    ['exp', [-1000], 0],
    ['log', [0], -inf],
    ['log', [-1], nan],
    ['log', [inf], inf],
    ['log', [1], 0],
    ['log', [nan], nan],
    ['pow', [0, 0], 1],
    ['pow', [0, 2], 0],
    ['pow', [0, -1], inf],
    ['pow', [-2, 3], -8],
    ['pow', [-2, 2], 4],
    ['pow', [-2, 0.5], nan],
    ['atan2', [0, 0], 0],
    ['atan2', [0, -1], Math.PI],
    ['atan2', [-0, -1], -Math.PI],
    ['atan2', [1, 0], Math.PI / 2],
    ['atan2', [-1, 0], -Math.PI / 2],
    ['atan2', [nan, 1], nan],
    ['tanh', [inf], 1],
    ['tanh', [-inf], -1],
    ['tanh', [nan], nan],
    ['sech', [inf], 0],
    ['sech', [-1000], 0],
    ['sech', [0], 1],
    ['sech', [nan], nan],
    ['erf', [inf], 1],
    ['erf', [-inf], -1],
    ['erf', [nan], nan],
    ['erfc', [-inf], 2],
    ['erfc', [inf], 0],
    ['sin', [0], 0],
    ['cos', [0], 1],
  ]
  it.each(edges)('%s(%j)', (name, args, expected) => {
    for (const v of [float32, float64]) {
      const got = compiled(v, name)(...args.map((x) => Float64Array.of(x, x, x, x)))
      const want = v.bytes === 4 ? Math.fround(expected) : expected
      if (Number.isFinite(want) && want !== 0) expect(got[0]).toBeCloseTo(want, v.bytes === 4 ? 6 : 13)
      else expect(got[0]).toBe(want)
    }
  })
})
