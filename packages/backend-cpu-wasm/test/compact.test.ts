// Functions that are shortened before they are encoded: they compute the same.

import { expect, it } from 'vitest'
import { compact } from '../src/compile/wasm/compact.ts'
import type { FunctionBuilder } from '../src/compile/wasm/function-builder.ts'
import { integers, ModuleBuilder } from '../src/compile/wasm/module-builder.ts'
import { get, i32, type Node, op, plus, set, times } from '../src/compile/wasm/nodes.ts'

type Write = (code: FunctionBuilder, values: { readonly a: Node; readonly b: Node }) => void

/** What a function gives for two numbers, and its shortened form. */
function made(write: Write) {
  const module = new ModuleBuilder({ shared: false })
  module.define('f', integers('a', 'b'), 'i32', write)
  const memory = new WebAssembly.Memory({ initial: 1 })
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module.encode()), { env: { memory } })
  return { f: exports.f as (a: number, b: number) => number, short: compact(module.functions[0] as FunctionBuilder) }
}

it('a value that is read once, right after it was set, needs no local', () => {
  const { f, short } = made((code, { a, b }) => {
    const sum = code.let('i32', 'sum', plus(a, b))
    const product = code.let('i32', 'product', op('i32.mul', sum, b))
    code.return(product)
  })
  expect(short.locals).toEqual([])
  expect(short.body).toHaveLength(1)
  expect(f(3, 4)).toBe(28)
})

it('one that is read again is set on the way', () => {
  const { f, short } = made((code, { a, b }) => {
    const sum = code.let('i32', 'sum', plus(a, b))
    code.return(op('i32.mul', sum, sum))
  })
  expect(short.locals.map(({ name }) => name)).toEqual(['sum'])
  expect(short.body.map(({ kind }) => kind)).toEqual(['return'])
  expect(f(3, 4)).toBe(49)
})

it('nothing moves past what runs before it', () => {
  const { f, short } = made((code, { a, b }) => {
    const total = code.local('i32', 'total')
    const first = code.let('i32', 'first', a)
    const before = code.let('i32', 'before', plus(first, 1))
    code.emit(set(total, times(b, 10)))
    code.return(op('i32.sub', get(total), before))
  })
  expect(short.body.map(({ kind }) => kind)).toEqual(['set', 'return'])
  expect(f(3, 4)).toBe(36)
})

it('values before a loop stay before it, and its counter is set on the way', () => {
  const { f } = made((code, { a, b }) => {
    const total = code.local('i32', 'total')
    code.emit(set(total, i32(0)))
    code.for('n', i32(0), a, 1, (n) => {
      const term = code.let('i32', 'term', op('i32.mul', n, b))
      code.if(op('i32.gt_u', term, i32(4)), () => code.emit(set(total, plus(get(total), term))))
    })
    code.return(get(total))
  })
  expect([0, 1, 2, 5].map((a) => f(a, 3))).toEqual([0, 0, 0, 27])
})

it('locals stand by type, and no local is left that nothing uses', () => {
  const { short } = made((code, { a }) => {
    const unused = code.local('f64', 'unused')
    const vector = code.let('v128', 'vector', op('i32x4.splat', a))
    const number = code.let('i32', 'number', plus(a, 1))
    code.emit(set(code.local('v128', 'other'), vector))
    code.return(plus(number, number))
    expect(unused.type).toBe('f64')
  })
  expect(short.locals.map(({ name }) => name)).toEqual(['number', 'vector', 'other'])
})
