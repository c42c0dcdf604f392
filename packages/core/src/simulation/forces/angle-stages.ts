/**
 * The maps of angles: the legs of an angle, the angle with its derivative, what each end receives, and the energy.
 *
 * Unit vectors u and v point from the vertex to the outer points. Moved along the part of v that is perpendicular to u, the first
 * outer point changes the angle by -1 over its distance; likewise the other, and the vertex by the opposite of both. The length of that part
 * is the sine; it has digits also where the angle is nearly straight and 1 - cos^2 has none left.
 *
 * @module
 */
import { differentiate } from '../../expression/differentiate.ts'
import { parseFinite } from '../../expression/finite-constants.ts'
import { toText } from '../../expression/infix.ts'
import { constant, type Expr, symbol } from '../../expression/nodes.ts'
import { simplify, substitute } from '../../expression/simplify.ts'
import { axesOf } from '../../interactions/interaction.ts'
import { gatherMap } from '../../workloads/particle.ts'
import type { Dimension } from '../../workloads/workload.ts'
import { angle } from './angle-law.ts'
import type { Angles } from './angles.ts'
import { type BondMap, endNames } from './bond-stages.ts'

const places = ['own', 'other', 'third'] as const
const atVertex = `0.5 < ${endNames.vertex}`
const { legU, legV, along, angle: angleOfEnd } = endNames

/** From the vertex to both outer points, across faces of the box. At an outer end, the first one is the point of the end. */
export function legMap({ boundary }: Angles, dimension: Dimension): BondMap {
  const displacement = (outer: (axis: string) => string) =>
    axesOf(dimension).map((axis, n) => {
      const direct = `${outer(axis)} - select(${atVertex}, own_position_${axis}, other_position_${axis})`
      if (boundary.kind === 'open') return direct
      const length = boundary.lengths[n] as number
      return `direct - ${length}*round(direct/${length}); direct = ${direct}`
    })
  const outputs = {
    [legU]: displacement((axis) => `select(${atVertex}, other_position_${axis}, own_position_${axis})`),
    [legV]: displacement((axis) => `third_position_${axis}`),
  }
  const gather = places.map((place) => [`${place}_position`, { of: 'position', at: endNames[place] }])
  return { workload: gatherMap(outputs, Object.fromEntries(gather)), vectors: gather.map(([name]) => name as string) }
}

/** The angle, and its derivative by the place of each end. */
export function angleMap(dimension: Dimension): BondMap {
  const own = axesOf(dimension)
  const sumOf = (term: (axis: string) => string) => own.map(term).join(' + ')
  const side = (name: string, leg: string) => [
    `squared${name} = ${sumOf((axis) => `${leg}_${axis}^2`)}`,
    `length${name} = sqrt(select(0 < squared${name}, squared${name}, 1))`,
    ...own.map((axis) => `unit${name}${axis} = ${leg}_${axis}/length${name}`),
  ]
  const definitions = [
    ...[...side('U', legU), ...side('V', legV)],
    `cosine = ${sumOf((axis) => `unitU${axis}*unitV${axis}`)}`,
    ...own.map((axis) => `acrossU${axis} = unitV${axis} - cosine*unitU${axis}`),
    ...own.map((axis) => `acrossV${axis} = unitU${axis} - cosine*unitV${axis}`),
    `squares = ${sumOf((axis) => `acrossU${axis}^2`)}`,
    'sine = sqrt(select(0 < squares, squares, 1))',
  ]
  const derivative = (axis: string) =>
    `select(${atVertex}, ofU + ofV, -ofU); ofU = acrossU${axis}/(lengthU*sine); ofV = acrossV${axis}/(lengthV*sine)`
  const texts = { [along]: own.map(derivative), [angleOfEnd]: 'atan2(sqrt(squares), cosine)' }
  const outputs = Object.entries(texts).map(([name, text]) => [
    name,
    typeof text === 'string' ? [text, ...definitions].join('; ') : text.map((one) => [one, ...definitions].join('; ')),
  ])
  return { workload: gatherMap(Object.fromEntries(outputs), {}), vectors: [legU, legV] }
}

/** The force on each end, divided by the inertia of its point if there is one, in `sum`. */
export function angleForces(angles: Angles, inertia: string | undefined, dimension: Dimension): BondMap {
  const slope = toText(simplify(differentiate(energyOf(angles), angleOfEnd)))
  const divisor = inertia === undefined ? '' : '/own_inertia'
  const sum = axesOf(dimension).map((axis) => `-slope*${along}_${axis}${divisor}; slope = ${slope}`)
  const gather = inertia === undefined ? {} : { own_inertia: { of: inertia, at: endNames.own } }
  return { workload: gatherMap({ sum }, gather), vectors: [along] }
}

/** The energy of the angle of each end, in `sum`: all three ends have it. */
export const angleEnergies = (angles: Angles): BondMap => ({
  workload: gatherMap({ sum: toText(simplify(energyOf(angles))) }, {}),
  vectors: [],
})

/** The energy, in the angle and the numbers of each end. */
function energyOf({ law, attributes }: Angles): Expr {
  const energy = parseFinite(law.expression, { names: [angle, ...Object.keys(law.parameters)] })
  const values = Object.entries(law.parameters).map(([name, value]) => [
    name,
    Object.hasOwn(attributes, name) ? symbol(endNames.attribute(name)) : constant(value),
  ])
  return substitute(energy, { ...Object.fromEntries(values), [angle]: symbol(angleOfEnd) })
}
