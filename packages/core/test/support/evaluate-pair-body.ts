/**
 * Evaluates a pair body as a backend does, for one pair and in float64. The bindings of each stage see only the names that the stage may
 * see. The terms, the scale and the condition follow.
 *
 * @module
 */
import { evaluate } from '../../src/language/evaluate.ts'
import type { Expr } from '../../src/language/nodes.ts'
import type { Binding } from '../../src/language/schedule.ts'
import type { PairBody } from '../../src/problem/workloads/bodies/pair-body.ts'

type Values = Readonly<Record<string, number>>

export interface Pair {
  readonly parameters: Values
  /** Attributes as `mass_i` and `mass_j`. */
  readonly attributes: Values
  readonly target: readonly number[]
  readonly source: readonly number[]
}

export interface PairResult {
  /** The contribution to the target's sum, scale included. */
  readonly term: readonly number[]
  /** Whether the pair counts. */
  readonly keep: boolean
}

export function evaluatePairBody(body: PairBody, { parameters, attributes, target, source }: Pair): PairResult {
  const side = (wanted: '_i' | '_j', loaded: readonly string[]): Values =>
    Object.fromEntries(loaded.map((name) => [name + wanted, attributes[name + wanted] as number]))
  const coordinates = (x: readonly number[], suffix: 'i' | 'j'): Values =>
    Object.fromEntries(x.map((value, axis) => ['xyz'.charAt(axis) + suffix, value]))

  const run = bound(body.run, parameters)
  const ofTarget = bound(body.target, { ...run, ...side('_i', body.attributes.targets) })
  const ofSource = bound(body.source, { ...run, ...side('_j', body.attributes.sources) })
  const all = { ...run, ...ofTarget, ...ofSource }
  const start = { ...all, ...coordinates(target, 'i'), ...coordinates(source, 'j') }
  const loop = { ...start, ...bound(body.loop, start) }

  const scale = body.scale === undefined ? 1 : evaluate(body.scale, all)
  const [coefficient = 0, ...others] = body.terms.map((e) => evaluate(e, loop) * scale)
  const axes = ['dx', 'dy', 'dz'].slice(0, target.length)
  return {
    term: body.form === 'radial' ? axes.map((d) => coefficient * valueIn(loop, d)) : [coefficient, ...others],
    keep: body.keep === undefined || evaluate(body.keep, loop) !== 0,
  }
}

/** The values of bindings. Each reads the given values and the bindings before it. */
function bound(bindings: readonly Binding[], given: Values): Values {
  const known: Record<string, number> = { ...given }
  const made: Record<string, number> = {}
  for (const { name, expr } of bindings) made[name] = known[name] = evaluate(expr as Expr, known)
  return made
}

function valueIn(values: Values, name: string): number {
  const value = values[name]
  if (value === undefined) throw new Error(`"${name}" is not bound in the loop: ${Object.keys(values).join(', ')}`)
  return value
}
