/**
 * The contribution of one pair, derived from its law. This is the only place where energy becomes force and a cutoff is
 * applied.
 *
 * With d = x_j - x_i and r2 = d.d, a potential u gives the force on the target `F_i = -du/dx_i = 2 du/d(r2) d + du/d(d)`. The second
 * part is absent when u depends on distance alone. Then the term is *radial*: one coefficient times the displacement.
 *
 * @module
 */

import { axesOf } from '../../ground/axes.ts'
import { Remembered } from '../../ground/remember.ts'
import { powerOf, productOf, sumOf } from '../../language/canonical.ts'
import { differentiate } from '../../language/differentiate.ts'
import { requireSize } from '../../language/limit-size.ts'
import { isOfStep, numberAtCutoff } from '../../language/lookups.ts'
import { constant, dependsOn, type Expr, isConstant, symbol, symbolsOf } from '../../language/nodes.ts'
import { parse } from '../../language/parse.ts'
import { factor, substitute } from '../../language/simplify.ts'
import { radialForce } from '../interactions/composed/radial-force.ts'
import type { Interaction } from '../interactions/interaction.ts'
import { attributesOf, expressionsOf } from '../interactions/parse-interaction.ts'
import { cutoffOf, cutoffOfPairs } from './cutoff.ts'
import type { Dimension, PairWorkload } from './workload.ts'

/** A radial term is `coefficient * d`, a vector along the displacement. Otherwise each component has its expression. */
export type Term =
  | { readonly form: 'radial'; readonly coefficient: Expr }
  | { readonly form: 'components'; readonly components: readonly Expr[] }

/** One for each number that a pair evaluates. */
export const expressionsIn = (term: Term): readonly Expr[] =>
  term.form === 'radial' ? [term.coefficient] : term.components

const inComponents = (components: readonly Expr[]): Term => ({ form: 'components', components })

const displacement = ['dx', 'dy', 'dz'] as const

/**
 * The term of a workload, in `dx dy dz r2`, attributes, parameters, and `cutoff` and `switchDistance` if it has them. The
 * loop decides which pairs count; the term is only right for those.
 *
 * @throws TypeError if the law does not fit the dimension
 */
export function termOf(workload: PairWorkload, dimension: Dimension): Term {
  return derived.of(workload, () => requireTermSize(derive(workload, dimension), workload), String(dimension))
}

function requireTermSize(term: Term, { law, quantity }: PairWorkload): Term {
  const text = Object.values(law.expressions).join('; ')
  for (const e of expressionsIn(term)) requireSize(e, text, `the ${quantity}`)
  return term
}

/** Remembers terms, because deriving is symbolic work and every run needs the term. */
const derived = new Remembered<PairWorkload, Term>()

function derive(workload: PairWorkload, dimension: Dimension): Term {
  const { law, quantity, domain } = workload
  const expressions = expressionsOf(law)
  checkDimension(law, expressions, dimension)
  const window = domain.cutoff?.switchDistance === undefined ? constant(1) : switching
  if (law.kind === 'term') return inComponents(Object.values(expressions).map((e) => finish([e, window])))
  if (quantity === 'potential') return inComponents([finish([energyOf(workload)])])
  const force =
    law.kind === 'potential' ? forceOfEnergy(energyOf(workload), dimension) : forceOfLaw(expressions, window)
  if (quantity === 'virial') return inComponents([virialOf(force, dimension)])
  const inverse = quantity === 'acceleration' ? powerOf(symbol(`${law.inertia}_i`), -1) : constant(1)
  return force.form === 'radial'
    ? { form: 'radial', coefficient: finish([force.coefficient, inverse]) }
    : inComponents(force.components.map((e) => finish([e, inverse])))
}

/** The attributes that a workload's term and cutoff read from both points of a pair. */
export function attributesRead(
  workload: PairWorkload,
  dimension: Dimension,
): { readonly targets: readonly string[]; readonly sources: readonly string[] } {
  const read = () => attributesOf([...expressionsIn(termOf(workload, dimension)), cutoffOf(workload)])
  return reads.of(workload, read, String(dimension))
}

const reads = new Remembered<PairWorkload, ReturnType<typeof attributesOf>>()

