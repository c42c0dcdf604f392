/**
 * The header of a frame, from its comment line: the columns, the box and further numbers. Frames with the same line share one header.
 *
 * @module
 */
import { type ColumnSpec, isTaken, plainColumns, type Roles, rolesOf } from './xyz-columns.ts'
import { type Extension, extensionOf } from './xyz-comment.ts'

export interface Header extends Pick<Extension, 'lattice' | 'pbc'> {
  /** The whole line. */
  readonly line: string
  /** The comment proper. */
  readonly comment: string
  /** The numbers that become numbers of the frame. */
  readonly numbers: Extension['numbers']
  /** Whether the points are marked as 2-D. */
  readonly flat: boolean
  readonly columns: readonly ColumnSpec[]
  readonly roles: Roles
  /** Words per line; undefined if there may be more than `columns` has. */
  readonly width: number | undefined
}

const plainRoles = rolesOf(plainColumns)
const plain = { numbers: [], flat: false, columns: plainColumns, roles: plainRoles, width: undefined } as const

/** @throws Error that names the malformed part */
export function headerOf(line: string): Header {
  const extension = extensionOf(line)
  if (!extension) return { ...plain, line, comment: line }
  const { properties, lattice, pbc, comment = line, numbers } = extension
  return {
    line,
    comment,
    lattice,
    pbc,
    numbers: numbers.filter(([name]) => !isTaken(name)),
    flat: numbers.some(([name, value]) => name === 'dimension' && value === 2),
    columns: properties ?? plainColumns,
    roles: properties ? rolesOf(properties) : plainRoles,
    width: properties?.reduce((sum, { width }) => sum + width, 0),
  }
}
