/**
 * Sorts lists of distinct integers. In a short list, the place of a number is the count of lesser numbers, so no branch depends
 * on a number. A longer list is merged from short ones.
 *
 * @module
 */
import { integers, type ModuleBuilder } from '../wasm/module-builder.ts'
import { at, type Callable, call, get, i32, type Node, op, plus, set, times } from '../wasm/nodes.ts'

/** The most numbers that are compared with each other. */
const part = 64
/** Registers of numbers that are compared with each other number at the same time. */
const together = 4
/** Bytes of scratch. */
export const sortBytes: number = 16 * together

/**
 * Adds `sortList(from, to, count, scratch)`, which writes the numbers at `from`, ascending, to `to`. It leaves the memory at
 * `from` undefined.
 */
export function defineSortList(module: ModuleBuilder): Callable {
  const sortPart = module.once('sortPart', () => defineSortPart(module))
  const merge = module.once('mergeLists', () => defineMerge(module))
  const parameters = integers('from', 'to', 'count', 'scratch')
  return module.define('sortList', parameters, undefined, (code, { from: given, to: wanted, count, scratch }) => {
    const least = (a: Node, b: Node) => op('select', a, b, op('i32.lt_u', a, b))
    code.for('first', i32(0), count, part, (first) => {
      const length = least(code.let('i32', 'left', op('i32.sub', count, first)), i32(part))
      code.emit(call(sortPart, plus(given, times(first, 4)), plus(wanted, times(first, 4)), length, scratch))
    })
    code.if(op('i32.gt_u', count, i32(part)), () => {
      const [from, to] = [code.local('i32', 'sorted'), code.local('i32', 'merged')]
      const [other, width] = [code.local('i32', 'other'), code.local('i32', 'width')]
      code.emit(set(from, wanted), set(to, given), set(width, i32(part)))
      code.repeat(() => {
        const first = code.local('i32', 'first')
        code.emit(set(first, i32(0)))
        code.repeat(() => {
          const middle = code.let('i32', 'middle', least(code.let('i32', 'half', plus(get(first), get(width))), count))
          const end = code.let('i32', 'end', least(code.let('i32', 'both', plus(middle, get(width))), count))
          const address = (n: Node) => plus(get(from), times(n, 4))
          code.emit(
            call(merge, address(get(first)), address(middle), address(end), plus(get(to), times(get(first), 4))),
          )
          code.emit(set(first, end))
          return op('i32.lt_u', get(first), count)
        })
        code.emit(set(other, get(from)), set(from, get(to)), set(to, get(other)))
        code.emit(set(width, times(get(width), 2)))
        return op('i32.lt_u', get(width), count)
      })
      code.if(op('i32.ne', get(from), wanted), () => code.emit(op('memory.copy', wanted, get(from), times(count, 4))))
    })
  })
}

/** `sortPart(from, to, count, scratch)` sorts a few numbers. It may read a few bytes past the last one. */
function defineSortPart(module: ModuleBuilder): Callable {
  const parameters = integers('from', 'to', 'count', 'scratch')
  return module.define('sortPart', parameters, undefined, (code, { from, to, count, scratch }) => {
    const end = code.let('i32', 'end', plus(from, times(count, 4)))
    const registers = Array.from({ length: together }, (_, n) => n)
    const less = registers.map(() => code.local('v128', 'less'))
    code.for('some', from, end, sortBytes, (some) => {
      const numbers = registers.map((n) => code.let('v128', 'numbers', at('v128.load', 16 * n, some)))
      for (const register of less) code.emit(set(register, code.constant('i32x4', 0)))
      code.for('each', from, end, 4, (each) => {
        const other = code.let('v128', 'other', at('v128.load32_splat', 0, each))
        // A condition is -1 where it holds.
        for (const [n, register] of less.entries())
          code.emit(set(register, op('i32x4.sub', get(register), op('i32x4.lt_s', other, numbers[n] as Node))))
      })
      for (const [n, register] of less.entries()) code.emit(at('v128.store', 16 * n, scratch, get(register)))
      const next = code.let('i32', 'next', plus(some, sortBytes))
      const last = code.let('i32', 'last', op('select', next, end, op('i32.lt_u', next, end)))
      const place = code.local('i32', 'place')
      code.emit(set(place, scratch))
      code.for('one', some, last, 4, (one) => {
        code.emit(at('i32.store', 0, plus(to, times(at('i32.load', 0, get(place)), 4)), at('i32.load', 0, one)))
        code.emit(set(place, plus(get(place), 4)))
      })
    })
  })
}

/** `mergeLists(first, middle, end, to)` merges two sorted parts. The second may be empty. */
function defineMerge(module: ModuleBuilder): Callable {
  const parameters = integers('first', 'middle', 'end', 'to')
  return module.define('mergeLists', parameters, undefined, (code, { middle, end }) => {
    const [a, to] = [code.argument('first'), code.argument('to')]
    const b = code.local('i32', 'second')
    code.emit(set(b, middle))
    code.if(op('i32.lt_u', get(b), end), () =>
      code.repeat(() => {
        const x = code.let('i32', 'x', at('i32.load', 0, get(a)))
        const y = code.let('i32', 'y', at('i32.load', 0, get(b)))
        const step = code.let('i32', 'step', times(op('i32.lt_s', x, y), 4))
        code.emit(at('i32.store', 0, get(to), op('select', x, y, step)))
        code.emit(set(a, plus(get(a), step)), set(b, op('i32.sub', plus(get(b), 4), step)), set(to, plus(get(to), 4)))
        return op('i32.and', op('i32.lt_u', get(a), middle), op('i32.lt_u', get(b), end))
      }),
    )
    const left = code.let('i32', 'left', op('i32.sub', middle, get(a)))
    code.emit(op('memory.copy', get(to), get(a), left))
    code.emit(op('memory.copy', plus(get(to), left), get(b), op('i32.sub', end, get(b))))
  })
}
