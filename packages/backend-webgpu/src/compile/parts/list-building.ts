/**
 * Builds Verlet lists within the loop over cells, as WGSL. The targets of a rebuild meet all sources of their lists, so that one walk gives
 * both lists and results.
 *
 * Near sources of a part of a row become the bits of a number first. With a store for each pair, a device could not load sources ahead.
 *
 * @module
 */
import type { LoopShape } from '../../design/loop-shape.ts'
import type { Field, Resource } from '../../design/shader.ts'
import {
  carriedWord,
  listedAt,
  listFields,
  listLength,
  listsArray,
  notedArray,
  ownerField,
  rebuiltAt,
  rebuiltField,
  resting,
  roundsArray,
  roundWord,
} from '../../design/verlet-layout.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { PairTexts } from './pair-texts.ts'

/** Sources of an invocation in a part of a row. */
export const mostBits = 32

/** The number of an invocation's list. */
export const ownList = ({ slices }: LoopShape): string =>
  slices > 1 ? 'slice * run.targetCount + min(place_0, run.targetCount - 1u)' : 'min(place_0, run.targetCount - 1u)'

export interface ListBuilding {
  readonly resources: readonly Resource[]
  readonly fields: readonly Field[]
  /** Whether the invocations of a target share the sources of a row, so that their lists have about one length. */
  readonly shares: boolean
  /** Statements at the start. Rounds that sort nothing end there. */
  readonly start: string
  /** The place of a target. The lists of carried positions are built at these; its results do not count. */
  readonly place: (now: string) => string
  /** The first vector of the source `at`, which begins with its coordinates, at the same positions. */
  readonly source: (texts: PairTexts) => string
  /** Before the first row. */
  readonly open: string
  /** Before each part of a row, for each source `at`, and after each part. */
  readonly before: string
  readonly visit: string
  readonly after: string
  /** After the last row. */
  readonly close: string
}

/** @param parts the components of a vector, such as `xyz` */
export const listBuilding = (shape: LoopShape, parts: string): ListBuilding => ({
  resources: [listsArray('read_write'), notedArray, roundsArray('read')],
  fields: [rebuiltField, ownerField, ...listFields],
  shares: true,
  start: wgsl`let builds = ${roundWord('builds')} != 0u;
if (group.x + group.z + lane == 0u) {
  atomicStore(&${carriedWord('moved')}, 0u);
  if (builds) { atomicStore(&${carriedWord('built')}, bitcast<u32>(run.owner)); }
}
if (${roundWord('sorts')} == 0u) { return; }
let stale = ${roundWord('fresh')} == 0u;`,
  place: (now) => `select(${now}, ${rebuiltAt('min(place_0, run.targetCount - 1u)')}.${parts}, stale)`,
  open: wgsl`let list = ${ownList(shape)};
var found = 0u;
var four = vec4u(0u);`,
  before: wgsl`let part = next;
var near = 0u;`,
  source: ({ record }) => {
    const numbers = `packed[select(${record.length}u * at, run.rebuilt + at, stale)]`
    return record[0] === 'vec2f' ? `${numbers}.xy` : numbers
  },
  visit: wgsl`let apart = source.${parts} - shifted;
near |= select(0u, 1u, dot(apart, apart) <= run.reach * run.reach) << ((at - part) / ${shape.slices}u);`,
  after: wgsl`if (!builds) { near = 0u; }
for (; near != 0u; near &= near - 1u) {
  four = vec4u(four.yzw, part + ${shape.slices}u * firstTrailingBit(near));
  if (found % 4u == 3u && found < run.mostListed) { ${listedAt('found', 'list')} = four; }
  found++;
}`,
  close: wgsl`if (builds && at_0 < run.targetCount) {
  ${listLength('list')} = found;
  let whole = found & ~3u;
  for (var n = found; n % 4u != 0u; n++) { four = vec4u(four.yzw, 0u); }
  if (whole < min(found, run.mostListed)) { ${listedAt('whole', 'list')} = four; }
  if (found > run.mostListed) { atomicStore(&${carriedWord('held')}, bitcast<u32>(-${resting}.0)); }
}`,
})
