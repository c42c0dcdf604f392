/**
 * The arrays that a map reads. Each takes a texture, and their number decides whether a device supports the map.
 *
 * @module
 */
import type { MapWorkload, Shape } from '@manybody/core'
import { type ElementBody, type LoadPlace, loadPlace, mapBody } from '@manybody/core/expression'

export interface MapLoads {
  readonly body: ElementBody
  /** The place of each load of the body. */
  readonly loads: readonly LoadPlace[]
  readonly arrays: readonly string[]
  /** Arrays of the sources. The map takes values of other points from them. */
  readonly gathered: readonly string[]
}

export function loadsOfMap(workload: MapWorkload, shape: Shape): MapLoads {
  const body = mapBody(workload, shape)
  const loads = body.loads.map((name) => loadPlace(name, workload, shape))
  const arraysOf = (gathered: boolean) => [
    ...new Set(loads.filter(({ at }) => (at !== undefined) === gathered).map(({ array }) => array)),
  ]
  return { body, loads, arrays: arraysOf(false), gathered: arraysOf(true) }
}
