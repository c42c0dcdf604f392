/**
 * The weights of sources in groups, one for each weight and sign. Positive and negative weights never cancel within a group, so
 * that each group has a centre. Only the device knows which groups occur.
 *
 * @module
 */
import type { Dimension } from '@manybody/core'
import { axesOf } from '@manybody/core/backend'
import type { SourceWeight } from '@manybody/core/far'
import type { Field, Resource } from '../../design/shader.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { PairTexts } from '../parts/pair-texts.ts'
import { storeSource } from '../parts/source-texts.ts'
import { nodeFields } from '../ranges/opening-rule.ts'

/** The sources of a tree: their space, their weights and their texts. */
export interface TreeSources {
  readonly label: string
  readonly dimension: Dimension
  readonly weights: readonly SourceWeight[]
  /** The texts of the loop that reads the sources. */
  readonly texts: PairTexts
  /** Fields of the uniform block for the parameters of the run. */
  readonly run: readonly Field[]
}

/** A group of weights. */
export interface SignedWeight {
  /** Number of the group, and of its weight. */
  readonly group: number
  readonly weight: number
  readonly sign: 1 | -1
}

export const groupsOf = (weights: readonly unknown[]): readonly SignedWeight[] =>
  weights.flatMap((_, weight): SignedWeight[] => [
    { group: 2 * weight, weight, sign: 1 },
    { group: 2 * weight + 1, weight, sign: -1 },
  ])

/** The moments of a group: its total weight, first moments, and second moments as a lower triangle. */
export const momentsOf = (dimension: Dimension): number => 1 + dimension + (dimension * (dimension + 1)) / 2

/** The pairs of axes of second moments, in their order. */
export const secondsOf = (dimension: Dimension): readonly (readonly [number, number])[] =>
  axesOf(dimension).flatMap((_, a) => Array.from({ length: a + 1 }, (_, b) => [a, b] as const))

/** Moments of nodes, one array after the other: the first moment of the first group for all nodes, then the next. */
export const momentsArray = (access: Resource['access']): Resource => ({ key: 'moments', access, type: 'f32' })

/** The place of a moment of a node. */
export const momentAt = (dimension: Dimension, group: number, moment: number, node: string): string =>
  `moments[${group * momentsOf(dimension) + moment}u * run.nodes + ${node}]`

/**
 * The size of a weight in a leaf, without its heaviest source. It follows the moments, weight after weight. It is added up by
 * itself, because a difference would lose all its digits beside a heavy source.
 */
export const othersAt = (weight: number, leaf: string): string =>
  `moments[run.others + ${weight}u * run.leaves + ${leaf}]`

export const treeFields: readonly Field[] = [
  { name: 'nodes', type: 'u32', note: 'number of nodes of the tree' },
  { name: 'leaves', type: 'u32', note: 'the first of them are leaves, with those that have no points' },
  { name: 'others', type: 'u32', note: 'where the weights of leaves without their heaviest sources start in moments' },
  ...nodeFields,
]

/** Writes a source or a proxy to a place of the packed sources. */
export function storeRecord(
  { texts }: TreeSources,
  coordinates: readonly string[],
  attribute: (name: string) => string,
  at: string,
): readonly string[] {
  return storeSource(texts, texts.recordOf(coordinates, attribute), at)
}

/** The entry of a shader with one invocation for each of `count` items. `name` is the number of the item. */
export const perItem = (workgroup: number, name: string, count: string, body: string): string => wgsl`
@compute @workgroup_size(${workgroup})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let ${name} = (group.x + group.z * groups.x) * ${workgroup}u + lane;
  if (${name} >= ${count}) { return; }
  ${body}
}
`
