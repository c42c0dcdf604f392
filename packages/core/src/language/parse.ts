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
import { type CurveScope, curveOfDistance } from './curves.ts'
import { vectorsIn } from './fold-names.ts'
import { vectorFunctions } from './folds.ts'
import type { ValueType } from './functions/definition.ts'
import { type FunctionName, functions } from './functions/table.ts'
import { requireSize } from './limit-size.ts'
import { callText } from './lookups.ts'
import { call, constant, type Expr, negate, symbol, symbolsOf } from './nodes.ts'
import { kinds, readIndices, readLookup } from './syntax/indices.ts'
import { binary, callable, raise, shorthands, unaryStrength } from './syntax/operators.ts'
import { curveIn, indicesOf, type Scope, some } from './syntax/scope.ts'
import { TokenReader } from './syntax/token-reader.ts'
import type { Token } from './syntax/tokens.ts'

interface Typed {
  readonly expr: Expr
  readonly type: ValueType
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
  readonly #read: TokenReader
  readonly #scope: Scope
  /** Token index of each definition's body. */
  readonly #definitions = new Map<string, number>()
  readonly #resolved = new Map<string, Expr>()
  readonly #resolving: string[] = []

  constructor(text: string, scope: Scope) {
    this.#read = new TokenReader(text)
    this.#scope = scope
    this.#collectDefinitions()
  }

