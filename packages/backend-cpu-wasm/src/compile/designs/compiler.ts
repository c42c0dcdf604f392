/**
 * The compiler: modules of workloads from their laws. The runtime loads it when a law is prepared.
 *
 * @module
 */
import type { PairWorkload, Precision, Shape, Workload } from '@manybody/core'
import { onFirstUse } from '@manybody/core/backend'
import { children, type Expr, isRepeated, termOf } from '@manybody/core/expression'
import type { ProgramDesign } from '../../design/design.ts'
import type { Designs } from '../../design/designs.ts'
import { fewestOnce } from '../../design/loaded-at-once.ts'
import type { PlanFacts } from '../../design/plan-facts.ts'
import { factsOf } from '../plans/derive-facts.ts'
import { isInstruction, vectorOf } from './loaded-at-once.ts'
import type { DesignOf } from './written.ts'

/** The properties of a device that change its modules. */
export interface Target {
  readonly precision: Precision
  /** Whether threads share the memory. */
  readonly shared: boolean
}

/** The designs that one device has of each workload, by all that they depend on besides. */
export type KnownDesigns = WeakMap<Workload, Map<string, () => Promise<Designs>>>

/**
 * The designs of a workload for a device. Most do not depend on numbers of points: these are numbers of a run, and the same design
 * serves all of them.
 *
 * @param planned whether plans name the loops, so that small numbers of points may have any
 */
export function knownDesigns(
  known: KnownDesigns,
  workload: Workload,
  shape: Shape,
  target: Target,
  planned: boolean,
): Promise<Designs> {
  if (workload.loop !== 'pair' || workload.reduction === 'none') return designsOf(workload, shape, target, false)
  // Other workloads have the same loops for any number of points.
  const once = isMetOnce(workload, shape) && (planned || shape.targets >= fewestOnce)
  const designs = known.get(workload) ?? new Map<string, () => Promise<Designs>>()
  known.set(workload, designs)
  const key = JSON.stringify({ ...shape, targets: 0, sources: 0, once })
  const made = designs.get(key) ?? onFirstUse(() => designsOf(workload, shape, target, once).then(lasting))
  designs.set(key, made)
  return made()
}

/** Whether loops may visit each pair once, as far as this needs no formula. */
const isMetOnce = ({ law, reduction, domain }: PairWorkload, { sameSet, ranged, lengths }: Shape): boolean =>
  reduction === 'sum' && law.symmetric && sameSet && domain.cutoff === undefined && !ranged && !lengths

/** The same designs, each made once. */
function lasting(designs: Designs): Designs {
  const made = new Map<string, ProgramDesign>()
  const of: Designs['of'] = (options) => {
    const key = JSON.stringify(options)
    const design = made.get(key) ?? designs.of(options)
    made.set(key, design)
    return design
  }
  return { ...designs, of }
}

/** The designs of a workload. It loads only the loops that the workload may need. @param once whether these may visit each pair once */
export async function designsOf(workload: Workload, shape: Shape, target: Target, once: boolean): Promise<Designs> {
  const facts = factsOf(workload, shape)
  const designOf = await loadLoops(workload, shape, facts, once)
  return designsBy(designOf, facts, workload, shape, target)
}

async function loadLoops(workload: Workload, shape: Shape, { pair }: PlanFacts, once: boolean): Promise<DesignOf> {
  const plain = workload.loop === 'pair' && workload.reduction === 'sum' && !pair?.blocks
  if (!plain || shape.ranged || shape.lengths) return (await import('./designs.ts')).designOf
  const mayVisitOnce = once && pair?.onceObstacle === undefined
  const [designs, { mathCall: math } = {}] = await Promise.all([
    mayVisitOnce
      ? import('./once-sum-designs.ts').then((it) => it.onceSumDesigns)
      : import('./sum-designs.ts').then((it) => it.sumDesigns),
    callsFunctions(workload, shape) ? import('../expressions/functions.ts') : undefined,
  ])
  return designs(math)
}

/** Whether the term of a law has a function that takes more than an instruction. */
function callsFunctions(workload: PairWorkload, { dimension }: Shape): boolean {
  const term = termOf(workload, dimension)
  const nodes = new Set<Expr>(term.form === 'radial' ? [term.coefficient] : term.components)
  for (const e of nodes) for (const part of children(e)) nodes.add(part)
  return [...nodes].some(
    (e) => (e.kind === 'call' && !isInstruction(e.name)) || (e.kind === 'power' && !isRepeated(e.exponent)),
  )
}

/** @param designOf covers every loop that the workload may need */
export function designsBy(
  designOf: DesignOf,
  facts: PlanFacts,
  workload: Workload,
  shape: Shape,
  { precision, shared }: Target,
): Designs {
  return {
    facts,
    of: (options) => designOf(workload, shape, { ...options, vector: vectorOf(precision), shared }, options),
    lasting: true,
    tree: async () => {
      const { treeDesignsOf } = await import('./tree-designs.ts')
      return treeDesignsOf(workload as PairWorkload, shape, { precision, shared })
    },
  }
}
