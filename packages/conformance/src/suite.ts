/**
 * All cases of the suite, family by family.
 *
 * @module
 */
import type { Case } from './case.ts'
import { gridCases } from './cases/elements/grids.ts'
import { mapCases } from './cases/elements/maps.ts'
import { listCases } from './cases/folds/lists.ts'
import { matrixCases } from './cases/folds/matrices.ts'
import { neighbourCases } from './cases/folds/neighbours.ts'
import { reductionCases } from './cases/folds/reductions.ts'
import { attributeCases } from './cases/laws/attributes.ts'
import { closedFormCases } from './cases/laws/closed-forms.ts'
import { gateCases } from './cases/laws/gates.ts'
import { lawCases } from './cases/laws/laws.ts'
import { nameCases } from './cases/laws/names.ts'
import { splineCases } from './cases/laws/splines.ts'
import { tableCases } from './cases/laws/tables.ts'
import { termCases } from './cases/laws/terms.ts'
import { vectorCases } from './cases/laws/vectors.ts'
import { closePairCases } from './cases/points/close-pairs.ts'
import { coincidentCases } from './cases/points/coincident.ts'
import { degenerateCases } from './cases/points/degenerate.ts'
import { domainCases } from './cases/points/domains.ts'
import { extremeCases } from './cases/points/extremes.ts'
import { farOriginCases } from './cases/points/far-origins.ts'
import { maskCases } from './cases/points/masks.ts'
import { nearCases } from './cases/points/near.ts'
import { lineCases } from './cases/points/on-a-line.ts'
import { pairCutoffCases } from './cases/points/pair-cutoffs.ts'
import { planarCases } from './cases/points/planar.ts'
import { twoSetCases } from './cases/points/two-sets.ts'
import { givenRangeCases } from './cases/runs/given-ranges.ts'
import { rangeCases } from './cases/runs/ranges.ts'
import { reuseCases } from './cases/runs/reuse.ts'

/** Made once, when first asked for. */
export function suite(): readonly Case[] {
  cases ??= [
    ...gateCases(),
    ...closedFormCases(),
    ...lawCases(),
    ...termCases(),
    ...attributeCases(),
    ...tableCases(),
    ...splineCases(),
    ...vectorCases(),
    ...nameCases(),
    ...twoSetCases(),
    ...planarCases(),
    ...lineCases(),
    ...domainCases(),
    ...nearCases(),
    ...pairCutoffCases(),
    ...degenerateCases(),
    ...coincidentCases(),
    ...extremeCases(),
    ...farOriginCases(),
    ...closePairCases(),
    ...maskCases(),
    ...reuseCases(),
    ...rangeCases(),
    ...givenRangeCases(),
    ...reductionCases(),
    ...neighbourCases(),
    ...listCases(),
    ...matrixCases(),
    ...mapCases(),
    ...gridCases(),
  ]
  return cases
}

let cases: readonly Case[] | undefined
