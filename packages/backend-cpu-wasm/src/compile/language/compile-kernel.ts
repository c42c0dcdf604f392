/**
 * Compiles the text of a kernel to a JavaScript function that writes it into a module.
 *
 * @module
 */
import { Assignments, assigns } from './assignments.ts'
import type { Value } from './names.ts'
import { any, heldAs, i32, number, type Type } from './types.ts'
import { errorAt } from './words.ts'

/** `define` adds functions to a module, `write` adds statements to a function, and `value` ends with an expression. */
export type Kind = 'define' | 'write' | 'value'

/**
 * JavaScript for a function of the module or function to write to, and of the holes. It calls the functions of
 * `kernel-functions.ts` as properties of `$w`.
 *
 * @param parts the text before, between and behind the holes
 * @param names whether locals have their names, which only printed modules show
 */
export function compileKernel(kind: Kind, parts: readonly string[], names: boolean): string {
  const holes = parts.slice(1).map((_, n) => `,$${n}`)
  return `($c${holes.join('')})=>{${new Kernel(parts, names).whole(kind)}}`
}

/** Functions, and statements with a word of their own. */
class Kernel extends Assignments {
  readonly #names: boolean

  constructor(parts: readonly string[], names: boolean) {
    super(parts)
    this.#names = names
  }

  whole(kind: Kind): string {
    this.scope.open()
    let js = ''
    let last = ''
    while (this.peek().kind !== 'end') {
      if (kind === 'define' && this.sees('fn')) [js, last] = [js + this.#function(), this.#last]
      else if (kind === 'define') js += this.#known()
      else if (kind === 'value' && this.#endsWithValue()) last = this.#final()
      else js += this.#statement()
    }
    if (kind !== 'write' && !last) throw this.error(kind === 'define' ? 'a function' : 'an expression')
    return `${this.scope.close()}${js}${last && `return ${last};`}`
  }

  #last = ''

  /** The last arguments of a call, with the names of locals. */
  #named(...names: readonly string[]): string {
    return this.#names ? names.map((name) => `,"${name}"`).join('') : ''
  }

  /** Whether the next word starts the expression at the end of the text. */
  #endsWithValue(): boolean {
    const { kind, text } = this.peek()
    const starts = ['let', 'var', 'const', 'lanes', 'scalar', 'if', 'for', 'unroll', 'while', 'do', 'return']
    if (kind === 'name' && starts.includes(text)) return false
    let depth = 0
    for (let n = 0; ; n++) {
      const word = this.peek(n)
      if (word.kind === 'end') return true
      if (word.kind !== 'sign') continue
      if (/^[([{]$/.test(word.text)) depth++
      if (/^[)\]}]$/.test(word.text)) depth--
      if (depth === 0 && assigns(word)) return false
    }
  }

