/**
 * All cases of the suite, family by family.
 *
 * @module
 */
import type { Case } from './case.ts'
import { gateCases } from './cases/gates.ts'
import { gridCases } from './cases/grids.ts'
import { lawCases } from './cases/laws.ts'
import { mapCases } from './cases/maps.ts'
import { matrixCases } from './cases/matrices.ts'
import { neighbourCases } from './cases/neighbours.ts'
import { reductionCases } from './cases/reductions.ts'
import { termCases } from './cases/terms.ts'

export function suite(): readonly Case[] {
  return [
    ...gateCases(),
    ...lawCases(),
    ...termCases(),
    ...reductionCases(),
    ...neighbourCases(),
    ...matrixCases(),
    ...mapCases(),
    ...gridCases(),
  ]
}
