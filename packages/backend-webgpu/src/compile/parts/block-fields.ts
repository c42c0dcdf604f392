/**
 * Fields of the uniform block that all loops over places in an order have: over blocks of near points, a tree, cells and Verlet lists.
 *
 * @module
 */
import type { Field } from '../../design/shader.ts'

export const blockFields: readonly Field[] = [
  { name: 'targetCount', type: 'u32', note: 'number of targets' },
  { name: 'sourceCount', type: 'u32' },
  { name: 'groupFirst', type: 'u32', note: 'workgroups [groupFirst, groupLast) run in this dispatch' },
  { name: 'groupLast', type: 'u32' },
  { name: 'sourceOrder', type: 'u32', note: 'where the order of the sources starts; that of the targets starts at 0' },
  { name: 'evaluated', type: 'u32', note: 'where each workgroup writes the number of sources that it met' },
]

export const reachField: Field = { name: 'reach', type: 'f32', note: 'the distance up to which targets look' }

export const carryField: Field = {
  name: 'carry',
  type: 'u32',
  note: 'always 0, because this loop never continues from earlier results',
}