  #final(): string {
    const value = this.expression()
    if (this.peek().kind !== 'end') throw this.error('the end behind the value')
    return this.node(value, this.own(value))
  }

  #function(): string {
    this.expect('fn')
    const hole = this.peek().kind === 'hole' && this.next().text
    const name = hole ? '' : this.#newName()
    const parameters: { name: string; js: string; type: Type; variable: boolean }[] = []
    this.expect('(')
    this.list(')', () => {
      const variable = this.accept('var')
      const parameter = this.name()
      const type = this.accept(':') ? this.typeName() : i32
      parameters.push({ name: parameter, js: this.scope.unique(parameter), type, variable })
    })
    const result = this.accept('->') ? this.typeName() : undefined
    this.#last = this.scope.unique(name || 'fn')
    if (name)
      this.scope.add(name, { called: { js: this.#last, parameters: parameters.map(({ type }) => type), result } })
    this.scope.open()
    for (const { name: parameter, js, type, variable } of parameters)
      this.scope.add(parameter, { value: { js, type, local: variable ? js : undefined } })
    const body = this.#block()
    this.scope.close()
    const types = parameters.map(({ type }) => heldAs(type))
    const values = parameters.map(({ js }) => `,${js}`).join('')
    const called = hole ? `$${hole}` : `"${name}"`
    const given = `${called},[${types}],${result ? heldAs(result) : '0'},($c${values})=>{${body}}`
    return `const ${this.#last}=$w.define($c,${given}${this.#named(...parameters.map((p) => p.name))});`
  }

  #newName(): string {
    if (this.scope.has(this.peek().text)) throw this.error('a new name')
    return this.name()
  }

  /** JavaScript for the statements of a block. */
  #block(repeated = false, last?: () => string): string {
    this.expect('{')
    this.scope.open(repeated)
    let js = ''
    while (!this.accept('}')) js += this.#statement()
    if (last) js += last()
    return this.scope.close() + js
  }

  #statement(): string {
    const word = this.peek()
    if (this.sees('let') || this.sees('var')) return this.#declaration()
    if (this.sees('const') || this.sees('lanes') || this.sees('scalar')) return this.#known()
    if (this.accept('if')) return this.#if()
    if (this.accept('for')) return this.#for()
    if (this.accept('unroll')) return this.#unroll()
    if (this.accept('while')) {
      const condition = this.checked(this.expression(), i32, word)
      return `$w.loop($c,()=>${condition},()=>{${this.#block()}});`
    }
    if (this.accept('do')) {
      const again = () => {
        this.expect('while')
        return `return ${this.checked(this.expression(), i32, word)};`
      }
      return `$c.repeat(()=>{${this.#block(false, again)}});`
    }
    if (this.accept('return')) {
      const value = this.expression()
      return `$c.return(${this.node(value, this.own(value))});`
    }
    return this.assignment()
  }

  /** A name for an expression, which is computed where the name stands, for a hole, or for a type in a hole. */
  #known(): string {
    const kind = this.next().text
    if (kind === 'const' && this.sees('[', 1)) return this.#knownSeries()
    const name = this.#newName()
    const js = this.scope.unique(name)
    const stated = kind === 'const' && this.accept(':') ? this.typeName() : undefined
    this.expect('=')
    const at = this.peek()
    const value = this.expression()
    if (stated && value.type !== any) throw errorAt(at, `expected a hole of ${stated.name}, got ${value.type.name}`)
    if (kind === 'const') {
      const { local, type } = value
      this.scope.add(name, { value: { js, type, local, ...(stated && { stated }) } })
    } else if (value.type === any) this.scope.add(name, { type: { name, form: kind as 'lanes' | 'scalar', given: js } })
    else throw this.error('a hole with a type')
    return `const ${js}=${value.js};`
  }

  /** `const x[axis] = ...` */
  #knownSeries(): string {
    const name = this.name()
    this.expect('[')
    const { js: index } = this.expression()
    this.expect(']')
    this.expect('=')
    const value = this.expression()
    const type = this.own(value)
    return `${this.scope.series(name, type, false).js}[${index}]=${this.node(value, type)};`
  }

  #declaration(): string {
    const variable = this.next().text === 'var'
    const at = this.peek()
    const name = this.sees('[', 1) ? this.name() : this.#newName()
    const index = this.accept('[') ? this.expression().js : undefined
    if (index !== undefined) this.expect(']')
    const stated = this.accept(':') ? this.typeName() : undefined
    const value = this.sees('=') || !variable ? this.#initial() : undefined
    const type = stated ?? (value && this.own(value))
    if (!type) throw this.error('":" and a type, or "=" and a value')
    const held = heldAs(type)
    const initial = value && this.checked(value, type, at)
    const by = value?.local ? 'copied' : 'kept'
    const named = this.#named(name)
    const local = `$w.local($c,${held}${named})`
    const set = initial ? `$w.put($c,${local},${initial})` : local
    const made = variable ? set : `$w.${by}($c,${held},${initial}${named})`
    if (index === undefined) {
      const js = this.scope.unique(name)
      this.scope.add(name, { value: variable ? { js: `$w.get(${js})`, local: js, type } : { js, type } })
      return `const ${js}=${made};`
    }
    const { js } = this.scope.series(name, type, variable)
    return `${js}[${index}]=${made};`
  }

  #initial(): Value {
    this.expect('=')
    return this.expression()
  }

  #if(): string {
    const at = this.peek()
    const condition = this.expression()
    // Of a known condition, one block is written, and the series in it belong to the block around.
    const known = condition.type === any || condition.type === number
    const then = this.#block(known)
    let otherwise = ''
    if (this.accept('else')) otherwise = this.accept('if') ? this.#if() : this.#block(known)
    const rest = `()=>{${then}}${otherwise && `,()=>{${otherwise}}`});`
    if (known) return `$w.branch($c,${condition.js},${rest}`
    return `$c.if(${this.checked(condition, i32, at)},${rest}`
  }

  #for(): string {
    const name = this.name()
    this.expect('in')
    const at = this.peek()
    const from = this.checked(this.expression(), i32, at)
    this.expect('..')
    const to = this.checked(this.expression(), i32, at)
    const step = this.accept('step') ? this.expression() : { js: '1', type: number }
    if (step.type !== number && step.type !== any) throw this.error('a step that is a number or a hole')
    const js = this.scope.unique(name)
    this.scope.open()
    this.scope.add(name, { value: { js, type: i32 } })
    const body = this.#block()
    this.scope.close()
    return `$w.each($c,${from},${to},${step.js},(${js})=>{${body}}${this.#named(name)});`
  }

  /** A block that is written once for each element of a list. */
  #unroll(): string {
    const name = this.name()
    this.expect('of')
    const list = this.listed()
    const js = this.scope.unique(name)
    this.scope.open(true)
    this.scope.add(name, { value: { js, type: list.type } })
    const body = this.#block(true)
    this.scope.close()
    return `for(const ${js} of ${list.js}){${body}}`
  }
}
