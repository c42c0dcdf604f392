/**
 * Neighbour lists around a loop. If the loop only adds to the counters of the lists, they are cleared before its first step.
 * The lists are sorted after the last step.
 *
 * @module
 */
import type { Bindings } from '@manybody/core'
import type { ListShaders, ProgramDesign } from '../../design/design.ts'
import { listsPerSort } from '../../design/loop-shape.ts'
import { alongZ } from '../../design/spread.ts'
import type { DesignedResult, Step } from './driver.ts'

/** Lists have the lengths that the offsets of a run give. */
export function listResults(
  { results }: ProgramDesign,
  { entries }: ListShaders,
  { offsets = new Uint32Array(1), sources }: Bindings,
): readonly DesignedResult[] {
  const lists = offsets.length - 1
  return results.map(({ name, type }) => {
    const length = name === entries ? (offsets[lists] as number) : lists
    return { name, type, length, held: length, most: sources.count }
  })
}

export function* withSorting(
  { clear, sort }: ListShaders,
  steps: Iterable<Step>,
  { offsets = new Uint32Array(1) }: Bindings,
): Generator<Step> {
  const values = { lists: offsets.length - 1 }
  let before = clear ? [{ shader: clear, values, size: alongZ(Math.ceil(values.lists / clear.workgroup)) }] : []
  for (const { dispatches, ...step } of steps) {
    const after = step.done < 1 ? [] : [{ shader: sort, values, size: alongZ(Math.ceil(values.lists / listsPerSort)) }]
    yield { ...step, dispatches: [...before, ...dispatches, ...after] }
    before = []
  }
}
