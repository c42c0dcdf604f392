/**
 * Sums of terms that are vectors, as sums with a few components each: `vector(y_j)` has as many components as the arrays say. The
 * workload of a block reads its components as vectors of length 1, so every loop of every backend computes it as it is, and all blocks
 * share one program. The text has the components of one block, however long vectors are.
 *
 * @module
 */
import type { PointSet } from '../../ground/arrays/bindings.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { parseAttribute } from '../../ground/names.ts'
import { Remembered } from '../../ground/remember.ts'
import { productOf, sumOf } from '../../language/canonical.ts'
import { foldBody } from '../../language/fold-bodies.ts'
import { isVector, vectorsIn } from '../../language/fold-names.ts'
import { fold } from '../../language/folds.ts'
import { toText } from '../../language/infix.ts'
import { type Expr, symbol, symbolsOf } from '../../language/nodes.ts'
import { simplify, substitute } from '../../language/simplify.ts'
import { knownLaws } from '../interactions/known-laws.ts'
import { attributesOf, expressionsToWrite } from '../interactions/parse-interaction.ts'
import { vectorsOf } from '../interactions/vectors.ts'
import { made } from './made.ts'
import type { PairBound } from './numbers/bind-again.ts'
import { vectorStart } from './tables/layout.ts'
import type { PairWorkload, Shape } from './workload.ts'

/** The most components of a block. Longer blocks compute the rest of a term less often, and take more registers. */
const mostComponents = 32
/** The most numbers of a source and a target that the components of a block read. */
const mostNumbers = 64

/** A workload for a block of components. */
interface Block {
  readonly workload: PairWorkload
  readonly width: number
  /** The attributes and parameters whose components it reads, and the name of each component. */
  readonly attributes: readonly string[]
  readonly parameters: readonly string[]
  readonly nameOf: (name: string, component: number) => string
}

const blocks = new Remembered<PairWorkload, Block>()

/** The number of components of a term that is a vector; undefined if the term is a number. */
function componentsOf({ law }: PairWorkload, { lengths }: Shape): number | undefined {
  const term = lengths && vectorsOf(law)?.term
  return term === undefined ? undefined : lengths?.[term]
}

/** The workload of each block, and its shape. @param alone for blocks of one component, a number of each point, so that texts have its name */
export function componentBlock(
  workload: PairWorkload,
  shape: Shape,
  alone: boolean = false,
): Block & { readonly shape: Shape } {
  const components = componentsOf(workload, shape) ?? 1
  const [e] = Object.values(expressionsToWrite(workload.law)) as [Expr]
  const read = new Set([...symbolsOf(e)].filter(isVector).flatMap((name) => vectorsIn(name) ?? []))
  const most = alone ? 1 : Math.max(1, Math.min(mostComponents, Math.floor(mostNumbers / read.size)))
  // All blocks have as many components. The last one begins so early that it has them.
  const width = Math.ceil(components / Math.ceil(components / most))
  const block = blocks.of(
    workload,
    () => blockOf(workload, e, width, alone ? (body) => body : inParts),
    `${width}${alone}`,
  )
  const { attributes, nameOf } = block
  const single = attributes.flatMap((name) => Array.from({ length: width }, (_, c) => [nameOf(name, c), 1] as const))
  const own: Readonly<Record<string, number>> = { ...shape.lengths, ...Object.fromEntries(single) }
  const names = (vectorsOf(block.workload.law)?.groups.flat() ?? []).filter((name) => own[name] !== undefined)
  return {
    ...block,
    shape: { ...shape, lengths: Object.fromEntries(names.map((name) => [name, own[name] as number])) },
  }
}

/** @param read turns a component of the attributes into a number of the points */
function blockOf(workload: PairWorkload, e: Expr, width: number, read: (body: Expr) => Expr): Block {
  // A file holds programs of whole vectors.
  const { compiled: _, ...typed }: PairWorkload & { readonly compiled?: unknown } = workload
  const { law } = workload
  const bodies = [...symbolsOf(e)].filter(isVector).map((name) => [name, foldBody(name) as Expr] as const)
  const symbols = [...new Set(bodies.flatMap(([, body]) => [...symbolsOf(body)]))]
  const attributes = [...new Set(symbols.flatMap((name) => parseAttribute(name)?.attribute ?? []))]
  const parameters = symbols.filter((name) => Object.hasOwn(law.vectors ?? {}, name))
  const nameOf = freeNames(workload, e, [...attributes, ...parameters], width)
  const inComponent = (c: number) => {
    const named = symbols.flatMap((name) => {
      const { attribute, side } = parseAttribute(name) ?? {}
      if (attribute !== undefined) return [[name, symbol(`${nameOf(attribute, c)}_${side}`)] as const]
      return parameters.includes(name) ? [[name, symbol(nameOf(name, c))] as const] : []
    })
    const values = bodies.map(([name, body]) => [name, read(substitute(body, Object.fromEntries(named)))] as const)
    return toText(substitute(e, Object.fromEntries(values)))
  }
  const each = Array.from({ length: width }, (_, c) => [`component${c}`, inComponent(c)] as const)
  const numbers = parameters.flatMap((name) => Array.from({ length: width }, (_, c) => [nameOf(name, c), 0] as const))
  const term = Object.freeze({
    ...law,
    expressions: Object.freeze(Object.fromEntries(each)),
    parameters: Object.freeze({ ...law.parameters, ...Object.fromEntries(numbers) }),
    symmetric: false,
  })
  return {
    workload: made(Object.freeze({ ...typed, law: knownLaws.made(term) })),
    width,
    attributes,
    parameters,
    nameOf,
  }
}

