/**
 * The columns of an XYZ file: which of them are positions, velocities and symbols. Programs name these differently.
 *
 * @module
 */

/** A property of the points, in `width` columns of text, integers, real numbers or truth values. */
export interface ColumnSpec {
  readonly name: string
  readonly type: 'S' | 'I' | 'R' | 'L'
  readonly width: number
}

/** The columns of a file if its comment does not name them. */
export const plainColumns: readonly ColumnSpec[] = [
  { name: 'species', type: 'S', width: 1 },
  { name: 'pos', type: 'R', width: 3 },
]

/** The names of each part. The first name that occurs in the file is taken. */
const namesFor = {
  position: ['pos', 'position', 'positions'],
  velocity: ['velo', 'vel', 'velocity', 'velocities'],
  symbols: ['species', 'symbols'],
  /** In files without symbols, these columns serve as symbols, and stay columns as well. */
  numbered: ['element', 'type', 'Z'],
} as const

/** Names of other parts of a frame. */
const otherParts: readonly string[] = ['comment', 'dimension', 'lattice', 'pbc', 'Lattice', 'Properties']

/** Whether a frame cannot have an attribute of this name, because the name has another meaning. */
export const isTaken = (name: string): boolean => taken.has(name)

const taken = new Set<string>([...otherParts, ...namesFor.position, ...namesFor.velocity, ...namesFor.symbols])

/** A column with its place among all. */
export interface Part extends ColumnSpec {
  readonly at: number
}

/** The columns by their part in a frame. `others` are the rest. */
export interface Roles {
  readonly position: Part
  readonly velocity?: Part
  readonly symbols?: Part
  readonly others: readonly Part[]
}

/** @throws Error with the reason why these columns make no frame */
export function rolesOf(columns: readonly ColumnSpec[]): Roles {
  const parts = columns.map(({ name, type, width }, at): Part => ({ name, type, width, at }))
  const byName = new Map(parts.map((part) => [part.name, part]))
  const first = (names: readonly string[]) => byName.get(names.find((name) => byName.has(name)) ?? '')
  const position = first(namesFor.position)
  const velocity = first(namesFor.velocity)
  if (!position) {
    const names = parts.slice(0, 9).map(({ name }) => name)
    throw new Error(`"Properties" expected positions, such as pos:R:3, got ${names.join(', ').slice(0, 60)}`)
  }
  const width = position.width === 2 ? 2 : 3
  for (const part of [position, ...(velocity ? [velocity] : [])])
    if (part.type === 'S' || part.type === 'L' || part.width !== width)
      throw new Error(`"Properties" expected ${part.name}:R:${width}, got ${part.name}:${part.type}:${part.width}`)
  const named = first(namesFor.symbols)
  const symbols = named ?? first(namesFor.numbered)
  if (symbols && symbols.width !== 1)
    throw new Error(`"Properties" expected ${symbols.name}:S:1, got ${symbols.name}:${symbols.type}:${symbols.width}`)
  const others = parts.filter((part) => part !== position && part !== velocity && part !== named)
  const wrong = others.find(({ name }) => isTaken(name))
  if (wrong) throw new Error(`"Properties" has a column "${wrong.name}", which another part of a frame is called`)
  return { position, ...(velocity && { velocity }), ...(symbols && { symbols }), others }
}
