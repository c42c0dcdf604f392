/**
 * Lists of neighbours, which a loop fills: their shaders, and the array that says where each list starts.
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

/** What lists add to the design of the loop that fills them; nothing if the workload makes none. */
export function listsOf(workload: PairWorkload): {
  readonly arrays: readonly string[]
  readonly part: { readonly lists?: ListShaders }
} {
  return makesLists(workload) ? { arrays: [listStarts.key], part: { lists: shaders } } : { arrays: [], part: {} }
}
