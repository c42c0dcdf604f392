/**
 * The stages of links: their angles, dihedrals and functions, and the forces on their ends, which add up in an array of the points.
 *
 * @module
 */
import { ownerOf } from '../numbers/numbers.ts'
import { angleMap, legMap } from './angle-stages.ts'
import { placesOf, receivedMap, roundMap } from './bond-stages.ts'
import { dihedralLegMap, dihedralMap } from './dihedral-stages.ts'
import type { BondMap } from './end-names.ts'
import type { Links } from './ends.ts'
import type { ForceParts } from './force.ts'
import { angularCallMaps, bondCallMaps, type CallMaps } from './link-calls.ts'
import { type EndSets, type EvaluationOptions, ownNames, type PlannedStage } from './planned-stage.ts'

/** The stages that find the angles and dihedrals of the points as they are, and look the functions of links up. */
export function angleStages(
  { angular, bonds }: ForceParts,
  { dimension, rounding, numbers }: Pick<EvaluationOptions, 'dimension' | 'rounding' | 'numbers'>,
): readonly PlannedStage[] {
  const ofBonds = bonds.flatMap(({ bonds: links }) => lookedUp(links, bondCallMaps(links, dimension)))
  const ofAngles = angular.flatMap((links, n) => {
    const legs = 'angles' in links ? legMap(links, dimension) : dihedralLegMap(links)
    const turned = 'angles' in links ? angleMap(dimension, rounding) : dihedralMap(rounding)
    return [
      endStage(links, ['ends', 'points'], legs),
      endStage(links, ['ends', 'ends'], turned),
      ...lookedUp(links, angularCallMaps(links, ownerOf('Angular', n), numbers)),
    ]
  })
  return [...ofBonds, ...ofAngles]
}

/** The stages that look the functions of links up, for each end. */
const lookedUp = (links: Links, maps: readonly CallMaps[]): readonly PlannedStage[] =>
  maps.flatMap(({ call, step, numbers }) => [
    endStage(links, ['ends', 'points'], step),
    { ...endStage(links, ['ends', 'ends'], numbers), curve: { call, gathers: 'steps' } },
  ])

/** @param places where the results go; by default to arrays of their names */
function endStage(
  links: Links,
  [visits, gathers]: readonly [EndSets['visits'], EndSets['gathers']],
  { workload, vectors }: BondMap,
  places: Readonly<Record<string, string>> = ownNames(workload),
): PlannedStage {
  return { workload, outputs: places, ends: { links, visits, gathers, vectors } }
}

/** The stages that add up the forces on the ends of links, in an array of the points. */
export function endStages(
  { links, map: ends }: { readonly links: Links; readonly map: BondMap },
  place: string,
  { dimension, rounds: numbers }: Pick<EvaluationOptions, 'dimension' | 'rounds'>,
): readonly PlannedStage[] {
  const count = numbers.get(links) ?? 0
  const rounds = Array.from({ length: count }, (_, n) =>
    endStage(links, ['ends', 'ends'], roundMap(n, dimension), { sum: placesOf(n)[1] }),
  )
  return [
    endStage(links, ['ends', 'points'], ends, { sum: placesOf(0)[0] }),
    ...rounds,
    endStage(links, ['points', 'ends'], receivedMap(count, dimension), { sum: place }),
  ]
}
