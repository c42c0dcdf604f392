/**
 * Parses the expression language into trees, by precedence climbing.
 *
 * An expression may be followed by definitions, as in OpenMM: `"a + b; a = 2*b; b = x_j"`, in any order.
 * Operators, loosest first: `||`, `&&`, comparisons, `+ -`, `* /`, unary `- !`, `^` (right associative).
 * Errors carry line, column and what was expected. An error about an unknown name lists the known ones.
 *
 * @module
 */
import { describe, unexpected } from '../ground/checks.ts'
import { ExpressionError } from '../ground/errors.ts'
import { type CurveCall, type CurveScope, curveOfDistance } from './curves.ts'
import { vectorsIn } from './fold-names.ts'
import { vectorFunctions } from './folds.ts'
import type { ValueType } from './functions/definition.ts'
import { type FunctionName, functions } from './functions/table.ts'
import { requireSize } from './limit-size.ts'
import { callText, lookupName } from './lookups.ts'
import { call, constant, type Expr, negate, symbol, symbolsOf } from './nodes.ts'
import { binary, callable, raise, shorthands, unaryStrength } from './syntax/operators.ts'
import { type Token, tokenize } from './syntax/tokens.ts'

/** The names that an expression may use. */
export interface Scope {
  readonly names: readonly string[]
  /** Whether another name is allowed, and how such names look, for the message if one is not. */
  readonly open?: {
    readonly test: (name: string) => boolean
    readonly describe: string
    /** Why a name is not allowed although it looks right. */
    readonly refuse?: (name: string) => string | undefined
  }
  /** Tables by name, with their number of indices. Names that are open index them. */
  readonly tables?: Readonly<Record<string, 1 | 2>>
  /** Tabulated functions by name. */
  readonly functions?: Readonly<Record<string, CurveScope>>
  /** The value of their calls, whose argument may then be any expression. By default they take the distance `r` of a pair. */
  readonly curve?: (call: CurveCall) => Expr
  /** Whether calls at the distance stay whole: a symbol with the text of the call, which has no derivative. */
  readonly wholeCalls?: boolean
  /**
   * Whether names that are open may be vectors, which `dot`, `sqdist`, `norm` and `sum` turn into numbers, and `vector` into a term with
   * components, where `all` allows it.
   */
  readonly vectors?: 'numbers' | 'all'
}

interface Typed {
  readonly expr: Expr
  readonly type: ValueType
}

/** Names for a message: all of them, or some if a text defines very many. */
function some(names: readonly string[], between = ', '): string {
  const most = 50
  const shown = names.length > most ? [...names.slice(0, most), `${names.length - most} more`] : names
  return shown.map((name) => (name.length > 64 ? `${name.slice(0, 61)}...` : name)).join(between)
}

/** How many operands a function takes, for a message. */
function operands(least: number, most: number): string {
  if (least === most) return `${least} operand${least === 1 ? '' : 's'}`
  return `${least} ${most === least + 1 ? 'or' : 'to'} ${most} operands`
}

/** Parses `text` with the names of `scope`; definitions are substituted, `pi` is known. */
export function parse(text: string, scope: Scope): Expr {
  if (typeof text !== 'string') throw unexpected('expression', 'text', text)
  const e = new Parser(text, scope).parse()
  requireSize(e, text)
  return e
}

class Parser {
  readonly #tokens: readonly Token[]
  /** Token index of each definition's body. */
  readonly #definitions = new Map<string, number>()
  readonly #resolved = new Map<string, Expr>()
  readonly #resolving: string[] = []
  #next = 0

  constructor(
    readonly text: string,
    readonly scope: Scope,
  ) {
    this.#tokens = tokenize(text)
    this.#collectDefinitions()
  }

