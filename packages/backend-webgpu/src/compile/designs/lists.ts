/**
 * Neighbour lists that a loop fills: their shaders, and the array with the start of each list.
 *
 * @module
 */
import type { PairWorkload } from '@manybody/core'
import { makesLists } from '@manybody/core/backend'
import type { ListShaders } from '../../design/design.ts'
import { listStarts } from '../folds/append-fold.ts'
import { clearLists, sortLists } from '../loops/sort-lists.ts'

const entries = 'index'
const shaders: ListShaders = { clear: clearLists(), sort: sortLists(entries), entries }

/** The parts that neighbour lists add to the design of a loop; nothing if the workload makes no lists. */
export function listsOf(workload: PairWorkload): {
  readonly arrays: readonly string[]
  readonly part: { readonly lists?: ListShaders }
} {
  return makesLists(workload) ? { arrays: [listStarts.key], part: { lists: shaders } } : { arrays: [], part: {} }
}
