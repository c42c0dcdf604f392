/**
 * Points with velocities and masses, and what every set of them needs: equal masses, and a centre of mass at rest at the origin.
 *
 * @module
 */

/** `position` and `velocity` `[count, 3]`, `mass` `[count]`, as `engine.simulate` takes them. */
export type InitialPoints = {
  readonly position: Float64Array
  readonly velocity: Float64Array
  readonly mass: Float64Array
}

/** Points at rest that share a mass evenly. */
export function equalPoints(count: number, mass: number): InitialPoints {
  const velocity = new Float64Array(3 * count)
  return { position: new Float64Array(3 * count), velocity, mass: new Float64Array(count).fill(mass / count) }
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