/** The number of components of a pair's term. */
export function componentsOf(workload: PairWorkload, dimension: Dimension): number {
  const term = termOf(workload, dimension)
  return term.form === 'radial' ? dimension : term.components.length
}

const finish = (factors: readonly Expr[]): Expr => factor(productOf(factors))

/**
 * 1 up to `switchDistance`, 0 at `cutoff`, with two continuous derivatives. With y the remaining distance to the cutoff it is
 * `10y^3 - 15y^4 + 6y^5`, which keeps its digits when small; `1 - 10x^3 + ...` would lose them.
 */
const switching: Expr = substitute(
  parse(
    'select(r2 <= switchDistance^2, 1, y^3*(10 - y*(15 - 6*y))); y = (cutoff - sqrt(r2))/(cutoff - switchDistance)',
    {
      names: ['r2', 'cutoff', 'switchDistance'],
    },
  ),
  {},
)

/** The energy of a pair, switched or shifted by the cutoff. */
function energyOf(workload: PairWorkload): Expr {
  const { law, domain } = workload
  const energy = expressionsOf(law).energy as Expr
  if (domain.cutoff?.switchDistance !== undefined) return productOf([energy, switching])
  if (!domain.cutoff?.shift) return energy
  if (displacement.some((d) => dependsOn(energy, d)))
    throw new TypeError(
      `"shift" expected a potential of the distance alone, got ${law.name}: its energy at the cutoff depends on direction`,
    )
  const steps = [...symbolsOf(energy)].filter(isOfStep)
  if (steps.length > 0 && cutoffOfPairs(workload))
    throw new TypeError(
      `"shift" expected one cutoff for all pairs, because ${law.name} has tabulated functions, got a cutoff for each pair; give the functions values that end at 0`,
    )
  const atCutoff = substitute(energy, {
    ...Object.fromEntries(steps.map((name) => [name, symbol(numberAtCutoff(name))])),
    r2: powerOf(cutoffOf(workload), 2),
  })
  return sumOf([energy, productOf([constant(-1), atCutoff])])
}

function forceOfEnergy(energy: Expr, dimension: Dimension): Term {
  const radial = radialForce(energy)
  const axes = displacement.slice(0, dimension)
  const direct = axes.map((d) => differentiate(energy, d))
  if (direct.every((e) => isConstant(e, 0))) return { form: 'radial', coefficient: radial }
  return inComponents(axes.map((d, k) => sumOf([productOf([radial, symbol(d)]), direct[k] as Expr])))
}

function forceOfLaw({ radial, ...axes }: Readonly<Record<string, Expr>>, window: Expr): Term {
  if (radial) return { form: 'radial', coefficient: productOf([radial, window]) }
  return inComponents(Object.values(axes).map((e) => productOf([e, window])))
}

/** `-F . d`: the virial of a pair, seen from the target. */
function virialOf(force: Term, dimension: Dimension): Expr {
  const along =
    force.form === 'radial'
      ? productOf([force.coefficient, symbol('r2')])
      : sumOf(displacement.slice(0, dimension).map((d, k) => productOf([symbol(d), force.components[k] as Expr])))
  return finish([constant(-1), along])
}

function checkDimension(law: Interaction, expressions: Readonly<Record<string, Expr>>, dimension: Dimension): void {
  // Only a force has components along axes. Components of a term may have any names.
  const axes = law.kind === 'force' ? Object.keys(expressions) : []
  const beyond = axesOf(3)
    .slice(dimension)
    .findLast((axis) => axes.includes(axis) || Object.values(expressions).some((e) => dependsOn(e, `d${axis}`)))
  if (beyond !== undefined) {
    const fits = beyond === 'z' ? '3-D' : '2-D or 3-D'
    throw new TypeError(
      `"${law.name}" expected points in ${fits}, as it has a ${beyond} component, got dimension ${dimension}`,
    )
  }
  const lacks = axes.includes('x') ? axesOf(dimension).find((axis) => !axes.includes(axis)) : undefined
  if (lacks !== undefined)
    throw new TypeError(
      `"${law.name}" expected points in ${axes.length}-D, as its force has no ${lacks} component, got dimension ${dimension}`,
    )
}
