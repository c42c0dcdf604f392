/**
 * The sizes of points in a cutoff of pairs: no pair reaches farther than the size of its target and that of its source together. Walks over
 * boxes of points then look as far as the largest size in each, not as far as any pair of the run.
 *
 * `radius_i + radius_j` has the radii as sizes, and tables have a size for each kind (`table-sizes.ts`). Products follow from `2*a*b <= a^2 + b^2`, extremes from the extremes of each side.
 * A size is at most the longest reach of a pair, `cutoff`, also if it has no value.
 *
 * @module
 */
import { Remembered } from '../../ground/remember.ts'
import type { Tables } from '../../ground/table.ts'
import { callOf, powerOf, productOf, sumOf } from '../../language/canonical.ts'
import { isLong } from '../../language/limit-size.ts'
import { call, constant, type Expr, type Power, type Product, symbol } from '../../language/nodes.ts'
import { attributesOf } from '../interactions/parse-interaction.ts'
import { cutoffOfPairs } from './cutoff.ts'
import { partsOfTable, withoutLists } from './table-sizes.ts'
import type { PairWorkload } from './workload.ts'

export interface CutoffSizes {
  /** In the attributes of the target, `name_i`, and the parameters; at least 0. */
  readonly target: Expr
  /** In the attributes of the source, `name_j`, and the parameters; at least 0. */
  readonly source: Expr
}

type Parts = readonly [target: Expr, source: Expr]

const found = new Remembered<PairWorkload, CutoffSizes | undefined>()
const zero = constant(0)

/** More than the relative error of sizes, of cutoffs and of their comparison in float32. */
const rounding = 2 ** -16

/**
 * The sizes; undefined if the cutoff has none: it is a number, has no attributes, reads a table by two kinds of one point, or has a
 * function of both sides, a power of their sum or a product of two such sums, or is too long.
 */
export function cutoffSizes(workload: PairWorkload): CutoffSizes | undefined {
  return found.of(workload, () => {
    const cutoff = cutoffOfPairs(workload)
    if (!cutoff || isLong(cutoff) || sidesOf(cutoff) === '') return undefined
    const { tables } = workload.law
    const listless = withoutLists(cutoff, tables)
    const parts = listless && above(listless, tables)
    if (!parts) return undefined
    const [target, source] = parts.map(sizeOf) as [Expr, Expr]
    return isLong(target) || isLong(source) ? undefined : { target, source }
  })
}

const longest = productOf([constant(1 + rounding), symbol('cutoff')])

/** A sum is as exact as its terms are large, so the rounding is relative to them. A comparison with NaN is false. */
function sizeOf(e: Expr): Expr {
  if (e === zero) return zero
  const wide = sumOf([e, productOf([constant(rounding), magnitude(e)])])
  return callOf('select', [call('lessEqual', wide, longest), callOf('max', [zero, wide]), longest])
}

function magnitude(e: Expr): Expr {
  if (e.kind === 'sum') return sumOf(e.terms.map(magnitude))
  return e.kind === 'product' ? productOf(e.factors.map(magnitude)) : callOf('abs', [e])
}

/** The sides whose attributes an expression reads: `i`, `j`, `ij`, or none. */
function sidesOf(e: Expr): string {
  const { targets, sources } = attributesOf([e])
  return `${targets.length > 0 ? 'i' : ''}${sources.length > 0 ? 'j' : ''}`
}

const isMixed = (e: Expr): boolean => sidesOf(e) === 'ij'

/** A part of the target and one of the source. Their sum is at least the expression. Undefined if no rule here finds them. */
function above(e: Expr, tables?: Tables): Parts | undefined {
  const sides = sidesOf(e)
  if (sides === 'i') return [e, zero]
  if (sides === 'j') return [zero, e]
  if (sides === '') return bothOf(productOf([constant(0.5), e]))
  if (e.kind === 'symbol') return partsOfTable(e.name, tables)
  if (e.kind === 'sum') return joined(e.terms, sumOf, tables)
  if (e.kind === 'product') return ofProduct(e, tables)
  if (e.kind === 'power') return ofPower(e)
  if (e.kind !== 'call') return undefined
  const [first, second] = e.args.slice(-2) as [Expr, Expr]
  if (e.name === 'abs') return joined([first, negative(first)], largest, tables)
  if (e.name === 'max' || e.name === 'select') return joined([first, second], largest, tables)
  return e.name === 'min' ? joined([first, second], mean, tables) : undefined
}

const bothOf = (e: Expr): Parts => [e, e]
const negative = (e: Expr): Expr => productOf([constant(-1), e])
const largest = (all: readonly Expr[]): Expr => all.reduce((a, b) => callOf('max', [a, b]))
const mean = (all: readonly Expr[]): Expr => productOf([constant(1 / all.length), sumOf(all)])

/** Joins the parts of several expressions, side by side. */
function joined(
  all: readonly Expr[],
  join: (parts: readonly Expr[]) => Expr,
  tables: Tables | undefined,
): Parts | undefined {
  const parts = all.map((e) => above(e, tables))
  if (!parts.every((one) => one !== undefined)) return undefined
  return [join(parts.map(([target]) => target)), join(parts.map(([, source]) => source))]
}

function ofProduct({ factors }: Product, tables: Tables | undefined): Parts | undefined {
  const [inner, ...others] = factors.filter(isMixed)
  const rest = factors.filter((f) => !isMixed(f))
  if (!inner) return ofOneSided(factors)
  if (others.length > 0) return undefined
  const times = (e: Expr) => productOf([...rest, e])
  if (inner.kind === 'sum') return above(sumOf(inner.terms.map(times)), tables)
  const factor = productOf(rest)
  if (sidesOf(factor) !== '') return undefined
  // A parameter may have either sign.
  if (factor.kind !== 'constant') return timesSize(factor, callOf('abs', [inner]), tables)
  if (inner.kind === 'call' && (inner.name === 'max' || inner.name === 'min' || inner.name === 'select')) {
    const [condition, args] = [inner.args.slice(0, -2), inner.args.slice(-2).map(times)]
    const opposite = { max: 'min', min: 'max', select: 'select' } as const
    return above(callOf(factor.value < 0 ? opposite[inner.name] : inner.name, [...condition, ...args]), tables)
  }
  return timesSize(factor, inner, tables)
}

/** Of a power, an absolute value or a number of a table, which have parts that hold for both signs. */
function timesSize(factor: Expr, e: Expr, tables: Tables | undefined): Parts | undefined {
  const parts = above(e, tables)
  return parts && [scaled(factor, parts[0]), scaled(factor, parts[1])]
}

const scaled = (factor: Expr, e: Expr): Expr => productOf([callOf('abs', [factor]), e])

/**
 * A product of factors that each read one side at most: half the square of each side, times the size of the other factors. Their root is
 * within the square, where the square of a side alone may overflow or underflow.
 */
function ofOneSided(factors: readonly Expr[]): Parts {
  const of = (sides: string) => productOf(factors.filter((f) => sidesOf(f) === sides))
  const root = powerOf(productOf([constant(0.5), callOf('abs', [of('')])]), 0.5)
  // The square of an absolute value stays one, so its factors stay together.
  const half = (sides: string) => powerOf(callOf('abs', [productOf([root, of(sides)])]), 2)
  return [half('i'), half('j')]
}

/** A power of a product has the powers of the sizes of its factors. */
function ofPower({ base, exponent }: Power): Parts | undefined {
  if (base.kind !== 'product' || base.factors.some(isMixed)) return undefined
  return ofOneSided(base.factors.map((f) => powerOf(callOf('abs', [f]), exponent)))
}