  parse(): Expr {
    const start = this.#peek()
    const value = this.#number(this.#expression(0), start)
    this.#expectEndOfStatement()
    for (const name of this.#definitions.keys()) this.#define(name)
    return value
  }

  #collectDefinitions(): void {
    this.#tokens.forEach((token, i) => {
      const [name, equals] = [this.#tokens[i + 1], this.#tokens[i + 2]]
      if (token.text !== ';' || name?.kind === 'end') return
      if (name?.kind !== 'name' || equals?.text !== '=') this.#fail('a definition "name = expression"', name ?? token)
      const taken =
        this.scope.names.includes(name.text) || this.#indicesOf(name.text) !== undefined || this.#curve(name.text)
      if (this.#definitions.has(name.text) || taken || name.text === 'pi')
        this.#fail(`a new name, as ${describe(name.text)} is already defined`, name)
      this.#definitions.set(name.text, i + 3)
    })
  }

  #define(name: string): Expr {
    const known = this.#resolved.get(name)
    if (known) return known
    const start = this.#definitions.get(name) as number
    if (this.#resolving.includes(name)) {
      const cycle = some([...this.#resolving, name], ' -> ')
      throw new ExpressionError(
        `${describe(name)} is defined by itself: ${cycle}`,
        this.text,
        this.#tokens[start]?.offset ?? 0,
      )
    }
    this.#resolving.push(name)
    const resume = this.#next
    this.#next = start
    const value = this.#number(this.#expression(0), this.#tokens[start] as Token)
    this.#expectEndOfStatement()
    this.#next = resume
    this.#resolving.pop()
    this.#resolved.set(name, value)
    return value
  }

  #expression(minimum: number): Typed {
    let left = this.#unary()
    for (;;) {
      const token = this.#peek()
      const operator = token.kind === 'operator' ? binary[token.text] : undefined
      if (!operator || operator.strength <= minimum) return left
      this.#next++
      const right = this.#expression(operator.strength)
      const build = (a: Typed, b: Typed) =>
        operator.build(this.#typed(a, operator.operands, token), this.#typed(b, operator.operands, token))
      left = { expr: build(left, right), type: operator.result }
    }
  }

  #unary(): Typed {
    const token = this.#peek()
    if (this.#accept('-')) {
      const operand = this.#number(this.#power(), token)
      return { expr: operand.kind === 'constant' ? constant(-operand.value) : negate(operand), type: 'number' }
    }
    if (this.#accept('+')) return { expr: this.#number(this.#power(), token), type: 'number' }
    if (this.#accept('!')) return { expr: call('not', this.#condition(this.#power())), type: 'condition' }
    return this.#power()
  }

  #power(): Typed {
    const token = this.#peek()
    if (token.kind === 'operator' && /^[-+!]$/.test(token.text)) return this.#unary()
    const base = this.#atom()
    const caret = this.#peek()
    if (!this.#accept('^')) return base
    const exponent = this.#number(this.#expression(unaryStrength), caret)
    return { expr: raise(this.#number(base, caret), exponent), type: 'number' }
  }

  #atom(): Typed {
    const token = this.#peek()
    this.#next++
    if (token.kind === 'number') {
      const value = Number(token.text)
      if (value === Number.POSITIVE_INFINITY) this.#fail('a number below 1.8e308', token)
      return { expr: constant(value), type: 'number' }
    }
    if (token.kind === 'name') {
      const curve = this.#curve(token.text)
      if (curve) return { expr: this.#curveCall(token, curve), type: 'number' }
      if (this.#peek().text === '(') return this.#call(token)
      const indexed = this.#peek().text === '[' || this.#indicesOf(token.text) !== undefined
      return { expr: indexed ? this.#lookup(token) : this.#name(token), type: 'number' }
    }
    if (token.text === '(') {
      const inner = this.#expression(0)
      this.#expect(')')
      return inner
    }
    return this.#fail('a number, a name, a function or "("', token)
  }

  #name(token: Token): Expr {
    const name = token.text
    if (name === 'pi') return constant(Math.PI)
    if (this.#definitions.has(name)) return this.#define(name)
    if (this.scope.names.includes(name)) return symbol(name)
    if (this.scope.open?.test(name)) {
      const reason = this.scope.open.refuse?.(name)
      if (reason === undefined) return symbol(name)
      throw new ExpressionError(`the name ${describe(name)} cannot be read: ${reason}`, this.text, token.offset)
    }
    const inScope = [...this.#definitions.keys(), ...this.scope.names, 'pi']
    const open = this.scope.open ? `, and ${this.scope.open.describe}` : ''
    throw new ExpressionError(
      callable.includes(name)
        ? `"${name}" is a function: write ${name}(...)`
        : `unknown name ${describe(name)}; names in scope: ${some(inScope)}${open}`,
      this.text,
      token.offset,
      inScope,
    )
  }

  #indicesOf(name: string): number | undefined {
    const { tables = {} } = this.scope
    return Object.hasOwn(tables, name) ? tables[name] : undefined
  }

  #curve(name: string): CurveScope | undefined {
    const { functions: curves = {} } = this.scope
    return Object.hasOwn(curves, name) ? curves[name] : undefined
  }

  /** A tabulated function: `u(r)`, or `u[kind_i, kind_j](r)`. */
  #curveCall({ text: name }: Token, { indices: count, outside }: CurveScope): Expr {
    const { curve, wholeCalls } = this.scope
    const form = `${name}${count === 0 ? '' : `[${this.#kinds(count)}]`}(${curve ? 'x' : 'r'})`
    const indices = count === 0 ? [] : this.#indices(count, form, `"[", because kinds choose a function: ${form}`)
    const expected = curve
      ? `"(", because a tabulated function takes a number: ${form}`
      : `"(r)", because a tabulated function takes the distance: ${form}`
    this.#expect('(', expected)
    const of = this.#peek()
    if (!curve && of.text !== 'r') this.#fail(expected, of)
    if (!curve) this.#next++
    const argument = curve ? this.#number(this.#expression(0), of) : symbol('r')
    this.#expect(')', expected)
    if (wholeCalls) return symbol(callText({ table: name, indices }))
    return (curve ?? curveOfDistance)({ name, indices, argument, outside })
  }

  /** A number of a table: `epsilon[kind_i, kind_j]`. */
  #lookup({ text: table, offset }: Token): Expr {
    const count = this.#indicesOf(table)
    if (count === undefined) {
      const tables = Object.keys(this.scope.tables ?? {})
      throw new ExpressionError(
        `${describe(table)} is not a table, and only tables have indices; tables: ${some(tables) || 'none'}`,
        this.text,
        offset,
        tables,
      )
    }
    const form = `${table}[${this.#kinds(count)}]`
    return symbol(
      lookupName({ table, indices: this.#indices(count, form, `"[", because a table needs indices: ${form}`) }),
    )
  }

  /** Indices for a message. */
  #kinds(count: number): string {
    return this.scope.curve ? 'kind' : ['kind_i', 'kind_j'].slice(0, count).join(', ')
  }

  /** Attributes in brackets. @param expected the words for an error, if there are none */
  #indices(count: number, form: string, expected: string): readonly string[] {
    this.#expect('[', expected)
    const indices: string[] = []
    do {
      const index = this.#peek()
      const { test, refuse } = this.scope.open ?? {}
      if (index.kind !== 'name' || !test?.(index.text) || refuse?.(index.text) !== undefined)
        this.#fail(`an attribute as an index, as in ${form}`, index)
      this.#next++
      indices.push(index.text)
    } while (this.#accept(','))
    const close = this.#peek()
    this.#expect(']', `"]", as in ${form}`)
    if (indices.length !== count)
      this.#fail(`${count === 1 ? '1 index' : '2 indices'}, as in ${form}`, close, `${indices.length}`)
    return indices
  }

  #call(name: Token): Typed {
    if (Object.hasOwn(vectorFunctions, name.text)) return { expr: this.#fold(name), type: 'number' }
    if (!callable.includes(name.text))
      throw new ExpressionError(
        `unknown function ${describe(name.text)}; functions: ${callable.join(', ')}`,
        this.text,
        name.offset,
        callable,
      )
    this.#expect('(')
    const args: Typed[] = []
    if (this.#peek().text !== ')') {
      do args.push(this.#expression(0))
      while (this.#accept(','))
    }
    this.#expect(')', args.length ? '"," or ")"' : '")"')

    const shorthand = shorthands[name.text]
    const signature = Object.hasOwn(functions, name.text) ? functions[name.text as FunctionName] : undefined
    const count = signature?.parameters.length as number
    const [least, most] = shorthand?.arity ?? [count, count]
    if (args.length < least || args.length > most)
      this.#fail(`${operands(least, most)} for ${name.text}`, name, `${args.length}`)
    const exprs = args.map((arg, i) =>
      this.#typed(arg, shorthand ? 'number' : (signature?.parameters[i] as ValueType), name),
    )
    const [first, ...others] = exprs as [Expr, ...Expr[]]
    return {
      expr: shorthand ? shorthand.build(first, ...others) : call(name.text as FunctionName, ...exprs),
      type: 'number',
    }
  }

  /** A number of vectors: `dot(a_i, b_j)`. */
  #fold(name: Token): Expr {
    const { operands: count, build } = vectorFunctions[name.text] as (typeof vectorFunctions)[string]
    if (!this.scope.vectors)
      throw new ExpressionError(
        `${describe(name.text)} is a function of vectors, which laws of pairs read: pairTerm('exp(-sqdist(x_i, y_j))'); elsewhere, give each component as an array of its own, a_i*a_j + b_i*b_j`,
        this.text,
        name.offset,
      )
    if (name.text === 'vector' && this.scope.vectors !== 'all')
      throw new ExpressionError(
        `"vector" gives a term with a component for each of a vector, which pairTerm and sum take; an energy or a force reads numbers of vectors, such as dot(a_i, b_j)`,
        this.text,
        name.offset,
      )
    this.#expect('(')
    const components: Expr[] = []
    do {
      const start = this.#peek()
      components.push(this.#component(this.#number(this.#expression(0), start), start))
    } while (this.#accept(','))
    this.#expect(')')
    if (components.length !== count)
      this.#fail(`${operands(count, count)} for ${name.text}`, name, `${components.length}`)
    const [a, b] = components as [Expr, Expr]
    const built = build(a, b)
    if (![...symbolsOf(built)].some((it) => vectorsIn(it)?.length)) {
      const lost = [...symbolsOf(...components)].find((it) => this.scope.open?.test(it))
      const got = lost === undefined ? 'numbers alone' : `an expression that is the same for any ${lost}`
      this.#fail('a vector such as x_i', name, got)
    }
    return built
  }

  /** The operand of a function of vectors: vectors, parameters and numbers. */
  #component(e: Expr, at: Token): Expr {
    const { names, open } = this.scope
    const parameters = names.filter((name) => !/^(d[xyz]|r2?)$/.test(name))
    const other = [...symbolsOf(e)].find((name) => !parameters.includes(name) && !open?.test(name))
    if (other === undefined) return e
    const what = vectorsIn(other) ? 'another function of vectors' : describe(other)
    return this.#fail(`vectors, parameters and numbers in a function of vectors; write other numbers outside`, at, what)
  }

  #typed(value: Typed, type: ValueType, at: Token): Expr {
    return type === 'number' ? this.#number(value, at) : this.#condition(value)
  }

  #number(value: Typed, at: Token): Expr {
    return value.type === 'number'
      ? value.expr
      : this.#fail('a number, as in select(condition, a, b)', at, 'a condition')
  }

  /** A number counts as a condition when it is not zero. */
  #condition(value: Typed): Expr {
    return value.type === 'condition' ? value.expr : call('not', call('equal', value.expr, constant(0)))
  }

  #peek(): Token {
    return this.#tokens[this.#next] as Token
  }

  #accept(text: string): boolean {
    const token = this.#peek()
    if (token.kind !== 'operator' || token.text !== text) return false
    this.#next++
    return true
  }

  #expect(text: string, expected = `"${text}"`): void {
    if (!this.#accept(text)) this.#fail(expected, this.#peek())
  }

  #expectEndOfStatement(): void {
    const token = this.#peek()
    if (token.kind !== 'end' && token.text !== ';') this.#fail('an operator, ";" or the end', token)
  }

  #fail(expected: string, at: Token, found = at.kind === 'end' ? at.text : describe(at.text)): never {
    throw new ExpressionError(`expected ${expected}, got ${found}`, this.text, at.offset, [expected])
  }
}
