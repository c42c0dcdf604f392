/**
 * Kernels as text: functions, statements and expressions over memory and registers, which become nodes.
 *
 * `define(module)` adds functions and gives the last, `write(code)` adds statements to a function, and `value(code)` gives an
 * expression. Holes take everything that TypeScript computes: numbers, nodes, locals, functions of the module, functions that
 * write code (they get the function that is being written, and the values of the call), and, for code that is left out or
 * repeated, booleans and lists. docs/architecture.md has the language.
 *
 * Text is compiled to JavaScript when the package is built (`kernels.ts` of this package), so that no page loads what is imported here.
 * From source, it is compiled on first use.
 *
 * @module
 */
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { ModuleBuilder } from '../wasm/module-builder.ts'
import type { Callable, Local, Node } from '../wasm/nodes.ts'
import { compileKernel, type Kind } from './compile-kernel.ts'
import * as functions from './kernel-functions.ts'

/** The content of a hole. */
type Hole =
  | number
  | boolean
  | string
  | Node
  | Local
  | Callable
  | readonly (number | string | Node | Local)[]
  | ((code: FunctionBuilder, ...values: readonly never[]) => unknown)

type Compiled = (target: unknown, ...holes: readonly Hole[]) => unknown
type Tag<Result> = (text: TemplateStringsArray, ...holes: readonly Hole[]) => Result

const compiled = new WeakMap<TemplateStringsArray, Compiled>()

function tag<Result>(kind: Kind, target: ModuleBuilder | FunctionBuilder): Tag<Result> {
  return (text, ...holes) => {
    let kernel = compiled.get(text)
    if (kernel === undefined) {
      kernel = new Function('$w', `return ${compileKernel(kind, text.raw, true)}`)(functions) as Compiled
      compiled.set(text, kernel)
    }
    return kernel(target, ...holes) as Result
  }
}

/** Adds functions to a module, and gives the last. */
export const define = (module: ModuleBuilder): Tag<Callable> => tag('define', module)
/** Writes statements into a function. */
export const write = (code: FunctionBuilder): Tag<void> => tag('write', code)
/** The value of an expression, which may stand behind statements. */
export const value = (code: FunctionBuilder): Tag<Node> => tag('value', code)
