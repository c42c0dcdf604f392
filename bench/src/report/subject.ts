/** The subject of a row, in words. */

import type { Row } from '../record.ts'

/** `accelerations of gravity`; `gravity in cube`, which names its points. */
export const subjectOf = ({ problem: { name, expression, workload } }: Row): string =>
  workload.endsWith(` in ${name}`) ? workload : `${workload} of ${expression ?? name}`

/** `accelerations of gravity, N = 4096`. */
export function sized(row: Row): string {
  const { targets, sources } = row.problem
  const points = sources === 0 || sources === targets ? `N = ${targets}` : `${targets} targets, ${sources} sources`
  return `${subjectOf(row)}, ${points}`
}

/** The problem of some rows. */
export function titleOf([row]: readonly Row[]): string {
  if (!row) return ''
  const { dimension, features } = row.problem
  return `${sized(row)}, ${features ? `${features} features` : `${dimension}-D`}`
}

/** The counted terms: pairs of points, or points and cells of a workload without pairs. */
export const termsOf = ({ problem }: Row): string => (problem.sources > 0 ? 'pairs' : 'points')
