/**
 * The least terms that the loop of `group-minima` leaves to the selection, as WGSL: `[group, target]`, and after the groups
 * `[part, target]`, where a part is what a workgroup visited of the sources, many groups.
 *
 * In scope in the loop: `first`, the first source of a group; `best_r`, its least term for target r.
 *
 * @module
 */
import { bits, float, largest } from './fold.ts'

/** Words for each target. */
export const minimaWords = (sources: number, group: number, parts: number): number => Math.ceil(sources / group) + parts

/** Declares `groupCount`: the groups of all sources, the last of which may be smaller. */
export const groupCount = (group: number): string =>
  `let groupCount = (run.sourceLast - run.sourceFirst + ${group - 1}u) / ${group}u;`

const row = (index: string, target: string) => `partial[${index} * run.targetCount + ${target}]`

export const groupMinimum = (group: string, target: string): string => float(row(group, target))
export const partMinimum = (part: string, target: string): string => float(row(`(groupCount + ${part})`, target))

export const openPart = (r: number): string => `var least_${r} = ${largest};`

export const saveGroup = (group: number, r: number): string =>
  `least_${r} = min(least_${r}, best_${r});
if (at_${r} < run.targetCount) { ${row(`((first - run.sourceFirst) / ${group}u)`, `at_${r}`)} = ${bits(`best_${r}`)}; }`

export const savePart = (r: number): string =>
  `if (at_${r} < run.targetCount) { ${row('(groupCount + group.y)', `at_${r}`)} = ${bits(`least_${r}`)}; }`
