import { reduceOperations } from '@manybody/core/judge'
import { afterAll, describe, test } from 'vitest'
import { describeConformance } from '../src/index.ts'
import { exampleBackend } from './example-backend/backend.ts'

const reason = 'only sums over pairs are written yet'
const gaps = [
  {
    case: /^(reductions: (?!an unknown one)|near: (?!sum)|(nearest|count|lists|matrix|map|cells|stencil|functions): )/,
    reason,
  },
  {
    case: new RegExp(
      `^(gates|closed forms|planar|degenerate|ranges|given ranges): .*(count|matrix|nearest|minima|maxima|log-sum-exp|least|(${reduceOperations.join('|')})\\b)`,
    ),
    reason,
  },
  { case: /^(tables: (a matrix|the|a logarithm)|splines: (a matrix|the least))/, reason },
  { case: /^attributes: (a m|the least)/, reason },
  { case: /^pair cutoffs: (?!.*of very different numbers)(counts|lists|a matrix|the) /, reason },
  { case: /^line: (counts|nearest|minima|lists|a matrix|a map|cells|a laplacian|a gradient)/, reason },
  { case: /^vectors: /, reason: 'vectors are not read yet' },
  { case: /^masks: (a maximum|an index of a maximum|a log-sum-exp)/, reason },
  { case: /^close pairs: (nearest|counts|the|a matrix)/, reason },
  { case: /^coincident: (a matrix|the least|the greatest|the index|log-sum-exps)/, reason },
  { case: /^names of (maps|parameters of maps|stencils):/, reason },
  { case: /^degenerate: (matrices|map|cells) /, reason },
  { case: /^far origins: (nearest|counts|the nearest|a matrix|a map)/, reason },
  { case: 'sequences: counts are kept as numbers of the device', reason },
  { case: 'sequences: force and drift, as stepped by hand', reason: 'maps are not written yet' },
]

await describeConformance({ describe, test, afterAll }, exampleBackend(), { gaps, required: true })
