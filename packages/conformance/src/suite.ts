/**
 * All cases of the suite, family by family.
 *
 * @module
 */
import type { Case } from './case.ts'
import { closedFormCases } from './cases/closed-forms.ts'
import { degenerateCases } from './cases/degenerate.ts'
import { domainCases } from './cases/domains.ts'
import { extremeCases } from './cases/extremes.ts'
import { farOriginCases } from './cases/far-origins.ts'
import { gateCases } from './cases/gates.ts'
import { gridCases } from './cases/grids.ts'
import { lawCases } from './cases/laws.ts'
import { mapCases } from './cases/maps.ts'
import { maskCases } from './cases/masks.ts'
import { matrixCases } from './cases/matrices.ts'
import { nameCases } from './cases/names.ts'
import { neighbourCases } from './cases/neighbours.ts'
import { planarCases } from './cases/planar.ts'
import { rangeCases } from './cases/ranges.ts'
import { reductionCases } from './cases/reductions.ts'
import { reuseCases } from './cases/reuse.ts'
import { termCases } from './cases/terms.ts'
import { twoSetCases } from './cases/two-sets.ts'

/** Made once, when first asked for. */
export function suite(): readonly Case[] {
  cases ??= [
    ...gateCases(),
    ...closedFormCases(),
    ...lawCases(),
    ...termCases(),
    ...nameCases(),
    ...twoSetCases(),
    ...planarCases(),
    ...domainCases(),
    ...degenerateCases(),
    ...extremeCases(),
    ...farOriginCases(),
    ...maskCases(),
    ...reuseCases(),
    ...rangeCases(),
    ...reductionCases(),
    ...neighbourCases(),
    ...matrixCases(),
    ...mapCases(),
    ...gridCases(),
  ]
  return cases
}

let cases: readonly Case[] | undefined
