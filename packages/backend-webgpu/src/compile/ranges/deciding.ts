/**
 * The decision of a round with Verlet lists, in WGSL: whether it rebuilds them. No host takes part.
 *
 * What the stage carries decides alone, so a resumed simulation rebuilds the same lists in the same rounds.
 *
 * @module
 */
import {
  carriedArray,
  carriedWord,
  fewestRounds,
  ownerField,
  type RoundWord,
  resting,
  roundsArray,
  roundWord,
} from '../../design/verlet-layout.ts'
import { wgsl } from '../../design/wgsl.ts'
import type { When } from './when.ts'

const note = (word: RoundWord, condition: string) => `${roundWord(word)} = select(0u, 1u, ${condition});`

/** Each invocation decides by itself, and leaves rounds that sort nothing. The first one notes the decision. It declares `holds`. */
export const deciding: When = {
  resources: [carriedArray('read_write'), roundsArray('read_write')],
  fields: [ownerField],
  start: wgsl`let held = bitcast<f32>(${roundWord('before')});
let moved = ${carriedWord('moved')} != 0.0;
let holds = held > 0.0 && !moved;
let rests = held < 0.0 || (held > 0.0 && moved && held < ${fewestRounds}.0);
let sorts = !holds || ${carriedWord('built')} != run.owner;
if (group.x + group.z + lane == 0u) {
  ${note('sorts', 'sorts')}
  ${note('fresh', '!holds')}
  ${note('builds', 'sorts && !rests')}
  ${note('listed', 'holds')}
  let more = select(1.0, min(held + 1.0, 1048576.0), holds);
  ${carriedWord('held')} = select(more, select(-${resting}.0, held + 1.0, held < 0.0), rests);
}
if (!sorts) { return; }`,
}
