/**
 * The expressions of maps and stencils, parsed in the scope of their loop, one list of components per output.
 *
 * @module
 */

import { axesOf } from '../../ground/axes.ts'
import { hasNames, unexpected } from '../../ground/checks.ts'
import { isName, nameOf, nameRule, numbersByName } from '../../ground/names.ts'
import { Remembered } from '../../ground/remember.ts'
import { RememberedTexts } from '../../ground/remember-texts.ts'
import { parseFinite } from '../../language/finite-constants.ts'
import { requireCount } from '../../language/limit-size.ts'
import type { Expr } from '../../language/nodes.ts'
import { simplify } from '../../language/simplify.ts'
import type { Scope } from '../../language/syntax/scope.ts'
import type { MapWorkload, StencilWorkload } from './workload.ts'

/** Names of a cell, its neighbours and spacings, for the axes that a grid has. */
export function stencilNames(axes: number): readonly string[] {
  return ['c', ...axesOf(axes).flatMap((a) => [`${a}m`, `${a}p`, `h${a}`])]
}

const frozen = new WeakSet<object>()

/** A frozen copy, including lists of components. Such a copy stays as it is, so that it is parsed once. */
export function frozenOutputs<Name extends string>(
  outputs: Readonly<Record<Name, string | readonly string[]>>,
): Readonly<Record<Name, string | readonly string[]>> {
  if (frozen.has(outputs)) return outputs
  const copies = Object.entries({ ...outputs }).map(([name, text]) => [
    name,
    Array.isArray(text) ? Object.freeze([...text]) : text,
  ])
  const copy = Object.freeze(Object.fromEntries(copies))
  frozen.add(copy)
  return copy
}

/** The names that expressions of a point may use: parameters, and any attribute. */
export function pointScope(parameters: readonly string[]): Scope {
  return { names: parameters, open: anyAttribute }
}

const anyAttribute = {
  test: () => true,
  describe: 'any attribute',
  refuse: (name: string) => {
    if (name === 'dimension') return '"dimension" is that of the points; give the attribute another name'
    return isName(name.replace(/_[xyz]$/, '')) ? undefined : nameRule
  },
}

/** Checks a caller's outputs and parameters. Their names must work everywhere. @throws TypeError, RangeError */
export function checkNames(outputs: unknown, parameters: unknown, taken: readonly string[] = []): void {
  if (!hasNames(outputs)) throw unexpected('outputs', "expressions by name, { name: 'expression' }", outputs)
  for (const name of Object.keys(outputs)) nameOf(name, 'outputs', ['report'])
  numbersByName(parameters, ['pi', ...taken])
}

type Components = ReadonlyMap<string, readonly Expr[]>

const parsed = new Remembered<MapWorkload | StencilWorkload, Components>()
/** By loop, names and text, because a simulation makes the workloads of another one with other numbers. */
const known = new RememberedTexts<Expr>(2 ** 16)

/** The components of each output, simplified. @throws {@link ExpressionError}, TypeError */
export function parseOutputs(workload: MapWorkload | StencilWorkload): Components {
  return parsed.of(workload, () => parseAll(workload, scopeOf(workload)))
}

/** The names that an expression may use, besides attributes of points. */
const scopeOf = (workload: MapWorkload | StencilWorkload): readonly string[] => [
  ...(workload.loop === 'grid' ? stencilNames(workload.grid.cells.length) : []),
  ...Object.keys(workload.parameters),
]

function parseAll(workload: MapWorkload | StencilWorkload, names: readonly string[]): Components {
  const scope: Scope = workload.loop === 'grid' ? { names } : pointScope(names)
  const parseOnce = (text: unknown) => {
    if (typeof text !== 'string') throw unexpected('expression', 'text', text)
    return known.of([workload.loop, ...names, text].join(), () => simplify(parseFinite(text, scope)))
  }
  requireCount(Object.values(workload.outputs).flat().length, 'outputs')
  const outputs = Object.entries(workload.outputs).map(([name, text]) => {
    const texts = typeof text === 'string' ? [text] : text
    if (!Array.isArray(texts) || texts.length === 0) throw unexpected(name, 'an expression or a list of them', text)
    return [name, texts.map(parseOnce)] as const
  })
  if (outputs.length === 0) throw new TypeError('"outputs" expected at least one expression, got none')
  return new Map(outputs)
}
