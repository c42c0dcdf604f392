/**
 * Fast Fourier transforms of lines side by side, by Stockham's passes of radix 2, 3, 4 and 5. The host's `fft.ts` in core explains them, and
 * its tables are used here.
 *
 * An array of complex numbers has its real parts at its address and its imaginary parts `span` bytes behind.
 *
 * @module
 */
import { passBytes } from '../../design/grid-layout.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import { integers, type ModuleBuilder } from '../wasm/module-builder.ts'
import { at, type Callable, call, get, i32, type Node, op, plus, set } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'

interface Complex {
  readonly re: Node
  readonly im: Node
}

/** Arithmetic of complex numbers in registers. */
class Arithmetic {
  constructor(
    readonly code: FunctionBuilder,
    readonly vector: Vector,
  ) {}

  #kept(re: Node, im: Node): Complex {
    return { re: this.code.let('v128', 're', re), im: this.code.let('v128', 'im', im) }
  }

  add(a: Complex, b: Complex): Complex {
    return this.#kept(this.vector.op('add', a.re, b.re), this.vector.op('add', a.im, b.im))
  }

  sub(a: Complex, b: Complex): Complex {
    return this.#kept(this.vector.op('sub', a.re, b.re), this.vector.op('sub', a.im, b.im))
  }

  scaled(a: Complex, by: number): Complex {
    const factor = this.vector.constant(this.code, by)
    return this.#kept(this.vector.op('mul', a.re, factor), this.vector.op('mul', a.im, factor))
  }

  /** `a + i b` and `a - i b`. */
  turned(a: Complex, b: Complex): readonly [plus: Complex, minus: Complex] {
    const { vector } = this
    return [
      this.#kept(vector.op('sub', a.re, b.im), vector.op('add', a.im, b.re)),
      this.#kept(vector.op('add', a.re, b.im), vector.op('sub', a.im, b.re)),
    ]
  }

  product(a: Complex, b: Complex): Complex {
    const mul = (x: Node, y: Node) => this.vector.op('mul', x, y)
    return this.#kept(
      this.vector.op('sub', mul(a.re, b.re), mul(a.im, b.im)),
      this.vector.op('add', mul(a.re, b.im), mul(a.im, b.re)),
    )
  }
}

/** As many of them as the radix says. */
type Values = readonly [Complex, Complex, Complex, Complex, Complex]
type Butterfly = (m: Arithmetic, values: Values) => readonly Complex[]

const [rootThree, half] = [Math.sqrt(3) / 2, -0.5]
const [ca, sa] = [Math.cos((2 * Math.PI) / 5), Math.sin((2 * Math.PI) / 5)]
const [cb, sb] = [Math.cos((4 * Math.PI) / 5), Math.sin((4 * Math.PI) / 5)]

/** Transforms of a few numbers. */
const butterflies: ReadonlyMap<number, Butterfly> = new Map<number, Butterfly>([
  [2, (m, [x, y]) => [m.add(x, y), m.sub(x, y)]],
  [
    3,
    (m, [x, y, z]) => {
      const sum = m.add(y, z)
      const difference = m.scaled(m.sub(y, z), rootThree)
      const [plusI, minusI] = m.turned(m.add(x, m.scaled(sum, half)), difference)
      return [m.add(x, sum), minusI, plusI]
    },
  ],
  [
    4,
    (m, [x, y, z, w]) => {
      const [e, f] = [m.add(x, z), m.sub(x, z)]
      const [g, h] = [m.add(y, w), m.sub(y, w)]
      const [plusI, minusI] = m.turned(f, h)
      return [m.add(e, g), minusI, m.sub(e, g), plusI]
    },
  ],
  [
    5,
    (m, [x, y, z, w, v]) => {
      const [a, b] = [m.add(y, v), m.sub(y, v)]
      const [c, d] = [m.add(z, w), m.sub(z, w)]
      const e = m.add(x, m.add(m.scaled(a, ca), m.scaled(c, cb)))
      const f = m.add(x, m.add(m.scaled(a, cb), m.scaled(c, ca)))
      const [plusG, minusG] = m.turned(e, m.add(m.scaled(b, sa), m.scaled(d, sb)))
      const [plusH, minusH] = m.turned(f, m.sub(m.scaled(b, sb), m.scaled(d, sa)))
      return [m.add(x, m.add(a, c)), minusG, minusH, plusH, plusG]
    },
  ],
])

