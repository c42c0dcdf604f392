/**
 * The workload of the short part: the law less a polynomial of `r2`, with the reach as its cutoff. Any device runs it.
 *
 * The numbers of the polynomial are parameters, so one program serves every split with as many terms.
 *
 * @module
 */
import { sumOf } from '../../language/canonical.ts'
import { toText } from '../../language/infix.ts'
import type { Expr } from '../../language/nodes.ts'
import { pairForce, pairTerm } from '../../problem/interactions/define.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { made } from '../../problem/workloads/made.ts'
import { termOf } from '../../problem/workloads/quantity.ts'
import type { PairWorkload } from '../../problem/workloads/workload.ts'
import { inComponents } from '../tolerance/derived-law.ts'
import { type MeshKernels, outerIn, productIn, type RadialPart } from './kernels.ts'
import type { Split } from './split/split.ts'

type Numbers = Readonly<Record<string, number>>

/** The names of the parameters that a short law adds: none that the law has. */
class Names {
  readonly #prefix: string

  constructor({ parameters }: Pick<Interaction, 'parameters'>) {
    let prefix = 'mesh'
    while (Object.keys(parameters).some((name) => name.startsWith(prefix))) prefix += 'z'
    this.#prefix = prefix
  }

  get scale(): string {
    return `${this.#prefix}Scale`
  }

  /** The coefficients of a radial function's polynomial. */
  of(radial: number, terms: number): readonly string[] {
    return Array.from({ length: terms }, (_, n) => `${this.#prefix}${radial}c${n}`)
  }
}

/** The short part of a sum by a setting: a workload with a cutoff, and the numbers of its run beside those of the law. */
export interface ShortPart {
  readonly workload: PairWorkload
  readonly numbers: Readonly<Record<string, number>>
}

/** What the text of a short part depends on. */
export interface ShortShape {
  /** Of each polynomial. */
  readonly terms: number
  /** Whether the law is infinite at contact. Points at one place then do not count, but their smooth parts do, and are taken out. */
  readonly singular: boolean
}

/** The short part of a workload's sums. Its cutoff and the numbers of its polynomials come with each run. */
export function shortWorkload(workload: PairWorkload, kernels: MeshKernels, shape: ShortShape): PairWorkload {
  const { method: _, ...rest } = workload
  const names = new Names(workload.law)
  const short = shortTexts(workload, kernels, shape)
  const options = {
    name: nameOf(workload, 'short part'),
    parameters: parametersOf(workload, kernels, shape.terms, names),
  }
  const only = short.radial
  const law = only === undefined ? pairTerm(short.components, options)() : pairForce(only, options)()
  return made(
    Object.freeze({
      ...rest,
      law,
      quantity: only === undefined ? 'term' : 'force',
      domain: Object.freeze({ ...workload.domain, cutoff: { distance: 1, shift: false } }),
    } as PairWorkload),
  )
}

/**
 * The workload of the targets that measure the error. In a periodic box, it sums the short parts within a reach, and in open space the
 * whole terms; one more component is the size of the whole term. Its targets are a set of their own, and its reach is a parameter.
 */
export function measuredWorkload(
  workload: PairWorkload,
  kernels: MeshKernels,
  shape: ShortShape & { readonly lists: boolean },
): PairWorkload {
  const { method: _, ...rest } = workload
  const names = new Names(workload.law)
  const term = termOf(workload, kernels.dimension)
  const whole = inComponents(term, kernels.dimension).map((e) => toText(e))
  const guarded = (text: string) => (shape.singular ? `select(r2 > 0, ${text}, 0)` : text)
  const near = (text: string) => `select(${names.scale}*r2 <= 2, ${text}, 0)`
  const size =
    term.form === 'radial'
      ? `abs(${toText(term.coefficient)})*r`
      : whole.length === 1
        ? `abs(${whole[0]})`
        : `sqrt(${whole.map((text) => `(${text})^2`).join(' + ')})`
  const isOpen = workload.domain.boundary.kind === 'open'
  const texts = isOpen
    ? whole.map((text, n) => [`c${n}`, guarded(text)])
    : Object.entries(shortTexts(workload, kernels, shape).components).map(([name, text]) => [name, near(text)])
  const parameters = isOpen ? workload.law.parameters : parametersOf(workload, kernels, shape.terms, names)
  const { domain } = workload
  return made(
    Object.freeze({
      ...rest,
      law: pairTerm(
        { ...Object.fromEntries(texts), size: guarded(size) },
        { name: nameOf(workload, 'measured'), parameters },
      )(),
      quantity: 'term',
      results: ['value'],
      total: false,
      // The lists are bound with each run.
      domain: Object.freeze({ ...domain, exclusions: shape.lists ? [[0, 0] as const] : [] }),
    } as PairWorkload),
  )
}

/**
 * The smooth parts of single pairs at any distance, times -1: a grid adds those of excluded pairs. Its numbers are those of the short
 * workload.
 */
