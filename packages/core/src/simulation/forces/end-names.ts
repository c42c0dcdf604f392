/**
 * The arrays of the ends of links by name, and the maps that read them.
 *
 * @module
 */
import type { MapWorkload } from '../../problem/workloads/workload.ts'

/** The names of the arrays of ends. */
export const endNames = {
  own: 'endOwn',
  /** Of bonds: the other point. */
  other: 'endOther',
  /** Of angles and dihedrals: all points in their order, the place of the end among them, and the legs between them. */
  member: (place: number): string => `endMember${place}`,
  place: 'endPlace',
  legU: 'endLegU',
  legV: 'endLegV',
  legW: 'endLegW',
  /** Of angles: the effect of the law on a straight one. */
  bends: 'endBends',
  /** Of angles: the direction of the second leg across the first. */
  across: 'endAcross',
  /** Of angles and dihedrals: the angle, and its derivative by the place of the end. */
  angle: 'endAngle',
  along: 'endAlong',
  /** The number of each bond that replaces a parameter. */
  attribute: (name: string): string => `bond_${name}`,
  /** Of bonds: a number of a table for the kinds of both points. */
  table: (n: number): string => `endTable${n}`,
  /** The numbers of a tabulated function at each end. */
  curve: (n: number): string => `endCurve${n}`,
  /** The end to add in a round. */
  round: (n: number): string => `endRound${n}`,
  /** Of points: their first end. */
  first: 'endFirst',
  /** Sums of ends; rounds read one and write the other. */
  sums: ['endSum0', 'endSum1'],
} as const

/** A map of ends or of their sums. */
export interface BondMap {
  readonly workload: MapWorkload
  /** The vectors among the arrays that it reads. */
  readonly vectors: readonly string[]
}
