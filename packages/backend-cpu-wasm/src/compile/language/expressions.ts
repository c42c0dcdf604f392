/**
 * Expressions of a kernel's text, which become JavaScript that makes nodes.
 *
 * @module
 */
import { Names, type Value } from './names.ts'
import {
  any,
  heldAs,
  i32,
  instruction,
  nameOf,
  number,
  resultOf,
  signed,
  type Type,
  together,
  typeNamed,
} from './types.ts'
import { errorAt, Reader, type Word } from './words.ts'

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
const foldsOf: Readonly<Record<string, string>> = {
  sum: 'add',
  product: 'mul',
  min: 'min',
  max: 'max',
  pmin: 'pmin',
  pmax: 'pmax',
  all: 'and',
  any: 'or',
}

export class Expressions extends Reader {
  readonly scope: Names = new Names()

  /** A whole expression. */
  expression(): Value {
    const condition = this.#level(0)
    if (!this.sees('?')) return condition
    const sign = this.next()
    const a = this.expression()
    this.expect(':')
    const b = this.expression()
    const type = this.#both(sign, a, b)
    const [x, y] = [this.node(a, type), this.node(b, type)]
    const known = condition.type === any || condition.type === number
    const js = known ? `$w.choice(${condition.js},${x},${y})` : `$w.op("select",${x},${y},${this.node(condition, i32)})`
    return { js, type }
  }

  /** JavaScript for the node of a value of a type. */
  node({ js, type }: Value, wanted: Type): string {
    if (type === number) return this.#constant(js, wanted)
    return type === any ? `$w.node($c,${nameOf(wanted)},${js})` : js
  }

  /** The type that a value has by itself: a number without a type is a whole number. */
  own({ type }: Value): Type {
    return type === number || type === any ? i32 : type
  }

  /** A hole with the type that a text states for it, for its elements, or for the results of its calls. */
  stated(value: Value, { stated }: Value): Value {
    return stated ? { ...value, js: this.node(value, stated), type: stated } : value
  }

  /** The name of a type. */
  typeName(): Type {
    const type = this.scope.type(this.peek().text)
    if (!type) throw this.error('a type')
    this.next()
    return type
  }

  /** A value of a type, or an error at a word. */
  checked(value: Value, type: Type, at: Word): string {
    if (together(value.type, type) === undefined)
      throw errorAt(at, `expected ${type.name}, got ${value.type.name}; convert it, as in ${type.name}(x)`)
    return this.node(value, type)
  }

  /** The address in brackets, which have been opened, as arguments for `access`. */
  address(): string {
    const at = this.peek()
    const value = this.expression()
    const { base, offset } = value.address ?? { base: this.checked(value, i32, at), offset: '0' }
    return `${base},${offset}`
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
    const name = this.#instruction(chosen.type, chosen.name, sign)
    const js = `$w.op(${name},${this.node(a, own)},${this.node(b, shifts ? i32 : own)})`
    const result = resultOf(own, chosen.name)
    return { js, type: result }
  }

  /** Values in parentheses, which have been opened, and JavaScript for those that go to functions of TypeScript. */
  values(): Value[] {
    const values: Value[] = []
    this.list(')', () => values.push(this.expression()))
    return values
  }

  /** A call of what is in a hole. */
  invoked(by: 'invoke' | 'run', callee: string): string {
    return `$w.${by}($c,${callee},[${this.values().map(({ js }) => js)}])`
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

  #constant(js: string, type: Type): string {
    if (type === i32) return `$w.i32(${js})`
    return `$w.constant($c,${nameOf(type)},${js})`
  }

