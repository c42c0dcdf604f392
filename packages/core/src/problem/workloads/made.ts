/**
 * The last step of every constructor of a workload: it registers the workload, and gives runs the language that derives its facts.
 *
 * @module
 */

import { Remembered } from '../../ground/remember.ts'
import { symbolsOf } from '../../language/nodes.ts'
import { lookupsIn, lookupsOf } from '../interactions/parse-interaction.ts'
import { vectorsOf } from '../interactions/vectors.ts'
import { mapComponents } from './bodies/map-components.ts'
import { cutoffOfPairs } from './cutoff.ts'
import { cutoffSizes } from './cutoff-sizes.ts'
import { firstMade } from './first-made.ts'
import { keptPower } from './kept-power.ts'
import { knownWorkloads } from './known-workloads.ts'
import { type FactShape, type LawFacts, type LawLanguage, speak } from './law-facts.ts'
import { runParts } from './numbers/run-parts.ts'
import { parseOutputs } from './outputs.ts'
import { attributesRead, componentsOf } from './quantity.ts'
import { roomsOfKinds } from './table-sizes.ts'
import type { PairWorkload, Workload } from './workload.ts'

/** Remembers a frozen workload, or gives the one that was made before with the same data. */
export function made<W extends Workload>(workload: W): W {
  speak(language)
  return knownWorkloads.made(firstMade(workload))
}

const language: LawLanguage = {
  reads(workload, { dimension }) {
    if (workload.loop === 'pair') return attributesRead(workload, dimension)
    return known.reads.of(workload, () => ({ targets: [...namesIn(workload)], sources: [] }))
  },
  lookups(workload) {
    if (workload.loop !== 'pair' || !workload.law.tables) return undefined
    const cutoff = cutoffOfPairs(workload)
    const ofLaw = lookupsIn(workload.law)
    return cutoff ? [...new Set([...ofLaw, ...lookupsOf([cutoff])])] : ofLaw
  },
  cutoff: (workload) => (workload.loop === 'pair' ? cutoffOfPairs(workload) : undefined),
  sizes(workload, { dimension }) {
    const sizes = workload.loop === 'pair' ? cutoffSizes(workload) : undefined
    return sizes && keptPower(workload as PairWorkload, dimension) === undefined ? sizes : undefined
  },
  rooms(workload, shape) {
    const sizes = workload.loop === 'pair' && workload.law.tables && language.sizes(workload, shape)
    return sizes ? roomsOfKinds(sizes) : undefined
  },
  vectors(workload) {
    const vectors = workload.loop === 'pair' ? vectorsOf(workload.law) : undefined
    if (!vectors || workload.loop !== 'pair') return undefined
    const { cutoff, boundary } = workload.domain
    const { displaced, ...others } = vectors
    // A force points along the displacement, also if its size does not depend on it.
    const isForce = workload.quantity !== 'term' && workload.quantity !== 'potential'
    return { ...others, placed: displaced || isForce || cutoff !== undefined || boundary.kind !== 'open' }
  },
  components(workload, shape) {
    const variant = `${shape.dimension} ${shape.vectors.join()} ${JSON.stringify(shape.lengths)}`
    return known.components.of(workload, () => components(workload, shape), variant)
  },
  parts: (workload, shape) =>
    known.parts.of(workload, () => runParts(workload, shape), `${shape.dimension} ${shape.scaled}`),
}

const known = {
  reads: new Remembered<Workload, LawFacts['reads']>(),
  components: new Remembered<Workload, LawFacts['components']>(),
  parts: new Remembered<Workload, LawFacts['parts']>(),
}

const namesIn = (workload: Exclude<Workload, { loop: 'pair' }>): ReadonlySet<string> =>
  'outputs' in workload ? symbolsOf(...[...parseOutputs(workload).values()].flat()) : new Set()

function components(workload: Workload, shape: FactShape): LawFacts['components'] {
  if (workload.loop === 'pair') {
    const vector = vectorsOf(workload.law)?.term
    const own = vector === undefined ? componentsOf(workload, shape.dimension) : (shape.lengths?.[vector] ?? 1)
    return Object.fromEntries(workload.results.map((name) => [name, own]))
  }
  if (!('outputs' in workload)) return {}
  const outputs = workload.loop === 'grid' ? parseOutputs(workload) : mapComponents(workload, shape)
  return Object.fromEntries([...outputs].map(([name, list]) => [name, list.length]))
}
