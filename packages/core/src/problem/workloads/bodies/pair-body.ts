/**
 * The body of a pair loop as scheduled expressions. Every backend renders it, whatever its loop looks like.
 *
 * A backend loads `xi, yi, zi` (target) and `xj, yj, zj` (source) and evaluates the bindings of each rate in their place. Then it
 * folds the outputs of the pairs that satisfy `keep`. Displacements, nearest images, cutoffs and guards are expressions, so
 * that no backend writes them. `reads` lists the numbers of tables to read before the bindings of the loop.
 *
 * @module
 */

import { type Axis, axes, axesOf } from '../../../ground/axes.ts'
import type { Precision } from '../../../ground/precision.ts'
import { callOf } from '../../../language/canonical.ts'
import type { RootStyle } from '../../../language/expand-powers.ts'
import { call, constant, type Expr, key, power, product, subtract, sum, symbol } from '../../../language/nodes.ts'
import { rebuildWith } from '../../../language/rebuild.ts'
import { type Binding, type Schedule, schedule } from '../../../language/schedule.ts'
import { factor } from '../../../language/simplify.ts'
import { attributesOf, exchanged, isShared } from '../../interactions/parse-interaction.ts'
import { isVectorTerm } from '../../interactions/vectors.ts'
import { isTermless, ruleOf } from '../../reductions/table.ts'
import { cellNames } from '../cell.ts'
import { squareOfCutoff } from '../cutoff.ts'
import { cutoffSizes } from '../cutoff-sizes.ts'
import { isTilted, repeatOf } from '../domain.ts'
import { finiteAtContact } from '../finite-at-contact.ts'
import { expressionsIn, type Term } from '../quantity.ts'
import { vectorStart } from '../tables/layout.ts'
import type { PairWorkload, Shape } from '../workload.ts'
import { neverZero, singularPairs } from './coincident.ts'
import { anyOf, type Condition, notOf } from './conditions.ts'
import { type Fold, foldsIn, type TermLoop } from './folds.ts'
import type { Guard } from './guard.ts'
import { type Divided, dividedByInertia } from './inertia.ts'
import { inOrder, renaming, type TableRead, tableReads } from './lookups.ts'
import { rateOf } from './rates.ts'
import { termIn, unit } from './scaled-term.ts'
import { splitDisplacement } from './split-displacement.ts'
import { takeOut } from './taken-out.ts'
import { dividedVector } from './vector-term.ts'

export interface PairBody extends Omit<Schedule, 'outputs'> {
  /** The numbers that the loop reads from the array of all tables. */
  readonly reads: readonly TableRead[]
  /** The sums over components of vectors that the loop computes for each pair, or its preparation for each point. */
  readonly folds: readonly Fold[]
  /** Radial terms have one coefficient, which the loop multiplies by `dx, dy, dz`. Other terms have their components. */
  readonly form: Term['form']
  readonly terms: readonly Expr[]
  /** A component of a term that is a vector, in which `terms` are numbers with the names of `pairNumber`; undefined for other terms. */
  readonly vector: TermLoop | undefined
  /** The effect of the target on the source, in the form of `terms`, with the opposite displacement. Empty without reactions. */
  readonly reaction: readonly Expr[]
  /** A factor of the target or the run, taken out of the loop. The sum must be multiplied by it once per target. */
  readonly scale: Expr | undefined
  /** The pair counts if this condition holds; undefined means always. */
  readonly keep: Expr | undefined
  /** Whether the loop must skip `i == j`. A radial term vanishes there anyway. */
  readonly skipSelf: boolean
  /** The names of the bindings that give the sizes of points; in one set, those of the sources are bindings of the target. */
  readonly sizes: { readonly target: string; readonly source: string } | undefined
  /** The attributes to load besides `position`. */
  readonly attributes: { readonly targets: readonly string[]; readonly sources: readonly string[] }
}

export interface PairBodyOptions {
  /** Which coincident points are left out (see `needsGuard`). */
  readonly guard: Guard
  /** The precision of the loop, `f32` by default. A guard per pair tests whether terms are finite in it. */
  readonly precision?: Precision
  readonly roots?: RootStyle
  /** Whether terms of pairs that do not count may be infinite or NaN, because the loop clears their bits. */
  readonly masked?: boolean
  /** Whether a factor of the target may be taken out of the sum. Set it to false if terms are needed one by one. */
  readonly factorOut?: boolean
  /** Whether each pair is visited once and both of its points receive. Then the body has a `reaction`, too. */
  readonly reaction?: boolean
  /** Whether loops search by the sizes of points (`cutoff-sizes.ts`), if the cutoff has any. */
  readonly sizes?: true | undefined
  /** Whether sums of forces are divided by the inertia of each target at the end (`inertia.ts`), if `cancelsInertia`. */
  readonly divides?: boolean
  /** Whether the loop adds up terms that are vectors of any length. Other loops get a few components at a time, as numbers. */
  readonly vectors?: true | undefined
}

