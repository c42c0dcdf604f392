// The language of kernels: what its statements compute, the instructions that it makes, and its errors. The text that is compiled for a
// package does the same as the text from source.

import { fileURLToPath } from 'node:url'
import * as core from '@manybody/core'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { compiledKernels, esbuildKernels } from '../kernels.ts'
import { compileKernel } from '../src/compile/language/compile-kernel.ts'
import { define, value, write } from '../src/compile/language/kernel.ts'
import { ModuleBuilder } from '../src/compile/wasm/module-builder.ts'
import type { Callable } from '../src/compile/wasm/nodes.ts'
import { printModule } from '../src/compile/wasm/print.ts'
import { compileCpu } from '../src/compile.ts'

const memory = new WebAssembly.Memory({ initial: 1 })

/** The function that a kernel defines, ready to be called. */
function made(write: (module: ModuleBuilder) => Callable): (...values: number[]) => number {
  const module = new ModuleBuilder({ shared: false })
  const { name } = write(module)
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.encode()), { env: { memory } })
  return instance.exports[name] as (...values: number[]) => number
}

describe('statements', () => {
  it('repeat, choose and return', () => {
    const digits = made(
      (module) => define(module)`
        fn collatz(start) -> i32 {
          var n = start
          var steps = 0
          while n != 1 {
            if n & 1 { n = n * 3 + 1 } else { n = n >> 1 }
            steps += 1
          }
          return steps
        }`,
    )
    expect([1, 2, 6, 27].map((n) => digits(n))).toEqual([0, 1, 8, 111])
  })

  it('a while tests before its first round, a do behind it', () => {
    const rounds = made(
      (module) => define(module)`
        fn rounds(n) -> i32 {
          var tested = 0
          while tested < n { tested += 1 }
          var done = 0
          do { done += 1 } while done < n
          return tested * 16 + done
        }`,
    )
    expect([0, 1, 3].map((n) => rounds(n))).toEqual([1, 17, 51])
  })

  it('call each other and functions in holes', () => {
    const sum = made((module) => {
      const half = define(module)`fn half(x: f64) -> f64 { return x / 2 }`
      return define(module)`
        fn square(x: f64) -> f64 { return x * x }
        fn total(x: f64, var count) -> f64 {
          var total: f64 = 0
          do {
            total += square(x) + (${half}(1) as f64)
            count -= 1
          } while count > 0
          return total
        }`
    })
    expect(sum(3, 4)).toBe(38)
  })

  it('read and write memory of every type, with offsets', () => {
    const move = made(
      (module) => define(module)`
        fn move(from, to) -> f64 {
          let both = v128[from + 8] as f64x2
          v128[to] = both + f64x2(1)
          f64[to + 16] += 0.5
          i32[to + ${24}] = i32[from]
          return lane(both, 0) + f64(f32[from + 4])
        }`,
    )
    const view = new DataView(memory.buffer)
    view.setInt32(0, 7, true)
    view.setFloat32(4, 1.5, true)
    for (const [n, x] of [10, 20].entries()) view.setFloat64(8 + 8 * n, x, true)
    expect(move(0, 64)).toBe(11.5)
    expect([64, 72, 80].map((n) => view.getFloat64(n, true))).toEqual([11, 21, 0.5])
    expect(view.getInt32(88, true)).toBe(7)
  })

  it('lanes come from memory and go there in one instruction each', () => {
    const module = new ModuleBuilder({ shared: false })
    define(module)`
      lanes real = ${'f32x4'}
      scalar number = ${'f32'}
      fn turn(from, to) {
        let all = real(number[from + 4])
        let some = real[n of 0..4: from + 12 - 4 * n] + all
        unroll n of ${[3, 1]} { number[to + 4 * n] = lane(some, n) }
      }`
    const text = printModule(module)
    for (const [name, count] of Object.entries({ load32_splat: 1, load32_lane: 4, store32_lane: 2, 'f32.': 0 }))
      expect(text.split(name), name).toHaveLength(count + 1)
    const instance = new WebAssembly.Instance(new WebAssembly.Module(module.encode()), { env: { memory } })
    const view = new Float32Array(memory.buffer)
    view.set([1, 2, 3, 4, 0, 0, 0, 0])
    ;(instance.exports.turn as (...values: number[]) => void)(0, 16)
    expect([...view.subarray(4, 8)]).toEqual([0, 5, 0, 3])
  })

  it('one of two holes is a whole number', () => {
    const one = made((module) => define(module)`fn one(a) -> i32 { return a ? ${5} : ${7} }`)
    expect([0, 1].map((a) => one(a))).toEqual([7, 5])
  })

  it('whole numbers are unsigned', () => {
    const wide = made(
      (module) => define(module)`fn wide(a, b) -> i32 { return (a > b ? a / 2 : b >> 1) - (max(a, b) == a) }`,
    )
    expect(wide(-2, 3)).toBe(0x7ffffffe)
  })
})

