/**
 * The maps of dihedrals: the three legs of a dihedral, and its angle with the derivative.
 *
 * The angle turns about the middle leg. With unit vectors u, e and w along the legs, m = u x e and n = e x w are normal to the planes of
 * the first and of the last three points. An outer point changes the angle along the normal of its plane, and the derivatives by the
 * inner points follow, because moving or turning all four changes nothing (Blondel and Karplus 1996). Three points on a line have
 * no plane: then the angle is 0, and nothing pulls.
 *
 * @module
 */
import { axesOf } from '../../ground/axes.ts'
import { gatherMap } from '../../problem/workloads/particle.ts'
import type { Dihedrals } from './angles.ts'
import { type BondMap, endNames } from './end-names.ts'
import { legBetween, lengthOf, mapOfLegs, sumOver } from './legs.ts'

const { place, legU, legV, legW, angle, along } = endNames
const axes = axesOf(3)

/** The legs from each point to the next, across faces of the box. */
export function dihedralLegMap(links: Dihedrals): BondMap {
  const leg = (name: string, first: number) => {
    const definitions = legBetween(name, [first, first + 1], links, 3)
    return axes.map((axis) => [`${name}${axis}`, ...definitions].join('; '))
  }
  return mapOfLegs(links, { [legU]: leg('u', 0), [legV]: leg('v', 1), [legW]: leg('w', 2) })
}

const dot = (a: string, b: string) => `(${sumOver(3, (axis) => `${a}${axis}*${b}${axis}`)})`

const crossed = (name: string, a: string, b: string) => [
  `${name}x = ${a}y*${b}z - ${a}z*${b}y`,
  `${name}y = ${a}z*${b}x - ${a}x*${b}z`,
  `${name}z = ${a}x*${b}y - ${a}y*${b}x`,
]

/** A leg as definitions: its length and its unit vector. */
function unit(name: string, leg: string): readonly string[] {
  const squared = sumOver(3, (axis) => `${leg}_${axis}^2`)
  return [...lengthOf(name, squared), ...axes.map((axis) => `${name}${axis} = ${leg}_${axis}/length${name}`)]
}

/** The angle, and its derivative by the place of each end. @param rounding the relative error of an operation */
export function dihedralMap(rounding: number): BondMap {
  const line = `min(sine1, sine2) < ${(8 * rounding) ** 2}`
  const definitions = [
    ...unit('u', legU),
    ...unit('e', legV),
    ...unit('w', legW),
    ...crossed('m', 'u', 'e'),
    ...crossed('n', 'e', 'w'),
    `sine1 = ${dot('m', 'm')}`,
    `sine2 = ${dot('n', 'n')}`,
    ...axes.map((axis) => `a${axis} = -m${axis}/(lengthu*select(${line}, 1, sine1))`),
    ...axes.map((axis) => `d${axis} = n${axis}/(lengthw*select(${line}, 1, sine2))`),
    // How far the outer points lie along the middle leg, in its lengths.
    `before = ${dot('u', 'e')}*lengthu/lengthe`,
    `behind = ${dot('w', 'e')}*lengthw/lengthe`,
    ...axes.map((axis) => `shift${axis} = behind*d${axis} - before*a${axis}`),
  ]
  const defined = (text: string) => [text, ...definitions].join('; ')
  const derivative = (axis: string) =>
    `select(${line}, 0, select(${place} < 1.5, select(${place} < 0.5, a${axis}, shift${axis} - a${axis}), select(${place} < 2.5, -shift${axis} - d${axis}, d${axis})))`
  const outputs = {
    [along]: axes.map((axis) => defined(derivative(axis))),
    [angle]: defined(`select(${line}, 0, atan2(${dot('u', 'n')}, ${dot('m', 'n')}))`),
  }
  return { workload: gatherMap(outputs, {}), vectors: [legU, legV, legW] }
}
