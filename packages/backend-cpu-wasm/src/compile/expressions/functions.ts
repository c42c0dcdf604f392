/**
 * Functions of the expression language that need more than one instruction, as functions inside the module.
 *
 * `exp` and `log` have separate forms for float32. All others are computed in float64, half a register at a time, and then
 * rounded to float32, which is exact to half a unit in the last place.
 *
 * @module
 */
import { functions } from '@manybody/core/expression'
import type { FunctionBuilder } from '../wasm/function-builder.ts'
import type { ModuleBuilder } from '../wasm/module-builder.ts'
import { type Callable, call, type Node } from '../wasm/nodes.ts'
import type { Vector } from '../wasm/vector.ts'
import { float64 } from '../wasm/vector.ts'
import { erf, erfc, sech, tanh } from './error-function.ts'
import { exp32, exp64 } from './exp.ts'
import type { MathName } from './function-names.ts'
import { log32, log64 } from './log.ts'
import { pow } from './pow.ts'
import { atan2, cos, sin, tan } from './trigonometric.ts'

type Operands = readonly [a: Node, b: Node]
/** Writes the value. Functions of one operand ignore the second. */
type Write = (code: FunctionBuilder, ...operands: Operands) => Node

const inFloat64: Readonly<Record<MathName, Write>> = {
  exp: exp64,
  log: log64,
  sin,
  cos,
  tan,
  tanh,
  sech,
  erf,
  erfc,
  pow,
  atan2,
}

const inFloat32: Readonly<Partial<Record<MathName, Write>>> = { exp: exp32, log: log32 }

/** Functions that are inlined, because a call would cost as much as they do. */
const inlined: readonly MathName[] = ['exp']

/** The value of a function, by a call or inline. */
export function mathCall(
  module: ModuleBuilder,
  code: FunctionBuilder,
  vector: Vector,
  name: MathName,
  args: Node[],
): Node {
  if (inlined.includes(name)) {
    const write = (vector.type === 'f32x4' ? inFloat32[name] : undefined) ?? inFloat64[name]
    return code.let('v128', name, write(code, ...(args as unknown as Operands)))
  }
  return call(mathFunction(module, vector, name), ...args)
}

/** The function in the module, which is added on first use. */
export function mathFunction(module: ModuleBuilder, vector: Vector, name: MathName): Callable {
  return module.once(`${vector.type}.${name}`, () => {
    const single = vector.type === 'f32x4'
    const write = single ? inFloat32[name] : inFloat64[name]
    const wide = write ? undefined : mathFunction(module, float64, name)
    const parameters = Object.fromEntries(functions[name].operands.map((_, n) => ['ab'[n], 'v128' as const]))
    return module.define(`${vector.type}.${name}`, parameters, 'v128', (code, operands) => {
      const args = Object.values(operands)
      if (write) return code.return(write(code, ...(args as unknown as Operands)))
      const halves = args.map((arg) => vector.widened(code, arg))
      const results = (halves[0] ?? []).map((_, half) => call(wide as Callable, ...halves.map((h) => h[half] as Node)))
      code.return(vector.narrowed(results))
    })
  })
}