/** The parts of a shape that a body depends on. */
export type PairShape = Pick<Shape, 'dimension' | 'sameSet' | 'split' | 'scaled'>

/** The scheduled body of a pair workload. */
export function pairBody(workload: PairWorkload, shape: PairShape, options: PairBodyOptions): PairBody {
  const { dimension, sameSet } = shape
  const { domain, law, limit } = workload
  const { tables } = law
  const { linear } = ruleOf(workload)
  const counting = isTermless(workload)
  const term = termIn(workload, shape)
  const radial = term.form === 'radial'
  const used = axesOf(dimension)

  const whole: readonly Expr[] = counting || limit !== undefined ? [] : radial ? [term.coefficient] : term.components
  const vector =
    options.vectors && whole[0] && isVectorTerm(law)
      ? dividedVector(whole[0], (name) => vectorStart(name, tables) !== undefined)
      : undefined
  const raw = vector?.numbers ?? whole
  const divided = options.divides ? dividedByInertia(workload, raw) : undefined
  // A term that both points share is best computed completely, without a later factor.
  const shared = divided !== undefined || (options.reaction === true && raw.every((e) => isShared(e, tables)))
  const factorOut = (options.factorOut ?? true) && linear && !shared && !vector
  const nonzero = neverZero(workload)
  const finite = (e: Expr) => finiteAtContact(e, nonzero)
  const { scale, terms }: Divided = divided ?? (factorOut ? takeOut(raw, finite) : { scale: undefined, terms: raw })

  const conditions: Expr[] = []
  const square = () => squareOfCutoff(workload, shape.scaled ? unit : undefined)
  if (domain.cutoff) conditions.push(call('lessEqual', symbol('r2'), square()))
  if (limit !== undefined) for (const e of expressionsIn(term)) conditions.push(call('lessEqual', e, constant(limit)))
  // A guarded radial term needs no condition if `safe` keeps its coefficient finite, because its displacement is zero.
  // A term need not be safe if the loop clears its bits.
  const apart = call('less', constant(0), symbol('r2'))
  const singular =
    options.guard === 'per-pair' ? singularPairs(term, options.precision ?? 'f32', nonzero) : options.guard
  const counts: Condition = counting || anyOf(apart, notOf(singular))
  const vanishes = counts === apart && radial && !options.masked && raw.every(finite)
  if (typeof counts !== 'boolean' && !vanishes) conditions.push(counts)
  const safe =
    typeof counts === 'boolean' || options.masked ? undefined : callOf('select', [counts, symbol('r2'), constant(1)])
  const withSafe = (e: Expr) => (safe ? replace(e, 'r2', symbol('safeR2')) : e)

  const given: Binding[] = used.map((axis) => ({ name: `d${axis}`, expr: displacement(workload, shape, axis) }))
  given.push({ name: 'r2', expr: sum(...used.map((axis) => power(symbol(`d${axis}`), 2))) })
  if (safe) given.push({ name: 'safeR2', expr: safe })

  const keep = conditions.length ? conditions.reduce((a, b) => call('and', a, b)) : undefined
  const vectors = radial ? used.map((axis) => symbol(`d${axis}`)) : []
  const reaction = options.reaction ? terms.map((e) => (shared ? e : factor(exchanged(e, tables)))) : []
  const sizes = options.sizes ? cutoffSizes(workload) : undefined
  const outputs = [
    ...terms.map(withSafe),
    ...(keep ? [keep] : []),
    ...(scale ? [scale] : []),
    ...reaction.map(withSafe),
    ...vectors,
    ...(sizes ? [sizes.target, sameSet ? exchanged(sizes.source, tables) : sizes.source] : []),
  ]
  // A guard that reads the step of a function decides what `safeR2` is.
  const squared = options.guard === 'per-pair' ? symbol('r2') : withSafe(symbol('r2'))
  const distance = power(squared, 0.5)
  const wanted = tableReads(outputs, tables, shape.scaled ? product(unit, distance) : distance)
  const places = wanted.map(({ place }) => place)
  const scheduled = schedule([...outputs, ...places], {
    rateOf,
    given,
    positive: counts === apart ? ['safeR2'] : [],
    ...(options.roots ? { roots: options.roots } : {}),
  })
  const placed = wanted.map((read, n) => ({ ...read, place: scheduled.outputs[outputs.length + n] as Expr }))
  const { reads, rest } = inOrder(placed, scheduled.loop)
  const { name: nameOf, rename: renameEntries } = renaming(wanted)
  const everywhere = [...scheduled.target, ...scheduled.source].map((b) => b.expr)
  const looped = [...scheduled.outputs, ...scheduled.loop.map((b) => b.expr)]
  const found = foldsIn([...looped, ...everywhere], options.roots, tables, vector)
  const { folds, run, rename: renameFolds } = found
  const rename = (e: Expr) => renameFolds(renameEntries(e))
  const renamed = ({ name, expr }: Binding): Binding => ({ name, expr: rename(expr) })
  const at = (index: number) => rename(scheduled.outputs[index] as Expr)
  const reactionAt = terms.length + (keep ? 1 : 0) + (scale ? 1 : 0)
  const sized = sizes && sizeBindings(at(outputs.length - 2), at(outputs.length - 1), sameSet)
  const side = (bindings: readonly Binding[], more: readonly Binding[]) => [
    ...(folds.length === 0 ? bindings : bindings.map(renamed)),
    ...more,
  ]

  return {
    run: [...scheduled.run, ...run],
    target: side(scheduled.target, sized ? [sized.target, ...(sameSet ? sized.others : [])] : []),
    source: side(scheduled.source, sized && !sameSet ? sized.others : []),
    sizes: sized && { target: sized.target.name, source: (sized.others[0] ?? sized.target).name },
    folds,
    loop: rest.map(renamed),
    reads: reads.map(({ before, place, numbers }) => ({
      before: before.map(renamed),
      place: rename(place),
      numbers: numbers.map(({ name, offset }) => ({ name: nameOf(name), offset })),
    })),
    form: term.form,
    terms: terms.map((_, n) => at(n)),
    vector: found.vector,
    keep: keep ? at(terms.length) : undefined,
    reaction: reaction.map((_, n) => at(reactionAt + n)),
    scale: scale ? at(terms.length + (keep ? 1 : 0)) : undefined,
    skipSelf: sameSet && domain.self === 'exclude' && !radial,
    attributes: attributesOf(everywhere.map(renameFolds)),
  }
}

