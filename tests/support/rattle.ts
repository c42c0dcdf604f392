// RATTLE written plainly, to compare simulations with: one constraint after the other is corrected until all hold in float64.
// Source: H. C. Andersen, J. Comput. Phys. 52 (1983) 24.

/** Two points and the distance that they keep. */
export type Distance = readonly [a: number, b: number, length: number]

export interface Rigid {
  readonly position: readonly number[]
  readonly velocity: readonly number[]
  readonly mass: readonly number[]
  readonly distances: readonly Distance[]
  readonly dimension: number
  /** The lengths of a periodic box. */
  readonly box?: readonly number[]
  /** The acceleration of points at these positions. */
  readonly accelerations: (position: Float64Array) => Float64Array
}

/** The leg from one point to the nearest image of another, in numbers with so many components a point. */
function legBetween(of: Float64Array, [a, b]: Distance, dimension: number, box?: readonly number[]): number[] {
  return Array.from({ length: dimension }, (_, axis) => {
    const direct = (of[b * dimension + axis] as number) - (of[a * dimension + axis] as number)
    const length = box?.[axis]
    return length === undefined ? direct : direct - length * Math.round(direct / length)
  })
}

const dot = (u: readonly number[], v: readonly number[]) => u.reduce((sum, x, n) => sum + x * (v[n] as number), 0)

/** Positions and velocities after steps of velocity Verlet with constraints. */
export function rattled(system: Rigid, dt: number, steps: number): { position: Float64Array; velocity: Float64Array } {
  const { mass, distances, dimension, box, accelerations } = system
  const position = Float64Array.from(system.position)
  const velocity = Float64Array.from(system.velocity)
  const inverse = (point: number) => 1 / (mass[point] as number)
  const leg = (of: Float64Array, constraint: Distance) => legBetween(of, constraint, dimension, box)
  const push = (of: Float64Array, [a, b]: Distance, along: readonly number[], size: number) => {
    for (const [axis, x] of along.entries()) {
      of[a * dimension + axis] = (of[a * dimension + axis] as number) - size * inverse(a) * x
      of[b * dimension + axis] = (of[b * dimension + axis] as number) + size * inverse(b) * x
    }
  }
  const kick = (acceleration: Float64Array) => {
    for (const [n, a] of acceleration.entries()) velocity[n] = (velocity[n] as number) + (dt / 2) * a
  }
  const still = () => {
    for (let worst = 1, rounds = 0; worst > 4e-15; rounds++) {
      if (rounds > 10_000) throw new Error('velocities do not settle')
      worst = 0
      for (const constraint of distances) {
        const along = leg(position, constraint)
        // Velocities have no images.
        const parting = dot(along, legBetween(velocity, constraint, dimension))
        const [a, b] = constraint
        push(velocity, constraint, along, -parting / ((inverse(a) + inverse(b)) * dot(along, along)))
        worst = Math.max(worst, Math.abs(parting))
      }
    }
  }
  still()
  for (let step = 0; step < steps; step++) {
    kick(accelerations(position))
    const legs = distances.map((constraint) => leg(position, constraint))
    for (const [n, v] of velocity.entries()) position[n] = (position[n] as number) + dt * v
    for (let worst = 1, rounds = 0; worst > 4e-15; rounds++) {
      if (rounds > 10_000) throw new Error('positions do not settle')
      worst = 0
      for (const [n, constraint] of distances.entries()) {
        const [a, b, length] = constraint
        const [now, before] = [leg(position, constraint), legs[n] as number[]]
        const off = dot(now, now) - length ** 2
        const size = -off / (2 * (inverse(a) + inverse(b)) * dot(now, before))
        push(position, constraint, before, size)
        push(velocity, constraint, before, size / dt)
        worst = Math.max(worst, Math.abs(off))
      }
    }
    kick(accelerations(position))
    still()
  }
  return { position, velocity }
}

/** How far the worst distance is from its length, as a share, and the fastest parting of two points along their leg. */
export function missOf(
  { position, velocity }: { readonly position: ArrayLike<number>; readonly velocity: ArrayLike<number> },
  { distances, dimension, box }: Pick<Rigid, 'distances' | 'dimension' | 'box'>,
): { readonly length: number; readonly parting: number } {
  let [length, parting] = [0, 0]
  for (const constraint of distances) {
    const along = legBetween(Float64Array.from(position), constraint, dimension, box)
    const apart = legBetween(Float64Array.from(velocity), constraint, dimension)
    length = Math.max(length, Math.abs(Math.hypot(...along) / constraint[2] - 1))
    parting = Math.max(parting, Math.abs(dot(along, apart)) / constraint[2])
  }
  return { length, parting }
}