describe('values that are known when the module is written', () => {
  const scaled = (axes: readonly number[], weighted: boolean) =>
    made(
      (module) => define(module)`
        fn length(at) -> f64 {
          const axes = ${axes}
          unroll axis of axes {
            if ${weighted} { let weight[axis] = f64[at + 64 + 8 * axis] }
            let x[axis] = f64[at + 8 * axis]
          }
          unroll axis of axes {
            var share[axis] = x[axis] * x[axis]
            if ${weighted} { share[axis] *= weight[axis] }
          }
          return sqrt(sum(axis of axes: share[axis]))
        }`,
    )

  it('repeat and leave out statements', () => {
    const view = new Float64Array(memory.buffer)
    view.set([2, 3, 6, 0, 0, 0, 0, 0, 4, 1, 1])
    expect(scaled([0, 1, 2], false)(0)).toBe(7)
    expect(scaled([0], true)(0)).toBe(4)
  })

  it('join the values of a list', () => {
    const cube = made((module) => define(module)`fn cube(x: f64) -> f64 { return product(n of 0..${3}: x) }`)
    expect(cube(5)).toBe(125)
  })

  it('name the type of a hole, of its elements and of its results', () => {
    const spring = made((module) =>
      module.define('spring', { x: 'f64', y: 'f64' }, 'f64', (code, { x, y }) => {
        const sums = [code.local('f64', 'sum'), code.local('f64', 'sum')]
        code.return(
          value(code)`
            const parts: f64 = ${[x, y]}
            const sums: f64 = ${sums}
            const twice: f64 = ${(code, part: never) => value(code)`(${part} as f64) * 2`}
            const first: f64 = ${x}
            unroll n of 0..2 {
              sums[n] = parts[n] - 1
              sums[n] += twice(parts[n]) / 4
            }
            sums[0] + sums[1] + first`,
        )
      }),
    )
    expect(spring(4, 6)).toBe(17)
  })

  it('give each element of a list its own expression, which is computed where it is used', () => {
    const module = new ModuleBuilder({ shared: false })
    define(module)`
      fn f(a) {
        unroll n of 0..2 { const half[n] = f64[a + 8 * n] / 2 }
        f64[a] = half[0] + half[1]
      }`
    expect(printModule(module)).toContain(`      (f64.add
        (f64.div (f64.load (local.get $a)) (f64.const 2))
        (f64.div (f64.load offset=8 (local.get $a)) (f64.const 2)))`)
    expect(printModule(module)).not.toContain('(local $')
  })

  it('a number at the end of an address is part of the instruction, also behind a hole', () => {
    const module = new ModuleBuilder({ shared: false })
    define(module)`
      fn f(a) -> i32 { return ${(code, a: never) => value(code)`i32[${a} + ${a} * 4 + 8]`}(a) }`
    expect(printModule(module)).toContain(
      '(i32.load offset=8 (i32.add (local.get $a) (i32.mul (local.get $a) (i32.const 4))))',
    )
  })

  it('take no instructions', () => {
    const module = new ModuleBuilder({ shared: false })
    define(module)`
      fn f(a) -> i32 {
        unroll n of 0..3 { if n == 1 { i32[a + 4 * n] = ${2} * n + 1 } }
        return ${false} ? a : i32[a + 4]
      }`
    expect(printModule(module)).toContain(`    (i32.store offset=4 (local.get $a) (i32.const 3))
    (return (i32.load offset=4 (local.get $a)))`)
  })
})

it('a function in a hole writes code and can set a variable', () => {
  const twice = made(
    (module) => define(module)`
      fn twice(x) -> i32 {
        var result = 1
        ${(code, to: never, by: never) => write(code)`${to} = ${to} * ${by}`}(result, x)
        return ${(code, of: never) => value(code)`${of} + ${of}`}(result)
      }`,
  )
  expect(twice(21)).toBe(42)
})

it('a variable that is read into a name keeps its value there', () => {
  const swap = made(
    (module) => define(module)`
      fn swap(a, b) -> i32 {
        var x = a
        var y = b
        let old = x
        x = y
        y = old
        return x * 16 + y
      }`,
  )
  expect(swap(1, 2)).toBe(33)
})

