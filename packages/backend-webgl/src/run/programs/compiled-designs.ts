/**
 * The designs of a workload that was compiled ahead.
 *
 * @module
 */
import type { Plan, Shape } from '@manybody/core'
import { requireFiledLoop } from '@manybody/core/backend'
import {
  type CompiledWebGl,
  dialectName,
  type FiledDesign,
  type FiledDialect,
  tilesKey,
} from '../../design/compiled.ts'
import {
  counted,
  elementCounts,
  loopCounts,
  matrixCounts,
  type PassCounts,
  packCounts,
  tilesOf,
} from '../../design/counts.ts'
import { type GuardedDesigns, loopVariant, type ProgramDesign } from '../../design/design.ts'
import type { DeviceFacts } from '../../design/facts.ts'
import { pagesFor, type SheetTiles, wholeSheet } from '../../design/layout.ts'

/** @throws RangeError if the file has no design for a run, or another loop than the plan */
export function compiledDesigns(
  compiled: CompiledWebGl,
  shape: Shape,
  facts: DeviceFacts,
  plan?: Plan,
): GuardedDesigns {
  requireFiledLoop(plan, loopVariant)
  const { split = false, scaled = false } = shape
  const form = compiled.find((one) => one.split === split && one.scaled === scaled)
  if (!form)
    throw new RangeError(
      '"workload.compiled" expected programs for points that are very close to each other or very far apart, got none; compile it with far: true, or use precision "f64"',
    )
  const dialect = form.dialects[dialectName(facts)]
  if (!dialect) throw new Error(`no program for ${dialectName(facts)}; compile the law again`)
  const tiles = tilesFor(dialect, shape, facts)
  const designs = dialect.designs[tilesKey(tiles)] ?? {}
  return {
    rule: form.rule,
    of(guard) {
      const design = designs[`${guard}`]
      if (!design) throw new Error(`no program for the guard ${guard}; compile the law again`)
      return designFor(design, shape, tiles)
    },
  }
}

/** The tiles that this device draws at the same time, if the file has them. */
function tilesFor({ tiling, designs }: FiledDialect, { targets }: Shape, { outputs }: DeviceFacts): SheetTiles {
  const [one] = Object.values(designs).flatMap((guards) => Object.values(guards))
  if (one?.driver !== 'pair') return wholeSheet
  const tiles = tilesOf({ outputs, ...tiling }, pagesFor(one.state.components), targets)
  return Object.hasOwn(designs, tilesKey(tiles)) ? tiles : { ...tiles, down: 1 }
}

/** A design for these numbers of points. */
function designFor({ passes, ...design }: FiledDesign, { targets, sources }: Shape, tiles: SheetTiles): ProgramDesign {
  const completed = (counts: (pages: number) => PassCounts, n = 0) => {
    const { pages = 1, ...pass } = passes[n] ?? {}
    return counted(pass as Omit<ProgramDesign['passes'][number], keyof PassCounts>, counts(pages))
  }
  if (design.driver === 'element') return { ...design, passes: [completed((pages) => elementCounts(pages, targets))] }
  const pack = completed((pages) => packCounts(pages, sources))
  if (design.driver === 'pair')
    return { ...design, passes: [pack, completed((pages) => loopCounts(pages, tiles, targets, sources), 1)] }
  const { rows, stride, loop } = matrixCounts(targets, sources)
  return { ...design, rows, stride, passes: [pack, completed(() => loop, 1)] }
}
