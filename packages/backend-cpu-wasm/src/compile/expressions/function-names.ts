/**
 * Which functions of the expression language take an instruction or two, and which are functions inside the module (`functions.ts`).
 *
 * @module
 */
import type { FunctionName, NumericName } from '@manybody/core/expression'

/** Functions that take one or a few instructions (see `operators.ts`). */
export type InstructionName = 'abs' | 'sign' | 'floor' | 'ceil' | 'round' | 'step' | 'min' | 'max'

export type MathName = Exclude<NumericName, InstructionName>

const names: Readonly<Record<MathName, true>> = {
  ...{ exp: true, log: true, pow: true },
  ...{ sin: true, cos: true, tan: true, atan2: true },
  ...{ tanh: true, sech: true, erf: true, erfc: true },
}

export const mathNames: readonly MathName[] = Object.keys(names) as MathName[]

/** Whether a function takes an instruction or two, instead of a call inside the module. */
export const isInstruction = (name: FunctionName): name is Exclude<FunctionName, MathName> => !(name in names)
