/**
 * Whether the steps of an integrator keep the speed of a point while its velocity turns. A force is evaluated with the current velocities.
 * In a leapfrog, these are half a step old, and the speed grows without end.
 *
 * The method takes some steps on the host for one point with an acceleration that turns its velocity.
 *
 * @module
 */

import { axesOf } from '../ground/axes.ts'
import { evaluate } from '../language/evaluate.ts'
import { mapComponents } from '../problem/workloads/bodies/map-components.ts'
import { map } from '../problem/workloads/particle.ts'
import type { Dimension } from '../problem/workloads/workload.ts'
import { moving, type PointArrays, vectorsOf } from './arrays.ts'
import { radauIn } from './gauss-radau/ias15.ts'
import type { Integrator } from './integrators.ts'
import { randomNames } from './noise/random.ts'

const steps = 20
/** The angle of a step. A leapfrog multiplies the speed by 1.5 in these steps; methods of second order keep 1 +- 0.01. */
const angle = 0.2
/** Short, so that a method's own friction does not hide it. */
const dt = 1e-9

export function keepsTurningSpeed(integrator: Integrator, arrays: PointArrays, dimension: Dimension): boolean {
  const { stages, parameters, scratch = [] } = integrator
  if (radauIn(integrator)) return true
  const vectors = [...vectorsOf(arrays), ...scratch]
  const plain = Object.keys(arrays).filter((name) => !vectors.includes(name))
  const values: Record<string, number> = {
    ...Object.fromEntries(plain.map((name) => [name, 1])),
    ...parameters,
    // Without noise.
    ...Object.fromEntries(randomNames.map((name) => [name, 0])),
  }
  for (const name of new Set([...moving, ...vectors]))
    for (const axis of axesOf(dimension)) values[`${name}_${axis}`] = 0
  values.velocity_x = 1
  const force = () => {
    values.acceleration_x = (angle / dt) * (values.velocity_y as number)
    values.acceleration_y = (-angle / dt) * (values.velocity_x as number)
  }
  const parts = stages.map((stage) => {
    if (stage.kind === 'force') return force
    // Turns are those of external forces, which the others stand beside here.
    if (stage.kind !== 'map') return () => {}
    const outputs = [...mapComponents(map(stage.outputs), { dimension, vectors })].flatMap(([name, list]) =>
      list.map((e, n) => [list.length === 1 ? name : `${name}_${axesOf(dimension)[n]}`, e] as const),
    )
    return () => {
      const given = { ...values, h: stage.fraction * dt }
      Object.assign(values, Object.fromEntries(outputs.map(([place, e]) => [place, evaluate(e, given)])))
    }
  })
  force()
  for (let step = 0; step < steps; step++) for (const part of parts) part()
  return Math.hypot(values.velocity_x, values.velocity_y as number) < 1.1
}
