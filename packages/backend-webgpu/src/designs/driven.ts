/**
 * A design that is data, for callers that ask it for its steps.
 *
 * @module
 */
import { guardBy } from '@manybody/core/backend'
import type { DesignData } from '../design/design.ts'
import { versionOf } from '../design/versions.ts'
import { interactionsOf, resultsOf, workOf } from '../drivers/drivers.ts'
import type { Shader } from '../wgsl/shader.ts'
import type { ProgramDesign } from './design.ts'

export function driven(design: DesignData): ProgramDesign {
  const version = (parameters?: Readonly<Record<string, number>>) =>
    versionOf(design.versions, guardBy(design.guard, parameters))
  const { variant, accumulation, inputs, proof } = design
  return {
    ...{ variant, accumulation, inputs },
    ...(proof !== undefined && { proof }),
    ...(design.driver === 'element' && design.map && { map: design.map }),
    shaders(parameters) {
      const shaders: readonly Shader[] = Object.values(version(parameters).shaders)
      return design.lists ? [design.lists.clear, ...shaders, design.lists.sort] : shaders
    },
    results: (bindings, options, whole) => resultsOf(design, bindings, options, whole),
    interactions: (bindings, options) => interactionsOf(design, bindings, options),
    work: (run, results) => workOf(design, version(run.bindings.parameters), run, results),
    ...('inParts' in design && { inParts: () => driven(design.inParts as DesignData) }),
  }
}
