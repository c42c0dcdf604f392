/**
 * Whether a device computes the sizes of points in float32 without an overflow, a lost number or a NaN, whatever the order of factors.
 * Sizes join branches that a pair does not take, so its cutoff may be finite where they are not.
 *
 * @module
 */
import { parseAttribute } from '../../ground/names.ts'
import { Remembered } from '../../ground/remember.ts'
import { type Bounds, boundsOf } from '../../language/bounds.ts'
import { evaluate } from '../../language/evaluate.ts'
import { children, type Expr, isCondition, product, symbolsOf } from '../../language/nodes.ts'
import { once } from '../../language/rebuild.ts'
import type { CutoffSizes } from './cutoff-sizes.ts'

/** Numbers of float32 nearer to 0 lose digits, or are 0. Larger ones leave no room for a sum. */
const [least, most] = [2 ** -126, 2 ** 127]

/** The largest error of sizes by factors that underflow, relative to the longest reach. */
const lost = 2 ** -80

const names = new Remembered<CutoffSizes, readonly string[]>()

/** The last answer for each sizes, because runs with the same bounds follow each other. */
const last = new WeakMap<CutoffSizes, { readonly bounds: string; readonly held: boolean }>()

/**
 * @param of bounds of each symbol
 * @param parameters those of the run, with the longest reach as `cutoff`
 */
export function sizesHold(
  sizes: CutoffSizes,
  of: (symbol: string) => Bounds,
  parameters: Readonly<Record<string, number>>,
): boolean {
  const read = names.of(sizes, () => [...symbolsOf(sizes.target, sizes.source)])
  const bounds = read.map((name) => (parseAttribute(name) ? of(name) : parameters[name])).join()
  const known = last.get(sizes)
  if (known?.bounds === bounds) return known.held
  const held = findWhether(sizes, of, parameters)
  last.set(sizes, { bounds, held })
  return held
}

function findWhether(
  { target, source }: CutoffSizes,
  of: (symbol: string) => Bounds,
  parameters: Readonly<Record<string, number>>,
): boolean {
  const { cutoff = 0 } = parameters
  // The host computes what depends on the run alone.
  const ofRun = (e: Expr) => [...symbolsOf(e)].every((name) => !parseAttribute(name))
  const sizeOf = (e: Expr): number => {
    const [low, high] = boundsOf(e, of)
    return Math.max(-low, high)
  }
  const holds: (e: Expr) => boolean = once((e) => {
    if (ofRun(e)) {
      const value = Math.abs(evaluate(e, parameters))
      return value === 0 || (value >= least && value <= most)
    }
    if (isCondition(e)) return children(e).every(holds)
    if (!(sizeOf(e) <= most)) return false
    if (e.kind !== 'product') return children(e).every(holds)
    const [alone, others] = [e.factors.filter(ofRun), e.factors.filter((f) => !ofRun(f))]
    const factors = alone.length > 0 ? [product(...alone), ...others] : others
    const sizes = factors.map((f) => Math.max(1, sizeOf(f))).sort((a, b) => b - a)
    // A part of the product has two factors at least. It may underflow before the others enlarge it.
    const enlarged = sizes.slice(0, -2).reduce((all, size) => all * size, 1)
    return sizes.reduce((all, size) => all * size) <= most && enlarged * least <= lost * cutoff && factors.every(holds)
  })
  return holds(target) && holds(source)
}
