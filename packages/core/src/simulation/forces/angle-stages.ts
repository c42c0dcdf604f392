/**
 * The maps of angles: the legs of an angle, and the angle with its derivative.
 *
 * The legs u and v point from the vertex to the outer points. Moved along the direction across u towards v, the first outer point
 * changes the angle by -1 over its distance; likewise the other, and the vertex by the opposite of both. All three ends compute
 * the same direction, so that their forces cancel. It is made perpendicular to u twice, because after one subtraction, rounding
 * along u is left where the angle is nearly straight. Where it is straight or folded, any direction across u is right.
 *
 * @module
 */

import { axesOf } from '../../ground/axes.ts'
import { evaluator } from '../../language/evaluate.ts'
import { constant } from '../../language/nodes.ts'
import { gatherMap } from '../../problem/workloads/particle.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import type { NumbersByName } from '../numbers/numbers.ts'
import { angleIn } from './angle-law.ts'
import type { Angles } from './angles.ts'
import { energyOf, slopeIn } from './angular-forces.ts'
import { arraysOf, withSteps } from './curve-calls.ts'
import { type BondMap, endNames } from './end-names.ts'
import { legBetween, lengthOf, mapOfLegs, sumOver } from './legs.ts'
import { callsOfLinks } from './link-calls.ts'

const { place, legU, legV, across, angle, along, bends } = endNames

/** By the place of an end in its angle: the first outer point, the vertex or the second outer point. */
const byPlace = (first: string, vertex: string, second: string) =>
  `select(${place} < 0.5, ${first}, select(${place} < 1.5, ${vertex}, ${second}))`

/** The legs, from the vertex to both outer points across faces of the box, and the direction of v across u. */
export function legMap(links: Angles, dimension: Dimension): BondMap {
  const own = axesOf(dimension)
  const definitions = [
    ...legBetween('u', [1, 0], links, dimension),
    ...legBetween('v', [1, 2], links, dimension),
    ...lengthOf(
      'U',
      sumOver(dimension, (axis) => `u${axis}^2`),
    ),
    `share = (${sumOver(dimension, (axis) => `u${axis}*v${axis}`)})/knownU`,
    ...own.map((axis) => `loose${axis} = v${axis} - share*u${axis}`),
    ...lengthOf(
      'Loose',
      sumOver(dimension, (axis) => `loose${axis}^2`),
    ),
  ]
  const vector = (of: (axis: string) => string) => own.map((axis) => [of(axis), ...definitions].join('; '))
  return mapOfLegs(links, {
    [legU]: vector((axis) => `u${axis}`),
    [legV]: vector((axis) => `v${axis}`),
    [across]: vector((axis) => `loose${axis}/lengthLoose`),
  })
}

/** The angle, and its derivative by the place of each end. @param rounding the relative error of an operation */
export function angleMap(dimension: Dimension, rounding: number): BondMap {
  const own = axesOf(dimension)
  const sumOf = (term: (axis: string) => string) => sumOver(dimension, term)
  const [x, y, z] = own.map((axis) => `${legU}_${axis}`) as [string, string, string | undefined]
  const steep = `abs(${z}) < abs(${x})`
  const anyAcross = z
    ? [`select(${steep}, -${y}, 0)`, `select(${steep}, ${x}, -${z})`, `select(${steep}, 0, ${y})`]
    : [`-${y}`, x]
  const straight = `raised < ${8 * rounding}`
  const definitions = [
    ...lengthOf(
      'U',
      sumOf((axis) => `${legU}_${axis}^2`),
    ),
    ...lengthOf(
      'V',
      sumOf((axis) => `${legV}_${axis}^2`),
    ),
    `slip = (${sumOf((axis) => `${across}_${axis}*${legU}_${axis}`)})/knownU`,
    ...own.map((axis) => `close${axis} = ${across}_${axis} - slip*${legU}_${axis}`),
    // The sine, unless the first direction was rounding along u: then it is as small as rounding.
    `raised = (${sumOf((axis) => `${legV}_${axis}*close${axis}`)})/lengthV`,
    ...own.map((axis, n) => `chosen${axis} = select(${straight}, ${anyAcross[n]}, close${axis})`),
    ...lengthOf(
      'Chosen',
      sumOf((axis) => `chosen${axis}^2`),
    ),
    ...own.map((axis) => `unit${axis} = chosen${axis}/lengthChosen`),
    `sine = select(${straight}, 0, raised/lengthChosen)`,
    `cosine = (${sumOf((axis) => `${legU}_${axis}*${legV}_${axis}`)})/(lengthU*lengthV)`,
    ...own.map((axis) => `ofU${axis} = unit${axis}/lengthU`),
    ...own.map((axis) => `ofV${axis} = (sine*${legU}_${axis}/lengthU - cosine*unit${axis})/lengthV`),
    `bending = select(${straight}, min(1, select(cosine < 0, ${bends} - 2*floor(${bends}/2), floor(${bends}/2))), 1)`,
    // Without a leg there is no angle.
    'weight = select(0 < min(squaredU, squaredV), bending, 0)',
  ]
  const derivative = (axis: string) => `weight*${byPlace(`-ofU${axis}`, `ofU${axis} + ofV${axis}`, `-ofV${axis}`)}`
  const defined = (text: string) => [text, ...definitions].join('; ')
  const outputs = {
    [along]: own.map((axis) => defined(derivative(axis))),
    [angle]: defined(`select(${straight}, select(cosine < 0, pi, 0), atan2(sine, cosine))`),
  }
  return { workload: gatherMap(outputs, {}), vectors: [legU, legV, across] }
}

/** Angles for comparison: the slope of their energy shows whether the slope of a straight or folded angle is only rounding. */
const samples = [0, 0.3, 0.8, 1.3, 1.8, 2.3, 2.8, Math.PI]

/**
 * The effect of the law of each end where no direction is given: 1 if it bends a straight angle, 2 if it opens a folded one, 3 if both,
 * else 0. A slope that is small beside the slope of other angles is rounding.
 *
 * @param attributes the numbers of each end
 * @param parameters the parameters of the law
 */
export function bendsOf(
  angles: Angles,
  attributes: Readonly<Record<string, Float64Array>>,
  ends: number,
  parameters: NumbersByName,
): Float64Array {
  const names = Object.keys(attributes)
  const values = Object.entries(parameters).map(([name, value]) => [name, constant(value)] as const)
  const slope = slopeIn(energyOf(angles, Object.fromEntries(values)))
  const calls = callsOfLinks(angles)
  const looked = calls.flatMap(arraysOf)
  const slopeOf = evaluator(slope, [angle, ...names.map(endNames.attribute), ...looked])
  const codeOf = (end: number) => {
    const numbers = names.map((name) => attributes[name]?.[end] as number)
    const own = Object.fromEntries(names.map((name, n) => [name, numbers[n] as number]))
    const slopes = samples.map((theta) => {
      const found = withSteps(calls, { ...parameters, ...own, [angleIn(angles.law)]: theta })
      return Math.abs(slopeOf(Float64Array.of(theta, ...numbers, ...looked.map((name) => found[name] ?? 0))))
    })
    const least = 1e-6 * Math.max(...slopes)
    const bent = (slope: number | undefined) => (Number(slope) <= least ? 0 : 1)
    return bent(slopes.at(-1)) + 2 * bent(slopes[0])
  }
  if (names.length === 0) return new Float64Array(ends).fill(codeOf(0))
  return Float64Array.from({ length: ends }, (_, end) => codeOf(end))
}
