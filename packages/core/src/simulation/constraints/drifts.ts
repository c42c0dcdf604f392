/**
 * Which integrators hold constraints: those whose steps consist of kicks and drifts. A drift moves points by their velocities, so that the
 * velocities can follow when constraints move the points back.
 *
 * @module
 */
import { axesOf } from '../../ground/axes.ts'
import { differentiate } from '../../language/differentiate.ts'
import { evaluate } from '../../language/evaluate.ts'
import { symbolsOf } from '../../language/nodes.ts'
import { simplify } from '../../language/simplify.ts'
import { mapComponents } from '../../problem/workloads/bodies/map-components.ts'
import { map } from '../../problem/workloads/particle.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import { moving } from '../arrays.ts'
import type { Integrator } from '../integrators.ts'
import type { IntegratorStage } from '../kicks.ts'

/** @throws TypeError for an integrator that moves points in other ways */
export function requireDrifts({ name, stages, scratch = [], motion }: Integrator, dimension: Dimension): void {
  const known =
    motion !== 'first-order' && scratch.length === 0 && stages.every((stage) => keepsToDrifts(stage, dimension))
  if (!known)
    throw new TypeError(
      `"integrator" expected one of kicks and drifts beside constraints, such as leapfrog, velocityVerlet, yoshida4 or langevin, got ${name || 'another one'}`,
    )
}

function keepsToDrifts(stage: IntegratorStage, dimension: Dimension): boolean {
  if (stage.kind === 'force') return true
  if (stage.kind !== 'map') return false
  const components = mapComponents(map(stage.outputs, { h: 1 }), { dimension, vectors: moving })
  const places = components.get('position') ?? []
  return places.every((place, n) => {
    const axis = axesOf(dimension)[n]
    const h = 0.75
    const rate = (by: string) => {
      const slope = simplify(differentiate(place, `${by}_${axis}`))
      return [...symbolsOf(slope)].every((name) => name === 'h') ? evaluate(slope, { h }) : Number.NaN
    }
    return rate('position') === 1 && rate('velocity') === h
  })
}
