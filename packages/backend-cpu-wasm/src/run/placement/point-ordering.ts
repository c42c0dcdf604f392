/**
 * All that a placement needs for points in blocks. It loads with the first program that may visit them.
 *
 * @module
 */
import { Arrangement } from './arrangement.ts'
import { orderEntries, orderTable } from './order-table.ts'

export interface Ordering {
  readonly Arrangement: typeof Arrangement
  readonly orderEntries: typeof orderEntries
  readonly orderTable: typeof orderTable
}

export const ordering: Ordering = { Arrangement, orderEntries, orderTable }
