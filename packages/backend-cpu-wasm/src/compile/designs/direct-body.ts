/**
 * The body of a pair workload in a periodic box, for pairs that are their own nearest images.
 *
 * @module
 */
import type { PairWorkload, Shape } from '@manybody/core'
import { isTilted } from '@manybody/core/backend'
import {
  type Binding,
  type Expr,
  key,
  open,
  type PairBody,
  pairBody,
  rebuildWith,
  symbol,
} from '@manybody/core/expression'

/**
 * The same body without images, if it reads the same values of the run, of targets and of sources. Undefined if it reads other
 * values, or if images change more than the displacement.
 */
export function directBody(
  workload: PairWorkload,
  shape: Shape,
  body: PairBody,
  options: Parameters<typeof pairBody>[2],
): PairBody | undefined {
  // Coordinates in two parts are joined to displacements in another way.
  if (shape.split) return undefined
  const { boundary } = workload.domain
  // A triclinic box that repeats along no axis still has tilts.
  const without = isTilted(boundary) ? { ...boundary, lengths: [] } : open()
  const direct = pairBody({ ...workload, domain: { ...workload.domain, boundary: without } }, shape, options)
  const names = new Map<string, Expr>()
  const renamed = (e: Expr) => rebuildWith(e, { symbol: (s) => names.get(s.name) ?? s })
  for (const rate of ['run', 'target', 'source'] as const)
    for (const { name, expr } of direct[rate]) {
      const wanted = key(renamed(expr))
      const known = body[rate].find((binding) => key(binding.expr) === wanted)
      if (known === undefined) return undefined
      names.set(name, symbol(known.name))
    }
  const binding = ({ name, expr }: Binding): Binding => ({ name, expr: renamed(expr) })
  const loop = direct.loop.map(binding)
  return {
    ...body,
    loop,
    reads: direct.reads.map(({ before, place, numbers }) => ({
      before: before.map(binding),
      place: renamed(place),
      numbers,
    })),
    terms: direct.terms.map(renamed),
    reaction: direct.reaction.map(renamed),
    keep: direct.keep && renamed(direct.keep),
  }
}