/** A component as a sum over vectors of length 1. Its parts of one side are computed once for each point. */
function inParts(body: Expr): Expr {
  const parts = body.kind === 'sum' ? body.terms : [body]
  return simplify(sumOf(parts.map(ofVectors)))
}

function ofVectors(e: Expr): Expr {
  if (e.kind === 'product' && e.factors[0]?.kind === 'constant')
    return productOf([e.factors[0], ofVectors(productOf(e.factors.slice(1)))])
  return [...symbolsOf(e)].some((name) => parseAttribute(name)) ? fold(e) : e
}

/** Names for components that the law has for nothing else. */
function freeNames(
  { law, domain }: PairWorkload,
  e: Expr,
  names: readonly string[],
  width: number,
): (name: string, component: number) => string {
  const { targets, sources } = attributesOf([e])
  const others = [law.parameters, law.vectors, law.tables, law.functions].flatMap((all) => Object.keys(all ?? {}))
  const taken = new Set([...targets, ...sources, ...others])
  // A cutoff may read any name in its text.
  for (const [name] of String(domain.cutoff?.distance).matchAll(/[A-Za-z]\w*/g))
    taken.add(parseAttribute(name)?.attribute ?? name)
  const free = new Map(
    names.map((name) => {
      let base = name.slice(0, 40)
      const isTaken = () => Array.from({ length: width }, (_, c) => `${base}_${c}`).some((one) => taken.has(one))
      while (isTaken()) base = `${base}_`
      for (let c = 0; c < width; c++) taken.add(`${base}_${c}`)
      return [name, base]
    }),
  )
  return (name, component) => `${free.get(name)}_${component}`
}

/** The run of a block. */
export interface BlockRun {
  /** Its first component. */
  readonly first: number
  readonly bound: PairBound
}

/** The runs of all blocks. Each is made when its turn comes, so that one copy of the components of a block is kept. */
export function blockRuns(bound: PairBound): {
  readonly components: number
  readonly width: number
  readonly count: number
  readonly runs: Iterable<BlockRun>
} {
  const components = componentsOf(bound.workload, bound.shape) ?? 1
  const block = componentBlock(bound.workload, bound.shape)
  const { width } = block
  const count = Math.ceil(components / width)
  function* runs() {
    for (let n = 0; n < count; n++) yield runOf(bound, block, components, Math.min(n * width, components - width))
  }
  return { components, width, count, runs: runs() }
}

/** The run of one component, and a text with its own names in those of the vectors. */
export function componentRun(
  bound: PairBound,
  component: number,
): { readonly bound: PairBound; readonly named: (text: string) => string } {
  const components = componentsOf(bound.workload, bound.shape) ?? 1
  const block = componentBlock(bound.workload, bound.shape, true)
  const { attributes, parameters, nameOf } = block
  const names = new Map([...attributes, ...parameters].map((name) => [nameOf(name, 0), `${name}_${component}`]))
  const named = (text: string) =>
    text.replace(/\b[A-Za-z]\w*/g, (word) => {
      const [, own = word, side = ''] = /^(.*?)(_[ij])?$/.exec(word) ?? []
      return names.has(own) ? `${names.get(own)}${side}` : word
    })
  return { bound: runOf(bound, block, components, component).bound, named }
}

/** The run of a block. @param components of the whole vector */
function runOf(
  { workload: wanted, bindings }: PairBound,
  { workload, shape, width, attributes, parameters, nameOf }: ReturnType<typeof componentBlock>,
  components: number,
  first: number,
): BlockRun {
  const { targets, sources } = attributesOf(Object.values(expressionsToWrite(workload.law)))
  const read = new Set([...targets, ...sources])
  const setOf = (set: PointSet, first: number): PointSet => {
    const arrays = Object.entries(set.arrays).flatMap(([name, array]) => {
      const own = attributes.includes(name) ? split(array as FloatArray, components, first, width) : []
      const named = own.map((part, c) => [nameOf(name, c), part] as const)
      return !attributes.includes(name) || read.has(name) ? [[name, array] as const, ...named] : named
    })
    return { ...set, arrays: Object.fromEntries(arrays) }
  }
  const here = setOf(bindings.targets, first)
  const there = bindings.sources === bindings.targets ? here : setOf(bindings.sources, first)
  const numbers = parameters.flatMap((name) => {
    const start = bindings.parameters[vectorStart(name, wanted.law.tables) as string] as number
    return Array.from({ length: width }, (_, c) => [nameOf(name, c), bindings.tables?.[start + first + c] as number])
  })
  const all = { ...bindings.parameters, ...Object.fromEntries(numbers) }
  return {
    first,
    bound: { workload, shape, bindings: { ...bindings, targets: here, sources: there, parameters: all } },
  }
}

/** Some components of the vectors in an array, each as an array of its own. */
function split(array: FloatArray, length: number, first: number, width: number): readonly FloatArray[] {
  const count = array.length / length
  return Array.from({ length: width }, (_, c) => {
    const part = array.slice(0, count)
    for (let n = 0; n < count; n++) part[n] = array[n * length + first + c] as number
    return part
  })
}
