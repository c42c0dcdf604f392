/**
 * The place of each load of a map, and the arrays that the map reads in all. No formula is needed.
 *
 * @module
 */
import { lawFact } from '../law-facts.ts'
import type { MapWorkload, Shape } from '../workload.ts'

/** The place of a load of a map. */
export interface LoadPlace {
  readonly array: string
  /** The component, if the array is a vector. */
  readonly axis: number | undefined
  /** For a value of another point: the attribute with its index. The array is then one of the sources. */
  readonly at: string | undefined
}

/** Where a map finds a load: an attribute, a component of a vector, or a value of another point. */
export function loadPlace(
  load: string,
  { gather = {} }: Pick<MapWorkload, 'gather'>,
  { vectors }: Pick<Shape, 'vectors'>,
): LoadPlace {
  const vector = vectors.find((name) => load.startsWith(`${name}_`) && /^[xyz]$/.test(load.slice(name.length + 1)))
  const name = vector ?? load
  const axis = vector === undefined ? undefined : 'xyz'.indexOf(load.slice(-1))
  const gathered = Object.hasOwn(gather, name) ? gather[name] : undefined
  return { array: gathered?.of ?? name, axis, at: gathered?.at }
}

/** The arrays that a map reads: from its own points, and from the sources for values of other points. */
export function mapArrays(
  workload: MapWorkload,
  shape: Pick<Shape, 'dimension' | 'vectors'>,
): { readonly own: readonly string[]; readonly gathered: readonly string[] } {
  const { targets } = lawFact('reads', workload, shape)
  const [own, gathered] = [new Set<string>(), new Set<string>()]
  for (const name of targets) {
    if (Object.hasOwn(workload.parameters, name)) continue
    const { array, at } = loadPlace(name, workload, shape)
    if (at === undefined) own.add(array)
    else {
      gathered.add(array)
      own.add(at)
    }
  }
  return { own: [...own], gathered: [...gathered] }
}
