/**
 * Operators of a kernel's text. Expressions become JavaScript that makes nodes.
 *
 * @module
 */
import type { Value } from './names.ts'
import { Operands } from './operands.ts'
import { any, i32, number, resultOf, signed, type Type, together } from './types.ts'
import { errorAt, type Word } from './words.ts'

const levels = [
  ['||'],
  ['&&'],
  ['==', '!=', '<', '<=', '>', '>='],
  ['|'],
  ['^'],
  ['&'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]

export class Expressions extends Operands {
  expression(): Value {
    const condition = this.#level(0)
    if (!this.sees('?')) return condition
    const sign = this.next()
    const a = this.expression()
    this.expect(':')
    const b = this.expression()
    const type = this.own({ type: this.#both(sign, a, b) })
    const [x, y] = [this.node(a, type), this.node(b, type)]
    const known = condition.type === any || condition.type === number
    const js = known ? `$w.choice(${condition.js},${x},${y})` : `$w.op("select",${x},${y},${this.node(condition, i32)})`
    return { js, type }
  }

  binary(sign: Word, a: Value, b: Value): Value {
    const known = [a, b].every(({ type }) => type === number)
    if (known) return { js: `(${a.js}${sign.text.replace(/^[=!]=$/, '$&=')}${b.js})`, type: number }
    const shifts = sign.text === '<<' || sign.text === '>>'
    const type = shifts ? this.own(a) : this.#both(sign, a, b)
    if (/^[&|]{2}$/.test(sign.text) && type !== any && type !== i32)
      throw errorAt(sign, `expected conditions beside "${sign.text}", got ${type.name}; lanes have & and |`)
    const own = type === any ? i32 : type
    const chosen = signed(sign.text, own)
    if (own === i32 && (a.type === any || b.type === any)) {
      const typed = { js: `$w.${type === any ? 'whole' : 'counted'}("${chosen.name}",${a.js},${b.js})`, type }
      return sign.text === '+' ? this.#sum(a, b, typed) : typed
    }
    if (type === i32 && sign.text === '+') {
      const right = b.type === number ? b.js : this.node(b, i32)
      return this.#sum(a, b, { js: `$w.plus(${this.node(a, i32)},${right})`, type })
    }
    if (type === i32 && sign.text === '*' && b.type === number)
      return { js: `$w.times(${this.node(a, i32)},${b.js})`, type: i32 }
    const name = this.instruction(chosen.type, chosen.name, sign)
    const js = `$w.op(${name},${this.node(a, own)},${this.node(b, shifts ? i32 : own)})`
    const result = resultOf(own, chosen.name)
    return { js, type: result }
  }

  /** A sum, which remembers that it ends with a known offset. */
  #sum(a: Value, b: Value, sum: Value): Value {
    if (b.type !== number && b.type !== any) return sum
    const { base, offset } = a.address ?? {}
    if (base !== undefined) return { ...sum, address: { base, offset: `$w.whole("add",${offset},${b.js})` } }
    return { ...sum, address: { base: a.type === any ? a.js : this.node(a, i32), offset: b.js } }
  }

  #both(sign: Word, a: Value, b: Value): Type {
    const type = together(a.type, b.type)
    if (!type) throw errorAt(sign, `expected two values of one type, got ${a.type.name} and ${b.type.name}`)
    return type
  }

  #level(level: number): Value {
    const signs = levels[level]
    if (!signs) return this.#unary()
    let left = this.#level(level + 1)
    while (signs.some((sign) => this.sees(sign))) left = this.binary(this.next(), left, this.#level(level + 1))
    return left
  }

  #unary(): Value {
    const sign = this.peek()
    if (this.accept('-')) {
      const value = this.#unary()
      if (value.type === number) return { js: `(-${value.js})`, type: number }
      if (value.type.form === 'any' || value.type === i32)
        return this.binary({ ...sign, text: '-' }, { js: '0', type: number }, value)
      return { js: `$w.op(${this.instruction(value.type, 'neg', sign)},${value.js})`, type: value.type }
    }
    if (this.accept('!')) return { js: `$w.op("i32.eqz",${this.checked(this.#unary(), i32, sign)})`, type: i32 }
    if (this.accept('~')) {
      const value = this.#unary()
      return { js: `$w.op("v128.not",${value.js})`, type: value.type }
    }
    let value = this.operand()
    while (this.accept('as')) {
      const at = this.peek()
      const type = this.typeName()
      const registers = value.type.form === 'lanes' && type.form !== 'scalar'
      if (!registers && !together(value.type, type))
        throw errorAt(at, `expected a type with the bits of ${value.type.name}, got ${type.name}`)
      value = { js: this.node(value, type), type }
    }
    return value
  }
}
