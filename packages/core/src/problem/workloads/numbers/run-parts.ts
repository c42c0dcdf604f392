/**
 * The parts of the expressions of a workload that change at most once per run, because devices get their values.
 *
 * @module
 */
import { productOf } from '../../../language/canonical.ts'
import { toText } from '../../../language/infix.ts'
import { children, type Expr, key, symbolsOf } from '../../../language/nodes.ts'
import { once } from '../../../language/rebuild.ts'
import { tapeOf } from '../../../language/write-tape.ts'
import { isTermless } from '../../reductions/table.ts'
import { termIn } from '../bodies/scaled-term.ts'
import { cutoffOfPairs } from '../cutoff.ts'
import type { FactShape, PartUse, RunParts } from '../law-facts.ts'
import { parseOutputs } from '../outputs.ts'
import { parametersOf } from '../parameters.ts'
import { expressionsIn } from '../quantity.ts'
import type { Workload } from '../workload.ts'

/** The largest parts that depend on the run alone. */
export function runParts(workload: Workload, shape: FactShape): RunParts {
  if (workload.loop === 'particle' && workload.operation === 'cellIndex')
    return { names: [], uses: [], steps: [], results: [] }
  const known = [...Object.keys(parametersOf(workload)), ...(shape.scaled ? ['lengthUnit'] : [])]
  const ofRun: (e: Expr) => boolean = once((e) =>
    e.kind === 'symbol' ? known.includes(e.name) : children(e).every(ofRun),
  )
  const whole = workload.loop === 'pair' ? workload.law.name : 'outputs'
  const parts = collect(expressionsOf(workload, shape), ofRun)
  return {
    names: parts.map(({ e }) => (symbolsOf(e).size ? toText(e) : whole)),
    uses: parts.map(({ factor, compared }) => ({ factor, compared })),
    ...tapeOf(parts.map(({ e }) => e)),
  }
}

interface Part extends PartUse {
  readonly e: Expr
}

function expressionsOf(workload: Exclude<Workload, { operation: 'cellIndex' }>, shape: FactShape): readonly Expr[] {
  if (workload.loop !== 'pair') return [...parseOutputs(workload).values()].flat()
  const cutoff = cutoffOfPairs(workload) ?? []
  return [isTermless(workload) ? [] : expressionsIn(termIn(workload, shape)), cutoff].flat()
}

/** Collects parts, each use of each once: definitions share many. */
function collect(expressions: readonly Expr[], ofRun: (e: Expr) => boolean): readonly Part[] {
  const found: Part[] = []
  const seen = new Set<string>()
  const visit = (e: Expr, factor: boolean, compared: boolean): void => {
    const use = `${factor} ${compared} ${key(e)}`
    if (seen.has(use)) return
    seen.add(use)
    if (ofRun(e)) found.push({ e, factor, compared })
    else if (e.kind === 'product')
      for (const one of [productOf(e.factors.filter(ofRun)), ...e.factors.filter((f) => !ofRun(f))])
        visit(one, true, false)
    else {
      const less = e.kind === 'call' && /^less/.test(e.name)
      for (const child of children(e)) visit(child, e.kind === 'power', less)
    }
  }
  for (const e of expressions) visit(e, true, false)
  return found
}