  #instruction(type: Type, name: string, at: Word): string {
    const found = instruction(type, name)
    if (!found) throw errorAt(at, `expected an instruction of ${type.name}, got "${name}"`)
    return found
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
      return { js: `$w.op(${this.#instruction(value.type, 'neg', sign)},${value.js})`, type: value.type }
    }
    if (this.accept('!')) return { js: `$w.op("i32.eqz",${this.checked(this.#unary(), i32, sign)})`, type: i32 }
    if (this.accept('~')) {
      const value = this.#unary()
      return { js: `$w.op("v128.not",${value.js})`, type: value.type }
    }
    let value = this.#primary()
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

  #primary(): Value {
    if (this.accept('(')) {
      const inner = this.expression()
      this.expect(')')
      return inner
    }
    const word = this.next()
    if (word.kind === 'number') return { js: word.text, type: number }
    if (word.kind === 'hole') return this.#postfix({ js: `$${word.text}`, type: any })
    if (word.kind !== 'name') throw errorAt(word, `expected a value, got "${word.text}"`)
    const type = this.scope.type(word.text)
    if (type) return this.#ofType(word, type)
    if (word.text in foldsOf && this.sees('(') && this.sees('of', 2)) return this.#fold(word)
    const { value, called, series } = this.scope.find(word.text) ?? {}
    if (series) {
      // Without an index, all of it goes to a function of TypeScript.
      if (!this.accept('[')) return { js: series.js, type: any }
      const js = `${series.js}[${this.expression().js}]`
      this.expect(']')
      return series.variable ? { js: `$w.get(${js})`, local: js, type: series.type } : { js, type: series.type }
    }
    if (called) return { js: this.call(word), type: called.result ?? i32 }
    if (value) return value.type === any ? this.stated(this.#postfix({ js: value.js, type: any }), value) : value
    if (word.text === 'infinity') return { js: 'Infinity', type: number }
    if (word.text === 'nan') return { js: 'NaN', type: number }
    if (this.accept('(')) return this.#builtIn(word)
    throw errorAt(word, `expected a known name, got "${word.text}"`)
  }

  /** JavaScript for a call of a function of the text, whose name was read. */
  call(name: Word): string {
    const { called } = this.scope.find(name.text) ?? {}
    if (!called) throw errorAt(name, `expected a function, got "${name.text}"`)
    this.expect('(')
    const values: string[] = []
    this.list(')', () => {
      const at = this.peek()
      values.push(this.checked(this.expression(), called.parameters[values.length] ?? any, at))
    })
    if (values.length !== called.parameters.length)
      throw errorAt(name, `expected ${called.parameters.length} values for ${name.text}, got ${values.length}`)
    return `$w.call(${[called.js, ...values]})`
  }

  /** A hole, an element of a list in it, or a call of what is in it. */
  #postfix(value: Value): Value {
    if (this.accept('(')) return this.#postfix({ js: this.invoked('invoke', value.js), type: any })
    if (!this.accept('[')) return value
    const js = `${value.js}[${this.expression().js}]`
    this.expect(']')
    return this.#postfix({ js, type: any })
  }

  /** `f64[address]`, `f64(value)` or `f64.instruction(values)`. */
  #ofType(at: Word, type: Type): Value {
    if (this.accept('[')) {
      const address = this.address()
      this.expect(']')
      return { js: `$w.access(${this.load(type)},${address})`, type }
    }
    if (this.accept('(')) {
      const value = this.expression()
      this.expect(')')
      if (value.type === number) return { js: this.#constant(value.js, type), type }
      if (type.form === 'lanes') return { js: `$w.splat($c,${nameOf(type)},${value.js})`, type }
      const from = value.type
      if (from.form === 'scalar' && from !== i32 && type !== i32)
        return { js: `$w.convert(${nameOf(type)},${nameOf(from)},${value.js})`, type }
      throw errorAt(at, `expected a number that ${type.name} can hold, got ${from.name}; name the instruction`)
    }
    this.expect('.')
    return this.#named(at, type)
  }

  load(type: Type): string {
    return type.given && type.form === 'scalar' ? `${type.given}+".load"` : `${heldAs(type).slice(0, -1)}.load"`
  }

  /** An instruction by its name. */
  #named(at: Word, type: Type): Value {
    const name = this.name()
    const js = this.#instruction(type, name, at)
    const result = resultOf(type, name)
    if (this.accept('[')) {
      const address = this.address()
      if (!this.accept(',')) {
        this.expect(']')
        return { js: `$w.access(${js},${address})`, type: result }
      }
      const lane = this.expression().js
      this.expect(',')
      const register = this.node(this.expression(), result)
      this.expect(']')
      return { js: `$w.accessLane(${js},${address},${lane},${register})`, type: result }
    }
    this.expect('(')
    const values = this.values()
    const immediate = (_: Value, n: number) => (name === 'shuffle' ? n > 1 : name.endsWith('_lane') && n === 1)
    const lanes = values.filter(immediate).map(({ js }) => js)
    const others = values
      .filter((value, n) => !immediate(value, n))
      .map((value) => this.node(value, value.type === number || value.type === any ? type : value.type))
    const start = lanes.length > 0 ? `$w.laned(${js},[${lanes}]` : `$w.op(${js}`
    return { js: `${[start, ...others]})`, type: result }
  }

  /** An instruction of the type of the first value: `max(a, b)`. */
  #builtIn(word: Word): Value {
    const values = this.values()
    if (word.text === 'lane') return this.#lane(word, values)
    const typed = values.find((value) => value.type !== number && value.type !== any)
    const type = typed?.type ?? i32
    const nodes = values.map((value) => this.checked(value, type, word))
    if (type === i32 && (word.text === 'min' || word.text === 'max'))
      return { js: `$w.extreme($c,"i32.${word.text === 'min' ? 'l' : 'g'}t_u",${nodes})`, type }
    return { js: `$w.op(${this.#instruction(type, word.text, word)},${nodes})`, type: resultOf(type, word.text) }
  }

  /** `lane(register, 0)`. */
  #lane(word: Word, [register, lane]: readonly Value[]): Value {
    if (register?.type.form !== 'lanes' || !lane)
      throw errorAt(word, 'expected lane(register, number), where the type of lanes is known')
    const js = this.#instruction(register.type, 'extract_lane', word)
    return { js: `$w.laned(${js},[${lane.js}],${register.js})`, type: resultOf(register.type, 'extract_lane') }
  }

  /** `sum(axis of axes: gap[axis])`. */
  #fold(word: Word): Value {
    this.expect('(')
    const name = this.name()
    this.expect('of')
    const list = this.listed()
    this.expect(':')
    this.scope.open(true)
    const own = this.scope.unique(name)
    this.scope.add(name, { value: { js: own, type: list.type } })
    const value = this.expression()
    this.scope.close()
    this.expect(')')
    const type = this.own(value)
    const bits = type.form !== 'scalar' && /^(all|any)$/.test(word.text)
    const by = this.#instruction(bits ? typeNamed('v128') : type, foldsOf[word.text] as string, word)
    return { js: `$w.joined(${by},${list.js}.map((${own})=>${this.node(value, type)}))`, type }
  }

  /** A list that is known when the module is written: a hole, or `0..count`. Its type is that of its elements. */
  listed(): Value {
    const from = this.expression()
    if (!this.accept('..')) return from
    return { js: `$w.range(${from.js},${this.expression().js})`, type: number }
  }
}
