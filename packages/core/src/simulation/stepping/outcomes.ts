/**
 * The arrays that a simulation writes while it runs: by its forces, and by its steps.
 *
 * @module
 */
import { lowArrays } from '../arrays.ts'
import type { ClockedState } from '../state.ts'

/** The array that the forces give. */
export const targetOf = ({ integrator }: ClockedState): 'acceleration' | 'velocity' =>
  integrator.motion === 'first-order' ? 'velocity' : 'acceleration'

const none = {}

/** Whether an evaluation of the forces gives an array: their sum, and computed attributes. */
export const givenByForces = (name: string, state: ClockedState): boolean =>
  name === targetOf(state) || Object.hasOwn(state.computed ?? none, name)

/** Whether a condition of points or pairs reads an array that the forces give, or a component of it. */
export const conditionReadsForces = (condition: string, state: ClockedState): boolean =>
  [targetOf(state), ...Object.keys(state.computed ?? none)].some((name) =>
    new RegExp(`\\b${name}(_[xyz])?(_[ij])?\\b`).test(condition),
  )

/** The arrays that a step writes. */
export function writtenBy(state: ClockedState): ReadonlySet<string> {
  const outputs = state.integrator.stages.flatMap((stage) => {
    if (stage.kind === 'gauss-radau') return ['position', 'velocity']
    return stage.kind === 'map' ? Object.keys(stage.outputs) : []
  })
  const lows = outputs.flatMap((name) => lowArrays[name] ?? []).filter((low) => Object.hasOwn(state.arrays, low))
  return new Set([targetOf(state), ...Object.keys(state.computed ?? none), ...outputs, ...lows])
}
