/**
 * The array that the loop of `group-minima` hands to the selection, as WGSL. It contains the least term of each group of
 * sources as `[group, target]`, then the least of each part as `[part, target]`. A part is all sources that one workgroup
 * visits, and has many groups.
 *
 * In the loop `first` is the first source of a group, and `value_r` the least term of the group for target r.
 *
 * @module
 */
import { bits, float, largest } from './fold.ts'

/** Declares `groupCount`, the number of groups. The last group may be smaller than the others. */
export const groupCount = (group: number): string =>
  `let groupCount = (run.sourceLast - run.sourceFirst + ${group - 1}u) / ${group}u;`

const row = (index: string, target: string) => `partial[${index} * run.targetCount + ${target}]`

export const groupMinimum = (group: string, target: string): string => float(row(group, target))
export const partMinimum = (part: string, target: string): string => float(row(`(groupCount + ${part})`, target))

export const openPart = (r: number): string => `var least_${r} = ${largest};`

export const saveGroup = (group: number, r: number): string =>
  `least_${r} = min(least_${r}, value_${r});
if (at_${r} < run.targetCount) { ${row(`((first - run.sourceFirst) / ${group}u)`, `at_${r}`)} = ${bits(`value_${r}`)}; }`

export const savePart = (r: number): string =>
  `if (at_${r} < run.targetCount) { ${row('(groupCount + group.y)', `at_${r}`)} = ${bits(`least_${r}`)}; }`