export function takenOutWorkload(workload: PairWorkload, kernels: MeshKernels, terms: number): PairWorkload {
  const { method: _, ...rest } = workload
  const names = new Names(workload.law)
  const term = termOf(workload, kernels.dimension)
  const smooth = (whole: Expr, component: number, along: boolean) =>
    `-select(${names.scale}*r2 <= 2, ${polynomials(kernels, names, terms, component, along)}, ${toText(whole)})`
  const options = { name: nameOf(workload, 'taken out'), parameters: parametersOf(workload, kernels, terms, names) }
  const components = () =>
    Object.fromEntries(inComponents(term, kernels.dimension).map((e, n) => [`c${n}`, smooth(e, n, true)]))
  const law =
    term.form === 'radial'
      ? pairForce(smooth(term.coefficient, 0, false), options)()
      : pairTerm(components(), options)()
  return made(
    Object.freeze({
      ...rest,
      law,
      quantity: term.form === 'radial' ? 'force' : 'term',
      domain: Object.freeze({ ...workload.domain, exclusions: [] }),
    } as PairWorkload),
  )
}

/** The texts of a kernel. */
interface KernelTexts {
  /** The function of the target, the factor and perhaps the displacement. */
  readonly outer: string
  readonly weight: string
  readonly radial: string
  /** The polynomial that takes the place of the radial function where it is smooth. */
  readonly polynomial: string
}

/**
 * The kernel of a component that has one. Its functions of both points may be as large as masses of stars, so that of the target multiplies
 * last, as it multiplies a law. A component with several is not a sum of them: differences of attributes would lose their digits.
 *
 * @param along whether with the displacement
 */
function onlyKernel(
  kernels: MeshKernels,
  names: Names,
  terms: number,
  component: number,
  along: boolean,
): KernelTexts | undefined {
  const [kernel, ...others] = kernels.list.filter((one) => one.component === component)
  if (!kernel || others.length > 0) return undefined
  return {
    outer: toText(outerIn(kernel, along)),
    weight: toText(kernels.weights[kernel.weight] as Expr),
    radial: toText((kernels.radials[kernel.radial] as RadialPart).e),
    polynomial: polynomialOf(kernel.radial, names, terms),
  }
}

/** The scale undoes any other unit of length. As the operand of a function, both stay together, and the polynomial has no unit. */
const polynomialOf = (radial: number, names: Names, terms: number): string =>
  `poly(max(${names.scale}*r2, 0) - 1, ${names.of(radial, terms).join(', ')})`

/** The polynomials of a component, times the functions of both points. @param along whether with the displacement */
function polynomials(kernels: MeshKernels, names: Names, terms: number, component: number, along: boolean): string {
  const parts = kernels.radials.flatMap((_, radial) => {
    const own = kernels.list.filter((kernel) => kernel.component === component && kernel.radial === radial)
    const product = sumOf(own.map((kernel) => productIn(kernel, kernels, along)))
    return own.length === 0 ? [] : [`(${toText(product)})*${polynomialOf(radial, names, terms)}`]
  })
  return parts.join(' + ') || '0'
}

const nameOf = ({ law }: PairWorkload, what: string): string => `${law.name.slice(0, 80)}, ${what}`

const parametersOf = ({ law }: PairWorkload, { radials }: MeshKernels, terms: number, names: Names): Numbers => ({
  ...law.parameters,
  [names.scale]: 1,
  ...Object.fromEntries(radials.flatMap((_, n) => names.of(n, terms).map((name) => [name, 1]))),
})

/** The numbers of a run that belong to the splits of a workload's radial functions. */
export function shortNumbers({ law }: PairWorkload, splits: readonly Split[]): Numbers {
  const names = new Names(law)
  const reach = splits[0]?.reach ?? 1
  const coefficients = splits.flatMap(({ coefficients }, n) =>
    names.of(n, coefficients.length).map((name, k) => [name, coefficients[k] as number] as const),
  )
  return { [names.scale]: 2 / reach ** 2, ...Object.fromEntries(coefficients) }
}

interface ShortTexts {
  readonly components: Readonly<Record<string, string>>
  /** The factor of the displacement, if the whole term is along it. */
  readonly radial: string | undefined
}

function shortTexts(workload: PairWorkload, kernels: MeshKernels, { terms, singular }: ShortShape): ShortTexts {
  const names = new Names(workload.law)
  const term = termOf(workload, kernels.dimension)
  const less = (whole: Expr, component: number, along: boolean, guarded: boolean) => {
    const law = (text: string) => (guarded ? `select(r2 > 0, ${text}, 0)` : `(${text})`)
    const only = onlyKernel(kernels, names, terms, component, along)
    return only
      ? `(${only.outer})*((${only.weight})*${law(only.radial)} - (${only.weight})*${only.polynomial})`
      : `${law(toText(whole))} - (${polynomials(kernels, names, terms, component, along)})`
  }
  const isOpen = (component: number) =>
    singular && kernels.list.some((kernel) => kernel.component === component && kernel.axis === undefined)
  const components = inComponents(term, kernels.dimension).map(
    (e, n) => [`c${n}`, less(e, n, true, isOpen(n))] as const,
  )
  return {
    components: Object.fromEntries(components),
    radial: term.form === 'radial' ? less(term.coefficient, 0, false, false) : undefined,
  }
}
