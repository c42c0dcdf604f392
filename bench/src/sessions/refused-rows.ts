/** The rows of contenders that could not run, because their environment is missing or ended in the middle of a problem. */

import type { BackendSpec } from '../contenders/backend.ts'
import { infoOf, type ProblemSpec, sketchOf } from '../problem.ts'
import type { Row } from '../record.ts'

export function refusedRows(
  environment: string,
  specs: readonly BackendSpec[],
  spec: ProblemSpec,
  reason: string,
): readonly Row[] {
  const problem = sketchOf(spec)
  return specs.map(({ backend, precision = 'f32', plan }) => ({
    environment,
    problem: infoOf(problem),
    contender: {
      name: backend,
      rival: false,
      device: '-',
      kind: 'cpu',
      precision,
      ...(plan ? { variant: plan.variant, sizes: plan.sizes ?? {} } : {}),
    },
    interactions: problem.interactions,
    outcome: { refused: reason },
  }))
}
