/** Describes what a row is about. */

import type { Row } from '../record.ts'

/** `accelerations of gravity`. */
export const subjectOf = ({ problem: { name, expression, workload } }: Row): string =>
  `${workload} of ${expression ?? name}`

/** What is counted: pairs of points, or points and cells of a workload without pairs. */
export const termsOf = ({ problem }: Row): string => (problem.sources > 0 ? 'pairs' : 'points')
