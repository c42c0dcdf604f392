/**
 * Operands of a kernel's text: numbers, names, holes, calls, memory, and instructions by name.
 *
 * @module
 */
import { Names, type Value } from './names.ts'
import { any, heldAs, i32, instruction, nameOf, number, resultOf, type Type, together, typeNamed } from './types.ts'
import { errorAt, Reader, type Word } from './words.ts'

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

export abstract class Operands extends Reader {
  readonly scope: Names = new Names()

  /** A whole expression. */
  abstract expression(): Value

  /** JavaScript for the node of a value of a type. */
  node({ js, type }: Value, wanted: Type): string {
    if (type === number) return this.#constant(js, wanted)
    return type === any ? `$w.node($c,${nameOf(wanted)},${js})` : js
  }

  /** The type that a value has by itself: a number without a type is a whole number. */
  own({ type }: Pick<Value, 'type'>): Type {
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
    const known = value.type === any || value.type === number
    const { base, offset } = value.address ?? { base: known ? value.js : this.checked(value, i32, at), offset: '0' }
    return `${base},${offset}`
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

  #constant(js: string, type: Type): string {
    if (type === i32) return `$w.i32(${js})`
    return `$w.constant($c,${nameOf(type)},${js})`
  }

  instruction(type: Type, name: string, at: Word): string {
    const found = instruction(type, name)
    if (!found) throw errorAt(at, `expected an instruction of ${type.name}, got "${name}"`)
    return found
  }

  /** An expression without operators. */
  operand(): Value {
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

  /** `f64[address]`, `f64x2[lane of lanes: address]`, `f64(value)` or `f64.instruction(values)`. */
  #ofType(at: Word, type: Type): Value {
    if (this.accept('[')) {
      if (type.form === 'lanes' && this.sees('of', 1)) return this.#gathered(type)
      const address = this.address()
      this.expect(']')
      const js = `$w.access(${this.load(type)},${address})`
      return type.form === 'scalar' ? { js, type, place: `${nameOf(type)},${address}` } : { js, type }
    }
    if (this.accept('(')) {
      const value = this.expression()
      this.expect(')')
      if (value.type === number) return { js: this.#constant(value.js, type), type }
      if (type.form === 'lanes' && value.place) return { js: `$w.loadSplat(${value.place})`, type }
      if (type.form === 'lanes') return { js: `$w.splat($c,${nameOf(type)},${value.js})`, type }
      const from = value.type
      if (from.form === 'scalar' && from !== i32 && type !== i32)
        return { js: `$w.convert(${nameOf(type)},${nameOf(from)},${value.js})`, type }
      throw errorAt(at, `expected a number that ${type.name} can hold, got ${from.name}; name the instruction`)
    }
    this.expect('.')
    return this.#named(at, type)
  }

  /** A register of numbers, each at an address of its own. */
  #gathered(type: Type): Value {
    const { list, made } = this.#each(() => `[${this.address()}]`, ']')
    return { js: `$w.loadLanes($c,${nameOf(type)},${list}.map(${made}))`, type }
  }

  load(type: Type): string {
    return type.given && type.form === 'scalar' ? `${type.given}+".load"` : `${heldAs(type).slice(0, -1)}.load"`
  }

  /** An instruction by its name. */
  #named(at: Word, type: Type): Value {
    const name = this.name()
    const js = this.instruction(type, name, at)
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
    return { js: `$w.op(${this.instruction(type, word.text, word)},${nodes})`, type: resultOf(type, word.text) }
  }

  /** `lane(register, 0)`. */
  #lane(word: Word, [register, lane]: readonly Value[]): Value {
    if (register?.type.form !== 'lanes' || !lane)
      throw errorAt(word, 'expected lane(register, number), where the type of lanes is known')
    const js = this.instruction(register.type, 'extract_lane', word)
    return {
      js: `$w.laned(${js},[${lane.js}],${register.js})`,
      type: resultOf(register.type, 'extract_lane'),
      lane: `${lane.js},${register.js}`,
    }
  }

  /** `sum(axis of axes: gap[axis])`. */
  #fold(word: Word): Value {
    this.expect('(')
    let type: Type = any
    const { list, made } = this.#each(() => {
      const value = this.expression()
      type = this.own(value)
      return this.node(value, type)
    }, ')')
    const bits = type.form !== 'scalar' && /^(all|any)$/.test(word.text)
    const by = this.instruction(bits ? typeNamed('v128') : type, foldsOf[word.text] as string, word)
    return { js: `$w.joined(${by},${list}.map(${made}))`, type }
  }

  /** `name of list: each`, up to the closing sign: JavaScript for the list, and for the function of each element. */
  #each(each: () => string, close: string): { readonly list: string; readonly made: string } {
    const name = this.name()
    this.expect('of')
    const list = this.listed()
    this.expect(':')
    this.scope.open(true)
    const own = this.scope.unique(name)
    this.scope.add(name, { value: { js: own, type: list.type } })
    const js = each()
    this.scope.close()
    this.expect(close)
    return { list: list.js, made: `(${own})=>${js}` }
  }

  /** A list that is known when the module is written: a hole, or `0..count`. Its type is that of its elements. */
  listed(): Value {
    const from = this.expression()
    if (!this.accept('..')) return from
    return { js: `$w.range(${from.js},${this.expression().js})`, type: number }
  }
}
