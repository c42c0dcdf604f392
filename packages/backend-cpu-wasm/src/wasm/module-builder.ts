/**
 * A module while it is written: functions over one imported memory, which can be encoded or printed.
 *
 * @module
 */
import { encodeModule } from './encode.ts'
import { FunctionBuilder } from './function-builder.ts'
import type { Callable, ModuleOptions, WasmType } from './nodes.ts'

export class ModuleBuilder {
  readonly functions: FunctionBuilder[] = []
  readonly #shared = new Map<string, Callable>()

  constructor(readonly options: ModuleOptions) {}

  /** Adds a function. All functions are exported by their names. */
  define(
    name: string,
    parameters: Readonly<Record<string, WasmType>>,
    result: WasmType | undefined,
    write: (code: FunctionBuilder) => void,
  ): Callable {
    const code = new FunctionBuilder(name, this.functions.length, parameters, result)
    this.functions.push(code)
    write(code)
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

  /** Whether any function was made by `once`, so that others call it. */
  get calls(): boolean {
    return this.#shared.size > 0
  }

  encode(): Uint8Array<ArrayBuffer> {
    return encodeModule(this.functions, this.options)
  }
}
