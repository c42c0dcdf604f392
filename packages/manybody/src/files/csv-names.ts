/**
 * The names of the columns of a CSV file: which columns are position, velocity or attributes.
 *
 * @module
 */

/** The columns of the vectors. */
export const vectors = { position: ['x', 'y', 'z'], velocity: ['vx', 'vy', 'vz'] } as const

export const components: readonly string[] = [...vectors.position, ...vectors.velocity]

/** Names of other parts of the points, which are not attributes. */
const otherParts: readonly string[] = ['position', 'velocity', 'dimension']

/** Whether an attribute cannot have this name, because the name has another meaning in the file. */
export const isTaken = (name: string): boolean => components.includes(name) || otherParts.includes(name)

/** Converts the names of vector components to small letters, if the file has `X` and no `x`. */
export function inSmallLetters(names: readonly string[]): readonly string[] {
  if (names.includes('x') || !names.includes('X')) return names
  const small = (name: string) => name.toLowerCase()
  return names.map((name) => (components.includes(small(name)) ? small(name) : name))
}

/** The most columns. A file with more is no table of points, and reading each name takes longer than a number. */
const most = 4096

/** Why these columns do not describe points; undefined if they do. A column without a name is not read. */
export function nameFault(names: readonly string[]): string | undefined {
  if (names.length > most) return `expected at most ${most} columns, got ${names.length}`
  const known = new Set<string>()
  for (const name of names) {
    if (name !== '' && known.has(name)) return `the name "${name}" is there twice`
    if (otherParts.includes(name)) return `expected names such as x, vx or mass, got "${name}"`
    known.add(name)
  }
  const last = known.has('z') ? 3 : 2
  for (const axes of Object.values(vectors)) {
    if (axes[0] === 'vx' && !axes.some((axis) => known.has(axis))) continue
    for (const [n, axis] of axes.entries())
      if (known.has(axis) !== n < last) {
        if (n >= last) return `the column "${axis}" has no "z" beside it`
        const given = names.map((name) => JSON.stringify(name)).join(', ')
        return `the column "${axis}" is missing; given: ${given.length > 200 ? `${given.slice(0, 200)} …` : given}`
      }
  }
  return undefined
}
