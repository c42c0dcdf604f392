/**
 * Which functions of the expression language take an instruction or two, and which are functions inside the module (`functions.ts`).
 *
 * @module
 */
import { type FunctionName, type NumericName, numericNames } from '@manybody/core/expression'

/** Functions that take one or a few instructions (see `operators.ts`). */
const instructions = ['abs', 'sign', 'floor', 'ceil', 'round', 'step', 'min', 'max'] as const
export type InstructionName = (typeof instructions)[number]

export type MathName = Exclude<NumericName, InstructionName>

export const mathNames: readonly MathName[] = numericNames.filter(
  (name): name is MathName => !(instructions as readonly string[]).includes(name),
)

/** Whether a function takes an instruction or two, instead of a call inside the module. */
export const isInstruction = (name: FunctionName): name is Exclude<FunctionName, MathName> =>
  !(mathNames as readonly string[]).includes(name)
