/**
 * The parts of the expressions of a workload that change at most once per run, because devices get their values.
 *
 * @module
 */
import { productOf } from '../../../language/canonical.ts'
import { toText } from '../../../language/infix.ts'
import { children, type Expr, symbolsOf } from '../../../language/nodes.ts'
import { once } from '../../../language/rebuild.ts'
import { isTermless } from '../../reductions/table.ts'
import { termIn } from '../bodies/scaled-term.ts'
import { cutoffOfPairs } from '../cutoff.ts'
import type { FactShape, RunPart } from '../law-facts.ts'
import { parseOutputs } from '../outputs.ts'
import { parametersOf } from '../parameters.ts'
import { expressionsIn } from '../quantity.ts'
import type { Workload } from '../workload.ts'

/** The largest parts that depend on the run alone. */
export function runParts(workload: Workload, shape: FactShape): readonly RunPart[] {
  if (workload.loop === 'particle' && workload.operation === 'cellIndex') return []
  const known = [...Object.keys(parametersOf(workload)), ...(shape.scaled ? ['lengthUnit'] : [])]
  const ofRun: (e: Expr) => boolean = once((e) =>
    e.kind === 'symbol' ? known.includes(e.name) : children(e).every(ofRun),
  )
  const whole = workload.loop === 'pair' ? workload.law.name : 'outputs'
  const named = (part: Omit<RunPart, 'name'>) => ({ name: symbolsOf(part.e).size ? toText(part.e) : whole, ...part })
  return expressionsOf(workload, shape).flatMap((e) => partsOf(e, ofRun).map(named))
}

function expressionsOf(workload: Exclude<Workload, { operation: 'cellIndex' }>, shape: FactShape): readonly Expr[] {
  if (workload.loop !== 'pair') return [...parseOutputs(workload).values()].flat()
  const cutoff = cutoffOfPairs(workload) ?? []
  return [isTermless(workload) ? [] : expressionsIn(termIn(workload, shape)), cutoff].flat()
}

function partsOf(
  e: Expr,
  ofRun: (e: Expr) => boolean,
  factor = true,
  compared = false,
): readonly Omit<RunPart, 'name'>[] {
  if (ofRun(e)) return [{ e, factor, compared }]
  if (e.kind !== 'product') {
    const less = e.kind === 'call' && /^less/.test(e.name)
    return children(e).flatMap((child) => partsOf(child, ofRun, e.kind === 'power', less))
  }
  const together = productOf(e.factors.filter(ofRun))
  return [together, ...e.factors.filter((f) => !ofRun(f))].flatMap((f) => partsOf(f, ofRun))
}
