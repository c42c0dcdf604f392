/**
 * Points with velocities and masses, and two helpers for every set of them: equal masses, and a centre of mass at rest at the origin.
 *
 * @module
 */
import { unexpected } from '@manybody/core/backend'

/** `position` and `velocity` `[count, 3]`, `mass` `[count]`, as `engine.simulate` takes them. */
export type InitialPoints = {
  readonly position: Float64Array
  readonly velocity: Float64Array
  readonly mass: Float64Array
}

/**
 * An array with `width` numbers for each point.
 *
 * @throws RangeError if there is no memory for it
 */
export function arrayFor(count: number, width: number, name = 'count'): Float64Array {
  try {
    return new Float64Array(width * count)
  } catch (cause) {
    const bytes = `${((8 * width * count) / 2 ** 30).toPrecision(3)} GiB`
    throw new RangeError(
      `"${name}" expected points that memory holds, got ${count}, one array of which takes ${bytes}`,
      {
        cause,
      },
    )
  }
}

/** Writes `of(n)` at each place n, in order. */
export function filled(array: Float64Array, of: (n: number) => number): Float64Array {
  for (let n = 0; n < array.length; n++) array[n] = of(n)
  return array
}

/** Requires a list or a typed array, of one of these lengths if given. @throws TypeError */
export function requireList(value: unknown, name: string, what: string, lengths?: readonly number[]): void {
  if (!Array.isArray(value) && (!ArrayBuffer.isView(value) || value instanceof DataView))
    throw unexpected(name, `a list of ${what}`, value)
  const { length } = value as ArrayLike<unknown>
  if (lengths?.includes(length) === false)
    throw new RangeError(`"${name}" expected ${lengths.join(' or ')} ${what}, got ${length}`)
}

/** Points at rest that share a mass evenly. */
export function equalPoints(count: number, mass: number): InitialPoints {
  const [position, velocity] = [arrayFor(count, 3), arrayFor(count, 3)]
  return { position, velocity, mass: arrayFor(count, 1).fill(mass / count) }
}

/** Moves vectors so that their mean, weighted by mass, is 0. */
export function centre(vectors: Float64Array, mass: Float64Array, dimension = 3): void {
  const total = mass.reduce((sum, m) => sum + m, 0)
  if (total === 0) return
  for (let axis = 0; axis < dimension; axis++) {
    let moment = 0
    for (const [n, m] of mass.entries()) moment += m * (vectors[dimension * n + axis] as number)
    for (const n of mass.keys()) {
      const at = dimension * n + axis
      vectors[at] = (vectors[at] as number) - moment / total
    }
  }
}

export function centred(points: InitialPoints): InitialPoints {
  centre(points.position, points.mass)
  centre(points.velocity, points.mass)
  return points
}
