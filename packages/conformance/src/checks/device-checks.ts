/**
 * All checks of a device, in order; the last one disposes it.
 *
 * @module
 */
import { bufferChecks } from './buffers.ts'
import { carryingChecks } from './carrying.ts'
import type { Check } from './check.ts'
import { combiningChecks } from './combining.ts'
import { disposalChecks } from './disposal.ts'
import { fewerChecks } from './fewer.ts'
import { functionChecks } from './functions.ts'
import { gatheringChecks } from './gathering.ts'
import { gridChecks } from './grids/grid-sums.ts'
import { identityChecks } from './identity.ts'
import { rangedStageChecks } from './ranged-stages.ts'
import { runChecks } from './runs.ts'
import { sequenceChecks } from './sequences.ts'
import { energyDomainChecks } from './sums/energy-domains.ts'
import { nanTermChecks } from './sums/nan-terms.ts'
import { treeChecks } from './sums/trees.ts'
import { wholeVectorChecks } from './sums/whole-vectors.ts'
import { unknownReductionChecks } from './unknown-reduction.ts'

export const deviceChecks: readonly Check[] = [
  ...identityChecks,
  ...functionChecks,
  ...nanTermChecks,
  ...energyDomainChecks,
  ...wholeVectorChecks,
  ...combiningChecks,
  ...unknownReductionChecks,
  ...bufferChecks,
  ...fewerChecks,
  ...runChecks,
  ...sequenceChecks,
  ...rangedStageChecks,
  ...gatheringChecks,
  ...carryingChecks,
  ...treeChecks,
  ...gridChecks,
  ...disposalChecks,
]
