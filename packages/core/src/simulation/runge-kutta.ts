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

/** An integrated array with the name of its derivative, and the arrays for the latest slope and the sum of slopes. */
interface Variable {
  readonly name: string
  readonly slope: string
  readonly latest: string
  readonly sum: string
}

const place: Variable = { name: 'position', slope: 'velocity', latest: 'latestVelocity', sum: 'sumVelocity' }
const pace: Variable = { name: 'velocity', slope: 'acceleration', latest: 'latestAcceleration', sum: 'sumAcceleration' }

type Outputs = Readonly<Record<string, string>>

/**
 * The stages, which add to the variables only, so that float32 may keep their low parts: a variable goes from one place where slopes are
 * taken to the next. Each has a map of its own, as devices bind few arrays to one; that of the place reads the velocity before it changes.
 */
function stagesFor(variables: readonly Variable[]): readonly IntegratorStage[] {
  const stage = (fraction: number, of: (v: Variable) => Outputs): readonly IntegratorStage[] =>
    variables.map((variable) => ({ kind: 'map', outputs: of(variable), fraction }))
  return [
    ...stage(1 / 2, ({ name, slope, latest, sum }) => ({
      [latest]: slope,
      [sum]: slope,
      [name]: `${name} + h*${slope}`,
    })),
    { kind: 'force', at: 1 / 2 },
    ...stage(1 / 2, ({ name, slope, latest, sum }) => ({
      [latest]: slope,
      [sum]: `${sum} + 2*${slope}`,
      [name]: `${name} + h*(${slope} - ${latest})`,
    })),
    { kind: 'force', at: 1 / 2 },
    ...stage(1, ({ name, slope, latest, sum }) => ({
      [latest]: slope,
      [sum]: `${sum} + 2*${slope}`,
      [name]: `${name} + h*(${slope} - ${latest}/2)`,
    })),
    { kind: 'force' },
    ...stage(1 / 6, ({ name, slope, latest, sum }) => ({ [name]: `${name} + h*(${sum} + ${slope} - 6*${latest})` })),
    { kind: 'force' },
  ]
}

/** Four forces per step, fourth order, also with forces that read velocities or the time. */
export const rungeKutta4: Integrator = {
  name: 'Runge-Kutta 4th order',
  order: 4,
  stages: stagesFor([place, pace]),
  scratch: [place, pace].flatMap(({ latest, sum }) => [latest, sum]),
}

/** The same for first-order motion, where the sum of the forces is the velocity: vortices, overdamped layouts. */
export const firstOrderRungeKutta4: Integrator = {
  name: 'first-order Runge-Kutta 4th order',
  order: 4,
  stages: stagesFor([place]),
  motion: 'first-order',
  scratch: [place.latest, place.sum],
}
