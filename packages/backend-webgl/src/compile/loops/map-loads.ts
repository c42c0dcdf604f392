/**
 * The arrays that a map reads: each takes a texture, which decides whether a device supports the map.
 *
 * @module
 */
import type { MapWorkload, Shape } from '@manybody/core'
import { type ElementBody, type LoadPlace, loadPlace, mapBody } from '@manybody/core/expression'

export interface MapLoads {
  readonly body: ElementBody
  /** Where each load of the body is found. */
  readonly loads: readonly LoadPlace[]
  readonly arrays: readonly string[]
  /** Arrays of the sources, from which the map takes values of other points. */
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
