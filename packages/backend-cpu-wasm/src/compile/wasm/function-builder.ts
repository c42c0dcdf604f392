/**
 * One function while it is written: its locals, its statements and its vector constants. Constants are set once at the start,
 * because inside a loop engines would create them again in each iteration.
 *
 * @module
 */
import { type Callable, get, type LaneType, type Local, type Node, set, splat, type WasmType } from './nodes.ts'

export class FunctionBuilder implements Callable {
  readonly locals: Local[] = []
  readonly #constants = new Map<string, { local: Local; value: Node }>()
  readonly #names = new Map<string, number>()
  #statements: Node[] = []

  constructor(
    readonly name: string,
    readonly index: number,
    parameters: Readonly<Record<string, WasmType>>,
    readonly result: WasmType | undefined,
  ) {
    this.parameters = Object.values(parameters)
    for (const [parameter, type] of Object.entries(parameters)) this.local(type, parameter)
  }

  readonly parameters: readonly WasmType[]

  /** A parameter by its name, as a local that can be set. */
  argument(name: string): Local {
    const found = this.locals.slice(0, this.parameters.length).find((l) => l.name === name)
    if (!found) throw new Error(`${this.name} has no parameter ${name}`)
    return found
  }

  local(type: WasmType, name: string): Local {
    const count = this.#names.get(name) ?? 0
    this.#names.set(name, count + 1)
    const local = { name: count ? `${name}.${count}` : name, type, index: this.locals.length }
    this.locals.push(local)
    return local
  }

  emit(...statements: readonly Node[]): void {
    this.#statements.push(...statements)
  }

  /** Computes a value now, so that it can be used any number of times. */
  let(type: WasmType, name: string, value: Node): Node {
    if (value.kind === 'get') return value
    const local = this.local(type, name)
    this.emit(set(local, value))
    return get(local)
  }

  /** A vector with one number in every lane. */
  constant(lanes: LaneType, value: number | bigint): Node {
    const key = `${lanes} ${Object.is(value, -0) ? '-0' : value}`
    let known = this.#constants.get(key)
    if (known === undefined) {
      known = { local: this.local('v128', `c${this.#constants.size}`), value: splat(lanes, value) }
      this.#constants.set(key, known)
    }
    return get(known.local)
  }

  /** Whether a node is the vector with 0 in every lane. */
  isZero(lanes: LaneType, node: Node): boolean {
    return node.kind === 'get' && node.local === this.#constants.get(`${lanes} 0`)?.local
  }

  /** The statements that `write` emits, without adding them to the function. */
  collect(write: () => void): readonly Node[] {
    const outer = this.#statements
    this.#statements = []
    write()
    const inner = this.#statements
    this.#statements = outer
    return inner
  }

  if(condition: Node, body: () => void, otherwise: () => void = () => {}): void {
    this.emit({ kind: 'if', condition, body: this.collect(body), otherwise: this.collect(otherwise) })
  }

  /** A loop that runs at least once, and again while the condition that `write` returns holds. */
  repeat(write: () => Node): void {
    let again: Node | undefined
    const body = this.collect(() => {
      again = write()
    })
    if (again) this.emit({ kind: 'loop', body, again })
  }

  /** `for (name = from; name < to; name += step)`, in unsigned integers; `to` is evaluated once. */
  for(name: string, from: Node, to: Node, step: number, write: (index: Node) => void): void {
    const index = this.local('i32', name)
    const end = to.kind === 'constant' ? to : this.let('i32', `${name}End`, to)
    this.emit(set(index, from))
    this.if({ kind: 'op', op: 'i32.lt_u', args: [get(index), end] }, () =>
      this.repeat(() => {
        write(get(index))
        const next: Node = {
          kind: 'op',
          op: 'i32.add',
          args: [get(index), { kind: 'constant', type: 'i32', value: step }],
        }
        this.emit(set(index, next))
        return { kind: 'op', op: 'i32.lt_u', args: [get(index), end] }
      }),
    )
  }

  return(value: Node): void {
    this.emit({ kind: 'return', value })
  }

  /** All statements, constants first. */
  get body(): readonly Node[] {
    return [...[...this.#constants.values()].map(({ local, value }) => set(local, value)), ...this.#statements]
  }
}
