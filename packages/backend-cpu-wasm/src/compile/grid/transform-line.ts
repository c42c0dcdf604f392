/**
 * Fast Fourier transforms of lines side by side, by Stockham's passes of radix 2, 3, 4 and 5. The host's `fft.ts` in core explains them, and
 * its tables are used here.
 *
 * An array of complex numbers has its real parts at its address and its imaginary parts `span` bytes behind.
 *
 * @module
 */
import { passBytes } from '../../design/grid-layout.ts'
import { define, value } from '../language/kernel.ts'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { ModuleBuilder } from '../wasm/module-builder.ts'
import { type Callable, call, type Node } from '../wasm/nodes.ts'
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

  #sum(a: Node, b: Node): Node {
    return value(this.code)`
      lanes real = ${this.vector.type}
      ${a} as real + ${b} as real`
  }

  #difference(a: Node, b: Node): Node {
    return value(this.code)`
      lanes real = ${this.vector.type}
      ${a} as real - ${b} as real`
  }

  #product(a: Node, b: Node): Node {
    return value(this.code)`
      lanes real = ${this.vector.type}
      ${a} as real * (${b} as real)`
  }

  #kept(re: Node, im: Node): Complex {
    return { re: this.code.let('v128', 're', re), im: this.code.let('v128', 'im', im) }
  }

  add(a: Complex, b: Complex): Complex {
    return this.#kept(this.#sum(a.re, b.re), this.#sum(a.im, b.im))
  }

  sub(a: Complex, b: Complex): Complex {
    return this.#kept(this.#difference(a.re, b.re), this.#difference(a.im, b.im))
  }

  scaled(a: Complex, by: number): Complex {
    const factor = this.vector.constant(this.code, by)
    return this.#kept(this.#product(a.re, factor), this.#product(a.im, factor))
  }

  /** `a + i b` and `a - i b`. */
  turned(a: Complex, b: Complex): readonly [plus: Complex, minus: Complex] {
    return [
      this.#kept(this.#difference(a.re, b.im), this.#sum(a.im, b.re)),
      this.#kept(this.#sum(a.re, b.im), this.#difference(a.im, b.re)),
    ]
  }

  product(a: Complex, b: Complex): Complex {
    return this.#kept(
      this.#difference(this.#product(a.re, b.re), this.#product(a.im, b.im)),
      this.#sum(this.#product(a.re, b.im), this.#product(a.im, b.re)),
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
  const { type, number: scalar, bytes } = vector
  /** The real and imaginary parts of the transform, turned by factors. */
  const transformed = (
    code: FunctionBuilder,
    re: readonly Node[],
    im: readonly Node[],
    cos: readonly Node[],
    sin: readonly Node[],
  ): readonly Node[] => {
    const m = new Arithmetic(code, vector)
    const complex = (re: Node | undefined, im: Node | undefined) => ({ re, im }) as Complex
    const values = re.map((x, n) => complex(x, im[n]))
    return butterfly(m, values as unknown as Values)
      .map((value, b) => (b === 0 ? value : m.product(value, complex(cos[b - 1], sin[b - 1]))))
      .flatMap(({ re, im }) => [re, im])
  }
  return define(module)`
    lanes real = ${type}
    scalar number = ${scalar}
    fn ${`radix${radix}`}(width, groups, factors, from, to, span) {
      let apart = width * groups
      for group in 0..groups {
        let start = width * group
        let input = from + start
        let output = to + start * ${radix}
        let table = factors + group * ${2 * (radix - 1) * bytes}
        unroll b of 0..${radix - 1} {
          let cos[b] = real(number[table + 2 * b * ${bytes}])
          let sin[b] = real(number[table + (2 * b + 1) * ${bytes}])
        }
        for line in 0..width step 16 {
          unroll n of 0..${radix} {
            if n == 0 { let place[n] = input + line } else { let place[n] = place[n - 1] + apart }
          }
          unroll n of 0..${radix} {
            let re[n] = v128[place[n]]
            let im[n] = v128[place[n] + span]
          }
          const done = ${transformed}(re, im, cos, sin)
          unroll n of 0..${radix} {
            if n == 0 { let there[n] = output + line } else { let there[n] = there[n - 1] + width }
          }
          unroll n of 0..${radix} {
            v128[there[n]] = done[2 * n] as v128
            v128[there[n] + span] = done[2 * n + 1] as v128
          }
        }
      }
    }`
}

/**
 * Defines a function that transforms lines, and returns the address of the result: `from` or `to`.
 *
 * Its arguments are the table of passes, the bytes of the lines at one place, both arrays, and their span.
 */
export function defineTransform(module: ModuleBuilder, vector: Vector): Callable {
  const passes = [...butterflies].map(([radix, one]) => ({ radix, callee: defineRadix(module, vector, radix, one) }))
  const pass = (code: FunctionBuilder, n: number, ...values: readonly Node[]) => {
    const { callee } = passes[n] as (typeof passes)[number]
    code.emit(call(callee, ...values))
  }
  return define(module)`
    fn transform(passes, lineBytes, from, to, span) -> i32 {
      const radixes = ${passes.map(({ radix }) => radix)}
      var pass = passes
      var width = lineBytes
      var here = from
      var there = to
      var before: i32
      do {
        let radix = i32[pass]
        let groups = i32[pass + 4]
        let factors = i32[pass + 8]
        unroll n of 0..${passes.length} {
          if radix == radixes[n] { ${pass}(n, width, groups, factors, here, there, span) }
        }
        before = here
        width = width * radix
        here = there
        there = before
        pass += ${passBytes}
      } while i32[pass] != 0
      return here
    }`
}
