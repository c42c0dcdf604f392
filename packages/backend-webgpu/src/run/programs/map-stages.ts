/**
 * Stages of a sequence that are maps. Neighbouring maps over the same points run in one dispatch, even if one ends a round and
 * the other begins the next.
 *
 * @module
 */
import type { Bindings } from '@manybody/core'
import type { DesignedMap } from '../../design/map.ts'
import type { Shader } from '../../design/shader.ts'
import { spread } from '../../design/spread.ts'
import { zeroField } from '../../quirks/rounded-between-maps.ts'
import { valuesOf } from '../drivers/driver.ts'
import type { GpuHost } from '../host/host.ts'
import type { Lease } from '../host/memory.ts'
import { bind } from './bind.ts'
import type { BuffersByKey } from './bound.ts'
import type { BoundStep } from './compiled-program.ts'
import { mapsLoop, type PlacedMap, partField, valueField } from './maps-loop.ts'
import { pipelineOf } from './pipelines.ts'

/** A map with its arrays bound. */
export interface MapStage {
  readonly map: DesignedMap
  readonly bindings: Bindings
  /** By the keys of resources. An output may be an input, too. */
  readonly arrays: ReadonlyMap<string, GPUBuffer>
}

/** Whether one shader can run these maps. */
export function runTogether(stages: readonly MapStage[], { limits }: GpuHost): boolean {
  const [first] = stages
  return (
    buffersOf(stages).size <= limits.maxStorageBuffersPerShaderStage &&
    stages.every(
      ({ map, bindings }) =>
        bindings.targets.count === first?.bindings.targets.count && map.workgroup === first.map.workgroup,
    )
  )
}

/** The arrays of all stages, each once, by its number. */
function buffersOf(stages: readonly MapStage[]): ReadonlyMap<GPUBuffer, number> {
  const buffers = new Set(stages.flatMap(({ arrays }) => [...arrays.values()]))
  return new Map([...buffers].map((buffer, n) => [buffer, n]))
}

/** The shaders of maps that ran together before, by the first of them. */
const shaders = new WeakMap<DesignedMap, Map<string, Shader>>()
const mostShaders = 64
const numberOf = new WeakMap<DesignedMap, number>()
let numbered = 0

/** The shader of some maps. Writing it takes longer than any other part of a sequence, which is made again for each number of points. */
function shaderOf(...[parts, workgroup, limits]: Parameters<typeof mapsLoop>): Shader {
  const maps = parts.flat()
  for (const { map } of maps) if (!numberOf.has(map)) numberOf.set(map, numbered++)
  const key = JSON.stringify([
    limits.maxStorageBuffersPerShaderStage,
    ...parts.map((part) => part.map(({ map, places }) => [numberOf.get(map), ...places])),
  ])
  const [first] = maps as [PlacedMap]
  const known = shaders.get(first.map) ?? new Map<string, Shader>()
  shaders.set(first.map, known)
  const shader = known.get(key) ?? mapsLoop(parts, workgroup, limits)
  if (known.size >= mostShaders) known.clear()
  known.set(key, shader)
  return shader
}

/**
 * Compiles maps that run together, in one part or more.
 *
 * @returns binds a dispatch of one part, or of all if none is named
 */
export async function mapsStep(
  host: GpuHost,
  lease: Lease,
  parts: readonly (readonly MapStage[])[],
): Promise<(only?: number) => Promise<BoundStep>> {
  const stages = parts.flat()
  const [first] = stages
  if (!first) throw new Error('there is no map to run')
  const { count } = first.bindings.targets
  const { workgroup } = first.map
  const numbers = buffersOf(stages)
  const keyOf = (buffer: GPUBuffer) => `array.${numbers.get(buffer)}`
  const maps = parts.map((part) =>
    part.map(({ map, arrays }) => {
      const places = new Map([...arrays].map(([key, buffer]) => [key, keyOf(buffer)]))
      return { map, places }
    }),
  )
  const values = stages.flatMap(({ map, bindings }, n) =>
    Object.entries(valuesOf(map.run, bindings.parameters)).map(
      ([name, value]) => [valueField(n, name), value] as const,
    ),
  )
  const pipeline = await pipelineOf(host, shaderOf(maps, workgroup, host.limits))
  const [x, z] = spread(Math.ceil(count / workgroup))
  return async (only) => {
    const runs = (n: number) => only === undefined || only === n
    const asked = parts.map((_, n) => [partField(n), Number(runs(n))] as const)
    const dispatch = {
      values: Object.fromEntries([['count', count], [zeroField.name, 0], ...asked, ...values]),
      size: [x, 1, z] as const,
    }
    const buffers: BuffersByKey = new Map([...numbers.keys()].map((buffer) => [keyOf(buffer), buffer]))
    const dispatches = await bind(host, { buffers, lease }, pipeline, dispatch)
    const interactions = count * parts.filter((_, n) => runs(n)).flat().length
    return { dispatches, interactions, done: 1, reads: [] }
  }
}
