/**
 * The design of lists of neighbours: another design finds the sources, and the lists are sorted after its last step.
 *
 * @module
 */

import type { DesignedResult, Step } from '../drivers/driver.ts'
import { foundResult, listStarts } from '../folds/append-fold.ts'
import { clearDispatch, clearLists, sortDispatch, sortLists } from '../loops/sort-lists.ts'
import type { ProgramDesign } from './design.ts'

const clear = clearLists()
const sort = sortLists('index')

/** @param filling a design whose fold appends to the lists */
export function listDesign(filling: ProgramDesign): ProgramDesign {
  const { inParts } = filling
  return {
    ...filling,
    inParts: inParts && (() => listDesign(inParts())),
    inputs: [...filling.inputs, listStarts.key],
    shaders: (parameters) => [clear, ...filling.shaders(parameters), sort],
    results({ offsets = new Uint32Array(1), sources }) {
      const lists = offsets.length - 1
      const entries = offsets[lists] as number
      return [
        { name: 'index', type: 'i32', length: entries, held: entries, most: sources.count },
        { name: foundResult, type: 'u32', length: lists, held: lists, most: sources.count },
      ]
    },
    work(run, results) {
      const { scratch, steps } = filling.work(run, results)
      return { scratch, steps: withSorting(steps, results) }
    },
  }
}

function* withSorting(steps: Iterable<Step>, results: readonly DesignedResult[]): Generator<Step> {
  const lists = results.find(({ name }) => name === foundResult)?.length ?? 0
  let first = true
  for (const { dispatches, ...step } of steps) {
    const [before, after] = [
      first ? [clearDispatch(clear, lists)] : [],
      step.done < 1 ? [] : [sortDispatch(sort, lists)],
    ]
    yield { ...step, dispatches: [...before, ...dispatches, ...after] }
    first = false
  }
}
