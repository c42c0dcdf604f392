/**
 * The choice between two numbers, and the conditions that it takes.
 *
 * @module
 */
import type { ChoiceFunction } from './definition.ts'

const comparison = (operator: string): ChoiceFunction => ({
  parameters: ['number', 'number'],
  result: 'condition',
  cost: 1,
  operator,
})

/** `a` where the condition holds, else `b`. */
export const select: ChoiceFunction = { parameters: ['condition', 'number', 'number'], result: 'number', cost: 2 }

export const less: ChoiceFunction = comparison('<')
export const lessEqual: ChoiceFunction = comparison('<=')
export const equal: ChoiceFunction = comparison('==')

export const and: ChoiceFunction = {
  parameters: ['condition', 'condition'],
  result: 'condition',
  cost: 1,
  operator: '&&',
}
export const or: ChoiceFunction = {
  parameters: ['condition', 'condition'],
  result: 'condition',
  cost: 1,
  operator: '||',
}
export const not: ChoiceFunction = { parameters: ['condition'], result: 'condition', cost: 0, operator: '!' }