it.each<[text: string, message: string]>([
  ['fn f(a) {\n  let b = c\n}', 'kernel, line 2, column 11: expected a known name, got "c"'],
  ['fn f(a) {\n  a = 1\n}', 'kernel, line 2, column 3: expected a statement or a variable, got "a"'],
  ['fn f(a) {\n  let a = 1\n  let a = 2\n}', 'kernel, line 3, column 7: expected a new name, got "a"'],
  ['fn f(a: f64, b) { f64[b] = a + b }', 'kernel, line 1, column 30: expected two values of one type, got f64 and i32'],
  ['fn f(a: f64) { i32[a] = 1 }', 'line 1, column 20: expected i32, got f64; convert it, as in i32(x)'],
  [
    'fn f(a) { f64[a] = f64(a) }',
    'line 1, column 20: expected a number that f64 can hold, got i32; name the instruction',
  ],
  ['fn f(a) { i32[a] = i32.sqrt(a) }', 'line 1, column 20: expected an instruction of i32, got "sqrt"'],
  ['fn f(a) { g(a) }', 'line 1, column 11: expected a function, got "g"'],
  ['fn f(a) { f() }', 'line 1, column 11: expected 1 values for f, got 0'],
  ['fn f(a) { let b = # }', 'line 1, column 19: expected a name, a number or a sign, got "#"'],
  ['fn f(a) { if a { ', 'line 1, column 18: expected a statement or a variable, got "the end"'],
  ['fn f(a) { const b: f64 = a + 1 }', 'line 1, column 26: expected a hole of f64, got i32'],
  ['fn f(a: f16) { }', 'line 1, column 9: expected a type, got "f16"'],
])('an error names the place: %s', (text, message) => {
  expect(() => compileKernel('define', [text], true)).toThrow(message)
})

describe('compiled for a package', () => {
  const source = (text: string) => `import { define } from './language/kernel.ts'
export const made = (module: unknown, size: number) => define(module)\`${text}\`
const behind = 4
`

  it('the text is replaced, lines keep their numbers, and the module is the same', () => {
    const text = `
      fn next(a) -> i32 {
        return a + \${size}
      }`
    const compiled = compiledKernels('file.ts', source(text)) as string
    expect(compiled).not.toContain('fn next')
    expect(compiled).toContain("import * as $w from './language/kernel-functions.ts'")
    expect(compiled.split('\n').indexOf('const behind = 4')).toBe(source(text).split('\n').indexOf('const behind = 4'))
    // A name stands where it is used.
    expect(compiled).toContain('$w.counted("add",a$0,(size))')
  })

  it('names of locals are there only for a printer', () => {
    const text = 'fn next(a) -> i32 { let behind = a + 1 return behind }'
    expect(compiledKernels('file.ts', source(text))).not.toContain('"behind"')
    expect(compiledKernels('file.ts', source(text), true)).toContain('"behind"')
  })

  it('a file without kernels stays as it is', () => {
    expect(compiledKernels('file.ts', 'export const a = `text`')).toBeUndefined()
  })

  it('an error names the file', () => {
    expect(() => compiledKernels('file.ts', source('fn f(a) { a }'))).toThrow(
      'file.ts, in the template of line 2: kernel, line 1, column 11',
    )
  })

  it('a statement does not go on with the line before', () => {
    const compiled = compiledKernels(
      'file.ts',
      "import { write } from './language/kernel.ts'\na()\nwrite(code)`i32[0] = 1`",
    )
    expect(compiled).toMatch(/a\(\)\n\{/)
  })

  it('all modules are the same, and the bundle has no compiler of kernels', async () => {
    const contents = "export { compileCpu } from './src/compile.ts'\nexport * from '@manybody/core'"
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: fileURLToPath(new URL('..', import.meta.url)) },
      ...{ plugins: [esbuildKernels], bundle: true, write: false, format: 'esm', platform: 'neutral' },
    })
    const text = outputFiles[0]?.text ?? ''
    expect(text).not.toContain('kernel, line')
    const bundled = await import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`)
    const shape = { dimension: 3, targets: 99, sources: 99, sameSet: true, vectors: ['position'] } as const
    const modules = (from: typeof core, compile: typeof compileCpu) => {
      const laws = [
        from.accelerations(from.gravity({ softening: 0.1 })),
        from.nearest(3),
        from.neighborsWithin(0.3, { boundary: from.periodic([1, 1, 1]) }),
      ]
      return laws.map((law) => JSON.stringify(compile(law, shape, { precisions: ['f32'], forms: [{}] })))
    }
    expect(modules(bundled, bundled.compileCpu)).toEqual(modules(core, compileCpu))
  })
})
