/**
 * The choice between two numbers, and the conditions that it takes.
 *
 * @module
 */
import type { ChoiceFunction } from './definition.ts'

const comparison = (operator: string): ChoiceFunction => ({
  parameters: ['number', 'number'],
  result: 'condition',
  operator,
})

/** `a` where the condition holds, else `b`. */
export const select: ChoiceFunction = { parameters: ['condition', 'number', 'number'], result: 'number' }

export const less: ChoiceFunction = comparison('<')
export const lessEqual: ChoiceFunction = comparison('<=')
export const equal: ChoiceFunction = comparison('==')

export const and: ChoiceFunction = {
  parameters: ['condition', 'condition'],
  result: 'condition',
  operator: '&&',
}
export const or: ChoiceFunction = {
  parameters: ['condition', 'condition'],
  result: 'condition',
  operator: '||',
}
export const not: ChoiceFunction = { parameters: ['condition'], result: 'condition', operator: '!' }