  parse(): Expr {
    const start = this.#read.peek()
    const value = this.#number(this.#expression(0), start)
    this.#read.expectEndOfStatement()
    for (const name of this.#definitions.keys()) this.#define(name)
    return value
  }

  #collectDefinitions(): void {
    this.#read.tokens.forEach((token, i) => {
      const [name, equals] = [this.#read.tokens[i + 1], this.#read.tokens[i + 2]]
      if (token.text !== ';' || name?.kind === 'end') return
      if (name?.kind !== 'name' || equals?.text !== '=')
        this.#read.fail('a definition "name = expression"', name ?? token)
      const taken =
        this.#scope.names.includes(name.text) ||
        indicesOf(this.#scope, name.text) !== undefined ||
        curveIn(this.#scope, name.text)
      if (this.#definitions.has(name.text) || taken || name.text === 'pi')
        this.#read.fail(`a new name, as ${describe(name.text)} is already defined`, name)
      this.#definitions.set(name.text, i + 3)
    })
  }

  #define(name: string): Expr {
    const known = this.#resolved.get(name)
    if (known) return known
    const start = this.#definitions.get(name) as number
    if (this.#resolving.includes(name)) {
      const cycle = some([...this.#resolving, name], ' -> ')
      return this.#read.refuse(`${describe(name)} is defined by itself: ${cycle}`, this.#read.tokens[start])
    }
    this.#resolving.push(name)
    const resume = this.#read.next
    this.#read.next = start
    const value = this.#number(this.#expression(0), this.#read.tokens[start] as Token)
    this.#read.expectEndOfStatement()
    this.#read.next = resume
    this.#resolving.pop()
    this.#resolved.set(name, value)
    return value
  }

  #expression(minimum: number): Typed {
    let left = this.#unary()
    for (;;) {
      const token = this.#read.peek()
      const operator = token.kind === 'operator' ? binary[token.text] : undefined
      if (!operator || operator.strength <= minimum) return left
      this.#read.next++
      const right = this.#expression(operator.strength)
      const build = (a: Typed, b: Typed) =>
        operator.build(this.#typed(a, operator.operands, token), this.#typed(b, operator.operands, token))
      left = { expr: build(left, right), type: operator.result }
    }
  }

  #unary(): Typed {
    const token = this.#read.peek()
    if (this.#read.accept('-')) {
      const operand = this.#number(this.#power(), token)
      return { expr: operand.kind === 'constant' ? constant(-operand.value) : negate(operand), type: 'number' }
    }
    if (this.#read.accept('+')) return { expr: this.#number(this.#power(), token), type: 'number' }
    if (this.#read.accept('!')) return { expr: call('not', this.#condition(this.#power())), type: 'condition' }
    return this.#power()
  }

  #power(): Typed {
    const token = this.#read.peek()
    if (token.kind === 'operator' && /^[-+!]$/.test(token.text)) return this.#unary()
    const base = this.#atom()
    const caret = this.#read.peek()
    if (!this.#read.accept('^')) return base
    const exponent = this.#number(this.#expression(unaryStrength), caret)
    return { expr: raise(this.#number(base, caret), exponent), type: 'number' }
  }

  #atom(): Typed {
    const token = this.#read.peek()
    this.#read.next++
    if (token.kind === 'number') {
      const value = Number(token.text)
      if (value === Number.POSITIVE_INFINITY) this.#read.fail('a number below 1.8e308', token)
      return { expr: constant(value), type: 'number' }
    }
    if (token.kind === 'name') {
      const curve = curveIn(this.#scope, token.text)
      if (curve) return { expr: this.#curveCall(token, curve), type: 'number' }
      const isTable = indicesOf(this.#scope, token.text) !== undefined
      if (this.#read.peek().text === '(' && (!isTable || callable.includes(token.text))) return this.#call(token)
      const indexed = this.#read.peek().text === '[' || isTable
      return { expr: indexed ? readLookup(this.#read, this.#scope, token) : this.#name(token), type: 'number' }
    }
    if (token.text === '(') {
      const inner = this.#expression(0)
      this.#read.expect(')')
      return inner
    }
    return this.#read.fail('a number, a name, a function or "("', token)
  }

  #name(token: Token): Expr {
    const name = token.text
    if (name === 'pi') return constant(Math.PI)
    if (this.#definitions.has(name)) return this.#define(name)
    if (this.#scope.names.includes(name)) return symbol(name)
    if (this.#scope.open?.test(name)) {
      const reason = this.#scope.open.refuse?.(name)
      if (reason === undefined) return symbol(name)
      return this.#read.refuse(`the name ${describe(name)} cannot be read: ${reason}`, token)
    }
    const inScope = [...this.#definitions.keys(), ...this.#scope.names, 'pi']
    const open = this.#scope.open ? `, and ${this.#scope.open.describe}` : ''
    return this.#read.refuse(
      callable.includes(name)
        ? `"${name}" is a function: write ${name}(...)`
        : `unknown name ${describe(name)}; names in scope: ${some(inScope)}${open}`,
      token,
      inScope,
    )
  }

  /** A tabulated function: `u(r)`, or `u[kind_i, kind_j](r)`. */
  #curveCall({ text: name }: Token, { indices: count, outside }: CurveScope): Expr {
    const { curve, wholeCalls } = this.#scope
    const form = `${name}${count === 0 ? '' : `[${kinds(count, this.#scope)}]`}(${curve ? 'x' : 'r'})`
    const indices =
      count === 0
        ? []
        : readIndices(this.#read, this.#scope, count, form, `"[", because kinds choose a function: ${form}`)
    const expected = curve
      ? `"(", because a tabulated function takes a number: ${form}`
      : `"(r)", because a tabulated function takes the distance: ${form}`
    this.#read.expect('(', expected)
    const of = this.#read.peek()
    if (!curve && of.text !== 'r') this.#read.fail(expected, of)
    if (!curve) this.#read.next++
    const argument = curve ? this.#number(this.#expression(0), of) : symbol('r')
    this.#read.expect(')', expected)
    if (wholeCalls) return symbol(callText({ table: name, indices }))
    return (curve ?? curveOfDistance)({ name, indices, argument, outside })
  }

  #call(name: Token): Typed {
    if (Object.hasOwn(vectorFunctions, name.text)) return { expr: this.#fold(name), type: 'number' }
    if (!callable.includes(name.text))
      return this.#read.refuse(
        `unknown function ${describe(name.text)}; functions: ${callable.join(', ')}`,
        name,
        callable,
      )
    this.#read.expect('(')
    const args: Typed[] = []
    if (this.#read.peek().text !== ')') {
      do args.push(this.#expression(0))
      while (this.#read.accept(','))
    }
    this.#read.expect(')', args.length ? '"," or ")"' : '")"')

    const shorthand = shorthands[name.text]
    const signature = Object.hasOwn(functions, name.text) ? functions[name.text as FunctionName] : undefined
    const count = signature?.parameters.length as number
    const [least, most] = shorthand?.arity ?? [count, count]
    if (args.length < least || args.length > most)
      this.#read.fail(`${operands(least, most)} for ${name.text}`, name, `${args.length}`)
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
    if (!this.#scope.vectors)
      return this.#read.refuse(
        `${describe(name.text)} is a function of vectors, which laws of pairs read: pairTerm('exp(-sqdist(x_i, y_j))'); elsewhere, give each component as an array of its own, a_i*a_j + b_i*b_j`,
        name,
      )
    if (name.text === 'vector' && this.#scope.vectors !== 'all')
      return this.#read.refuse(
        `"vector" gives a term with a component for each of a vector, which pairTerm and sum take; an energy or a force reads numbers of vectors, such as dot(a_i, b_j)`,
        name,
      )
    this.#read.expect('(')
    const components: Expr[] = []
    do {
      const start = this.#read.peek()
      components.push(this.#component(this.#number(this.#expression(0), start), start))
    } while (this.#read.accept(','))
    this.#read.expect(')')
    if (components.length !== count)
      this.#read.fail(`${operands(count, count)} for ${name.text}`, name, `${components.length}`)
    const [a, b] = components as [Expr, Expr]
    const built = build(a, b)
    if (![...symbolsOf(built)].some((it) => vectorsIn(it)?.length)) {
      const lost = [...symbolsOf(...components)].find((it) => this.#scope.open?.test(it))
      const got = lost === undefined ? 'numbers alone' : `an expression that is the same for any ${lost}`
      this.#read.fail('a vector such as x_i', name, got)
    }
    return built
  }

  /** The operand of a function of vectors: vectors, parameters and numbers. */
  #component(e: Expr, at: Token): Expr {
    const { names, open } = this.#scope
    const parameters = names.filter((name) => !/^(d[xyz]|r2?)$/.test(name))
    const other = [...symbolsOf(e)].find((name) => !parameters.includes(name) && !open?.test(name))
    if (other === undefined) return e
    const what = vectorsIn(other) ? 'another function of vectors' : describe(other)
    return this.#read.fail(
      `vectors, parameters and numbers in a function of vectors; write other numbers outside`,
      at,
      what,
    )
  }

  #typed(value: Typed, type: ValueType, at: Token): Expr {
    return type === 'number' ? this.#number(value, at) : this.#condition(value)
  }

  #number(value: Typed, at: Token): Expr {
    return value.type === 'number'
      ? value.expr
      : this.#read.fail('a number, as in select(condition, a, b)', at, 'a condition')
  }

  /** A number counts as a condition when it is not zero. */
  #condition(value: Typed): Expr {
    return value.type === 'condition' ? value.expr : call('not', call('equal', value.expr, constant(0)))
  }
}