/** A pass of one radix: `groups` transforms of `radix` numbers, each `width` bytes of lines. */
function defineRadix(module: ModuleBuilder, vector: Vector, radix: number, butterfly: Butterfly): Callable {
  const { bytes } = vector
  const parameters = integers('width', 'groups', 'factors', 'from', 'to', 'span')
  return module.define(`radix${radix}`, parameters, undefined, (code, { width, groups, factors, from, to, span }) => {
    const m = new Arithmetic(code, vector)
    const apart = code.let('i32', 'apart', op('i32.mul', width, groups))
    code.for('group', i32(0), groups, 1, (group) => {
      const start = code.let('i32', 'start', op('i32.mul', width, group))
      const input = code.let('i32', 'input', plus(from, start))
      const output = code.let('i32', 'output', plus(to, op('i32.mul', start, i32(radix))))
      const table = code.let('i32', 'table', plus(factors, op('i32.mul', group, i32(2 * (radix - 1) * bytes))))
      const turns = Array.from({ length: radix - 1 }, (_, b) => ({
        re: code.let('v128', 'cos', vector.loadSplat(2 * b * bytes, table)),
        im: code.let('v128', 'sin', vector.loadSplat((2 * b + 1) * bytes, table)),
      }))
      code.for('line', i32(0), width, 16, (line) => {
        const places = (base: Node, step: Node) => {
          let place = code.let('i32', 'place', plus(base, line))
          return Array.from({ length: radix }, (_, n) => {
            if (n > 0) place = code.let('i32', 'place', plus(place, step))
            return place
          })
        }
        const values = places(input, apart).map((place) => ({
          re: code.let('v128', 'x', at('v128.load', 0, place)),
          im: code.let('v128', 'y', at('v128.load', 0, plus(place, span))),
        }))
        const done = butterfly(m, values as unknown as Values).map((value, b) =>
          b === 0 ? value : m.product(value, turns[b - 1] as Complex),
        )
        for (const [b, place] of places(output, width).entries()) {
          const { re, im } = done[b] as Complex
          code.emit(at('v128.store', 0, place, re), at('v128.store', 0, plus(place, span), im))
        }
      })
    })
  })
}

/**
 * Defines a function that transforms lines, and returns the address of the result: `from` or `to`.
 *
 * Its arguments are the table of passes, the bytes of the lines at one place, both arrays, and their span.
 */
export function defineTransform(module: ModuleBuilder, vector: Vector): Callable {
  const radixes = [...butterflies].map(([radix, one]) => [radix, defineRadix(module, vector, radix, one)] as const)
  const parameters = integers('passes', 'lineBytes', 'from', 'to', 'span')
  return module.define('transform', parameters, 'i32', (code, { passes, lineBytes, from, to, span }) => {
    const pass = code.local('i32', 'pass')
    const width = code.local('i32', 'width')
    const here = code.local('i32', 'here')
    const there = code.local('i32', 'there')
    const before = code.local('i32', 'before')
    code.emit(set(pass, passes), set(width, lineBytes), set(here, from), set(there, to))
    code.repeat(() => {
      const radix = code.let('i32', 'radix', at('i32.load', 0, get(pass)))
      const groups = code.let('i32', 'groups', at('i32.load', 4, get(pass)))
      const factors = code.let('i32', 'factors', at('i32.load', 8, get(pass)))
      for (const [one, callee] of radixes)
        code.if(op('i32.eq', radix, i32(one)), () =>
          code.emit(call(callee, get(width), groups, factors, get(here), get(there), span)),
        )
      code.emit(
        set(before, get(here)),
        set(width, op('i32.mul', get(width), radix)),
        set(here, get(there)),
        set(there, get(before)),
        set(pass, plus(get(pass), passBytes)),
      )
      return op('i32.ne', at('i32.load', 0, get(pass)), i32(0))
    })
    code.return(get(here))
  })
}
