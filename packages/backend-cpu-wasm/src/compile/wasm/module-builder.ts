/**
 * A module while it is written: functions over one imported memory, which can be encoded or printed.
 *
 * @module
 */
import { encodeModule } from './encode.ts'
import { FunctionBuilder } from './function-builder.ts'
import { type Callable, get, type ModuleOptions, type Node, type WasmType } from './nodes.ts'

type Parameters = Readonly<Record<string, WasmType>>

/** The values of the parameters, by name. */
export type ParameterValues<P extends Parameters> = { readonly [Name in keyof P]: Node }

/** Parameters that are addresses or counts. */
export const integers = <Name extends string>(...names: readonly Name[]): Readonly<Record<Name, 'i32'>> =>
  Object.fromEntries(names.map((name) => [name, 'i32'])) as Record<Name, 'i32'>

export class ModuleBuilder {
  readonly functions: FunctionBuilder[] = []
  readonly #shared = new Map<string, Callable>()

  constructor(readonly options: ModuleOptions) {}

  /** Adds a function. All functions are exported by their names. */
  define<const P extends Parameters>(
    name: string,
    parameters: P,
    result: WasmType | undefined,
    write: (code: FunctionBuilder, values: ParameterValues<P>) => void,
  ): Callable {
    const code = new FunctionBuilder(name, this.functions.length, parameters, result)
    this.functions.push(code)
    const values = Object.keys(parameters).map((parameter) => [parameter, get(code.argument(parameter))])
    write(code, Object.fromEntries(values) as ParameterValues<P>)
    return code
  }

  /** The function with this name, which `define` makes on first use. */
  once(name: string, define: () => Callable): Callable {
    let known = this.#shared.get(name)
    if (known === undefined) {
      known = define()
      this.#shared.set(name, known)
    }
    return known
  }

  encode(): Uint8Array<ArrayBuffer> {
    return encodeModule(this.functions, this.options)
  }
}