/** The sizes as values of their own, also where they equal a number. No symbol has such a name. In one set, both may be one value. */
function sizeBindings(
  target: Expr,
  source: Expr,
  sameSet: boolean,
): { readonly target: Binding; readonly others: readonly Binding[] } {
  const one = sameSet && key(target) === key(source)
  return {
    target: { name: 'size:target', expr: target },
    others: one ? [] : [{ name: 'size:source', expr: source }],
  }
}

/** Source minus target along an axis, to the nearest image. In a triclinic box, coordinates are those of a right-angled one. */
function displacement(workload: PairWorkload, shape: PairShape, axis: Axis): Expr {
  if (!isTilted(workload.domain.boundary)) return straight(workload, shape, axis)
  const n = axes.indexOf(axis)
  const later = axesOf(shape.dimension).slice(n)
  return sum(
    ...later.map((other, k) => product(symbol(cellNames[n]?.[n + k] as string), straight(workload, shape, other))),
  )
}

/** In a right-angled box. Split coordinates are joined first, then the unit is applied. */
function straight({ domain }: PairWorkload, { split, scaled }: PairShape, axis: Axis): Expr {
  const direct = subtract(symbol(`${axis}j`), symbol(`${axis}i`))
  const box = symbol(`box${axis.toUpperCase()}`)
  const repeats = repeatOf(domain.boundary, axes.indexOf(axis)) !== undefined
  const images = repeats ? call('round', product(direct, power(box, -1))) : undefined
  const nearest = images ? subtract(direct, product(box, images)) : direct
  const along = split ? splitDisplacement(direct, axis, images) : nearest
  return scaled ? product(along, power(unit, -1)) : along
}

function replace(e: Expr, name: string, by: Expr): Expr {
  return rebuildWith(e, { symbol: (s) => (s.name === name ? by : s) })
}
