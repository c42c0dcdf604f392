/**
 * The classical Runge-Kutta method as data, for motion of second and of first order.
 *
 * It is neither symplectic nor reversible, so the energy of long runs drifts. It evaluates all forces at one time and one
 * state, so it keeps its order where forces depend on velocities or on time.
 *
 * @source W. Kutta, Z. Math. Phys. 46 (1901) 435
 * @module
 */
import type { Integrator } from './integrators.ts'
import type { IntegratorStage } from './kicks.ts'

/** An integrated array with the name of its derivative, and the arrays for its start and the sum of its slopes. */
interface Variable {
  readonly name: string
  readonly slope: string
  readonly start: string
  readonly sum: string
}

const place: Variable = { name: 'position', slope: 'velocity', start: 'startPosition', sum: 'sumVelocity' }
const pace: Variable = { name: 'velocity', slope: 'acceleration', start: 'startVelocity', sum: 'sumAcceleration' }

type Outputs = readonly (readonly [name: string, text: string])[]

function stagesFor(variables: readonly Variable[]): readonly IntegratorStage[] {
  const stage = (fraction: number, of: (v: Variable) => Outputs): IntegratorStage => ({
    kind: 'map',
    outputs: Object.fromEntries(variables.flatMap(of)),
    fraction,
  })
  const onwards = ({ name, slope, start, sum }: Variable): Outputs => [
    [sum, `${sum} + 2*${slope}`],
    [name, `${start} + h*${slope}`],
  ]
  return [
    stage(1 / 2, ({ name, slope, start, sum }) => [
      [start, name],
      [sum, slope],
      [name, `${name} + h*${slope}`],
    ]),
    { kind: 'force', at: 1 / 2 },
    stage(1 / 2, onwards),
    { kind: 'force', at: 1 / 2 },
    stage(1, onwards),
    { kind: 'force' },
    stage(1 / 6, ({ name, slope, start, sum }) => [[name, `${start} + h*(${sum} + ${slope})`]]),
    { kind: 'force' },
  ]
}

/** Four forces per step, fourth order, also with forces that read velocities or the time. */
export const rungeKutta4: Integrator = {
  name: 'Runge-Kutta 4th order',
  order: 4,
  stages: stagesFor([place, pace]),
  scratch: [place, pace].flatMap(({ start, sum }) => [start, sum]),
}

/** The same for first-order motion, where the sum of the forces is the velocity: vortices, overdamped layouts. */
export const firstOrderRungeKutta4: Integrator = {
  name: 'first-order Runge-Kutta 4th order',
  order: 4,
  stages: stagesFor([place]),
  motion: 'first-order',
  scratch: [place.start, place.sum],
}
