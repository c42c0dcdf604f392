/**
 * The names of a kernel's text, and JavaScript for their values.
 *
 * @module
 */
import { type Type, types } from './types.ts'

/** A value while the text is compiled. */
export interface Value {
  readonly js: string
  readonly type: Type
  /** JavaScript for the local, if the value is a variable. */
  readonly local?: string | undefined
  /** The type that a text states for a hole. */
  readonly stated?: Type
  /** JavaScript for the parts of an address, if the value ends with a known offset. */
  readonly address?: { readonly base: string; readonly offset: string }
  /** JavaScript for the arguments of `access`, if the value is a number in memory. */
  readonly place?: string
  /** JavaScript for the number of a lane and its register, if the value is that lane. */
  readonly lane?: string
}

/** A function of the text. */
interface TextFunction {
  readonly js: string
  readonly parameters: readonly Type[]
  readonly result: Type | undefined
}

/** A name with a value for each index, as `let centre[axis] = ...` declares it. */
interface Series {
  readonly js: string
  readonly type: Type
  readonly variable: boolean
}

type Meaning = {
  readonly value?: Value
  readonly called?: TextFunction
  readonly type?: Type
  readonly series?: Series
}

/** The names of a block, on top of those around it. */
interface Block {
  readonly names: Map<string, Meaning>
  /** Whether the block is written several times while the module is made, so that its series belong outside. */
  readonly repeated: boolean
  /** JavaScript for the start of the block. */
  start: string
}

export class Names {
  readonly #blocks: Block[] = []
  #count = 0

  open(repeated = false): void {
    this.#blocks.push({ names: new Map(), repeated, start: '' })
  }

  /** Ends a block, and returns the JavaScript for its start. */
  close(): string {
    return this.#blocks.pop()?.start ?? ''
  }

  /** Whether this block has the name. */
  has(name: string): boolean {
    return this.#blocks.at(-1)?.names.has(name) ?? false
  }

  find(name: string): Meaning | undefined {
    return this.#blocks.findLast(({ names }) => names.has(name))?.names.get(name)
  }

  type(name: string): Type | undefined {
    return types.get(name) ?? this.find(name)?.type
  }

  /** A name in JavaScript that no other has. */
  unique(name: string): string {
    return `${name}$${this.#count++}`
  }

  add(name: string, meaning: Meaning): void {
    this.#blocks.at(-1)?.names.set(name, meaning)
  }

  /** The series with a name, which is declared in the innermost block that is written once. */
  series(name: string, type: Type, variable: boolean): Series {
    const known = this.find(name)?.series
    if (known) return known
    const block = this.#blocks.findLast(({ repeated }) => !repeated) as Block
    const series = { js: this.unique(name), type, variable }
    block.start += `const ${series.js}=[];`
    block.names.set(name, { series })
    return series
  }
}
