/**
 * Totals of points as data: the expressions to add up, and their groups.
 *
 * @module
 */
import type { Bindings } from '../../contract/backend.ts'
import { type FloatArray, hasNames, onlyNamed, unexpected, whole } from '../../ground/checks.ts'
import { nameOf } from '../../ground/names.ts'
import type { Bound } from '../../problem/workloads/bind.ts'
import { bind } from '../../problem/workloads/bind-given.ts'
import { mapComponents } from '../../problem/workloads/bodies/map-components.ts'
import type { NamedArrays } from '../../problem/workloads/map-set.ts'
import { map } from '../../problem/workloads/particle.ts'
import type { Attributes } from '../../problem/workloads/particles.ts'
import type { MapWorkload, Shape } from '../../problem/workloads/workload.ts'
import { requireNamed } from '../require-named.ts'

/** The expressions to add up, by name. They read one point, as in `map`. */
export type TotalOutputs<Name extends string = string> = Readonly<Record<Name, string>>

export interface TotalOptions {
  /** Values of names in the expressions that are no attributes. */
  readonly parameters?: Readonly<Record<string, number>>
}

export interface GroupOptions extends TotalOptions {
  /**
   * The group of a point, as an expression that gives a whole number from 0 to `groups - 1` for each: `'floor(position_x/2)'`. To
   * gather all points beyond in the last group, write `'min(floor(position_x/2), 9)'`.
   */
  readonly by: string
  /** The number of groups. The work is points times groups. */
  readonly groups: number
}

/** One number for each name, or with groups an array with one number for each group. */
export type Totals = Readonly<Record<string, number | Float64Array>>

/** Totals as checked data. */
export interface TotalRequest {
  readonly names: readonly string[]
  /** The expressions, a few per map, because devices bind few arrays to one program. */
  readonly maps: readonly MapWorkload[]
  readonly groups: number | undefined
}

const mostOutputs = 4
/** Whole numbers up to this one are exact in float32. */
const mostGroups = 2 ** 24

/** Two outputs of the maps: the group, and 1 for a point outside all groups. */
export const totalGroup = 'totalGroup'
export const totalOutside = 'totalOutside'

/** @throws TypeError, RangeError, {@link ExpressionError} */
export function checkedTotals(outputs: unknown, options: Partial<GroupOptions>): TotalRequest {
  const { parameters = {}, by, groups } = onlyNamed(options, 'option of total', ['parameters', 'by', 'groups'])
  if (!hasNames(outputs) || Object.keys(outputs).length === 0)
    throw unexpected('outputs', "expressions by name, { mass: 'mass' }", outputs)
  const entries = Object.entries(outputs) as [string, string][]
  for (const [name, text] of entries) {
    nameOf(name, 'outputs', [totalGroup, totalOutside])
    if (typeof text !== 'string') throw unexpected(name, 'one expression', text)
  }
  if ((by === undefined) !== (groups === undefined))
    throw new TypeError(`"${by === undefined ? 'by' : 'groups'}" is missing: groups need both "by" and "groups"`)
  if (by !== undefined && typeof by !== 'string') throw unexpected('by', 'one expression', by)
  if (groups !== undefined && whole(groups, 'groups', 1) > mostGroups)
    throw new RangeError(`"groups" expected at most ${mostGroups}, as float32 counts no further, got ${groups}`)
  const last = (groups ?? 0) - 1
  // Not a number is outside, because no comparison with it holds.
  const stray = `select(abs(totalGroup - min(max(round(totalGroup), 0), ${last})) < 0.25, 0, 1); totalGroup = ${by}`
  const all: [string, string][] = by === undefined ? entries : [...entries, [totalGroup, by], [totalOutside, stray]]
  const maps: MapWorkload[] = []
  for (let n = 0; n < all.length; n += mostOutputs)
    maps.push(map(Object.fromEntries(all.slice(n, n + mostOutputs)), parameters))
  return { names: entries.map(([name]) => name), maps, groups }
}

/** Checks that the arrays have all names in the expressions, and that each expression is a number. @throws TypeError */
export function requireTotals(request: TotalRequest, points: NamedArrays): void {
  for (const workload of request.maps) requireNamed(workload, points)
  requireNumbers(request, points)
}

/** Each output must be a number for each point. @throws TypeError */
function requireNumbers({ maps }: TotalRequest, shape: Pick<Shape, 'dimension' | 'vectors'>): void {
  for (const workload of maps)
    for (const [name, components] of mapComponents(workload, shape))
      if (components.length !== 1)
        throw new TypeError(
          `"${name}" expected one number per point, got an expression of vectors; name components, such as velocity_x`,
        )
}

/** The points of a run, checked: they must have all names in the expressions. @throws TypeError, RangeError */
export function boundTotals(request: TotalRequest, particles: Attributes): Bound {
  const all = request.maps.map((workload) => bind(workload, particles))
  const { workload, bindings, ...first } = all[0] as Bound
  const shape = { ...first.shape, vectors: [...new Set(all.flatMap((bound) => bound.shape.vectors))] }
  requireNumbers(request, shape)
  const { targets } = bindings
  const arrays = Object.assign({}, ...all.map((bound) => bound.bindings.targets.arrays))
  const set = { ...targets, arrays }
  return { workload, shape, bindings: { ...bindings, targets: set, sources: set } }
}

export interface TotalPoints {
  readonly shape: Shape
  readonly bindings: Bindings
}

/** The points with arrays of the host. */
export interface HostPoints {
  readonly shape: Shape
  readonly arrays: Readonly<Record<string, FloatArray>>
  readonly parameters: Bindings['parameters']
}
