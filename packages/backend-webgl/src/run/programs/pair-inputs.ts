/**
 * The textures and numbers that every pass over pairs reads in a run: sources packed once, targets, tables, exclusions, parameters.
 *
 * @module
 */

import type { Bindings } from '@manybody/core'
import { playNamed } from '@manybody/core/backend'
import type { Sheet } from '../host/host.ts'
import type { CompiledPair } from './compiled-pair.ts'
import type { Inputs } from './inputs.ts'

export interface PairInputs {
  readonly textures: Readonly<Record<string, Sheet>>
  readonly values: Readonly<Record<string, number>>
}

/** Uploads the bound arrays and packs the sources. `inputs` owns the textures. */
export function pairInputs({ design, pack }: CompiledPair, bindings: Bindings, inputs: Inputs): PairInputs {
  const { attributes, run } = design
  const values = playNamed(run, bindings.parameters)
  const points = inputs.points(bindings.sources, 'source', attributes.sources)
  const { exclusions, tables } = bindings
  const tabled = tables && { tables: inputs.sheet(tables) }
  const sources = inputs.keep(pack.run({ textures: { ...points, ...tabled }, values }))
  const excluded = exclusions
    ? { exclusionOffsets: inputs.sheet(exclusions.offsets), exclusions: inputs.sheet(exclusions.sources) }
    : {}
  return {
    textures: {
      ...points,
      ...inputs.points(bindings.targets, 'target', attributes.targets),
      ...excluded,
      ...tabled,
      sources,
    },
    values,
  }
}
