/**
 * Statements of a kernel's text without a word of their own: assignments to variables and to memory, and calls.
 *
 * @module
 */
import { Expressions } from './expressions.ts'
import type { Value } from './names.ts'
import { any, instruction, nameOf, type Type } from './types.ts'
import { errorAt, type Word } from './words.ts'

/** An assignment behind its target. */
interface Given {
  readonly sign: Word
  readonly given: Value
}

/** Whether a word assigns. */
export const assigns = ({ kind, text }: Word): boolean => kind === 'sign' && /^([-+*/%&|^]|<<|>>)?=$/.test(text)

export class Assignments extends Expressions {
  assignment(): string {
    const word = this.next()
    const type = word.kind === 'name' ? this.scope.type(word.text) : undefined
    if (type) return this.#store(word, type)
    if (word.kind === 'name' && this.sees('(')) {
      const { called, value } = this.scope.find(word.text) ?? {}
      if (!value || called) return `$c.emit(${this.call(word)});`
      this.expect('(')
      return `${this.invoked('run', value.js)};`
    }
    let target: Value
    if (word.kind === 'hole') {
      const hole = `$${word.text}`
      if (this.accept('(')) return `${this.invoked('run', hole)};`
      const local = `${hole}${this.#index()}`
      target = { js: local, local, type: any }
    } else target = this.#variable(word)
    const { local } = target
    const value = this.#assigned(target, this.#given())
    return `$w.put($c,${local},${value});`
  }

  #index(): string {
    if (!this.accept('[')) return ''
    const { js } = this.expression()
    this.expect(']')
    return `[${js}]`
  }

  #variable(word: Word): Value {
    const { value, series } = this.scope.find(word.text) ?? {}
    if (word.kind === 'name' && value?.local) return value
    if (word.kind === 'name' && value?.type === any) {
      const local = `${value.js}${this.#index()}`
      return this.stated({ js: local, local, type: any }, value)
    }
    if (word.kind !== 'name' || !series?.variable)
      throw errorAt(word, `expected a statement or a variable, got "${word.text}"`)
    const local = `${series.js}${this.#index()}`
    return { js: `$w.get(${local})`, local, type: series.type }
  }

  /** The sign and the value of an assignment, behind its target. */
  #given(): Given {
    const sign = this.next()
    if (!assigns(sign)) throw errorAt(sign, `expected "=" or another assignment, got "${sign.text}"`)
    return { sign, given: this.expression() }
  }

  /** JavaScript for the value to assign. */
  #assigned(before: Value, { sign, given }: Given): string {
    const type = before.type === any ? this.own(given) : before.type
    if (sign.text === '=') return this.checked(given, type, sign)
    const typed = { js: this.node(before, type), type }
    return this.checked(this.binary({ ...sign, text: sign.text.slice(0, -1) }, typed, given), type, sign)
  }

  /** `f64[address] = value`, or an instruction that stores. */
  #store(at: Word, type: Type): string {
    const name = this.accept('.') ? this.name() : ''
    const store = name ? instruction(type, name) : this.load(type).replace('.load', '.store')
    if (!store) throw errorAt(at, `expected an instruction of ${type.name}, got "${name}"`)
    if (name && this.accept('(')) {
      const values = this.values().map((value) => this.node(value, this.own(value)))
      return `$c.emit($w.op(${[store, ...values]}));`
    }
    this.expect('[')
    const address = this.address()
    const lane = this.accept(',') ? this.expression().js : undefined
    this.expect(']')
    const before = { js: `$w.access(${this.load(type)},${address})`, type }
    const assigned = this.#given()
    const value = this.#assigned(before, assigned)
    const { sign, given } = assigned
    if (given.lane && !name && sign.text === '=')
      return `$c.emit($w.storeLane(${nameOf(type)},${address},${given.lane}));`
    return lane === undefined
      ? `$c.emit($w.access(${store},${address},${value}));`
      : `$c.emit($w.accessLane(${store},${address},${lane},${value}));`
  }
}
