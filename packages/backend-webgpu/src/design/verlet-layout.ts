/**
 * Verlet lists on a device: how long they are, and the words that decide in each round of a sequence whether to rebuild them.
 *
 * A list holds the sources within the reach plus a skin, at the positions of its rebuild. Until some point has moved by half of
 * the skin, no other source can come within the reach.
 *
 * @module
 */
import { boxLengths, type CellRule, cellReach } from './cell-layout.ts'
import type { FieldValues } from './design.ts'
import type { Field, Resource } from './shader.ts'

/** The skin as a share of the cutoff. */
const skinShare = 0.12
/** Rounds without lists, after lists that held for fewer rounds than `fewestRounds`, or did not fit. */
export const resting = 32
export const fewestRounds = 3
/** How much longer than on average a list may be: by a factor and four times a number of sources. */
const [roomFactor, roomFours] = [1.25, 6]
/** From this many points on, rounds with lists are faster: each has one more dispatch than one by cells. */
export const manyListed: number = 3 * 2 ** 14
/** The most bytes of all lists. */
export const mostBytes: number = 2 ** 29

/**
 * The numbers that a stage carries: for how many rounds the lists have held, or, if negative, the rounds to go without; whether a point has
 * moved too far since; the owner on this device whose arrays have the lists, or 0; and the positions of the rebuild.
 */
const carriedWords = ['held', 'moved', 'built'] as const
type CarriedWord = (typeof carriedWords)[number]
export const carriedNumbers = (points: number, dimension: number): number => carriedWords.length + points * dimension
const carriedIndex = (word: CarriedWord) => carriedWords.indexOf(word)
export const carriedWord = (word: CarriedWord): string => `carried[${carriedIndex(word)}u]`
/** A coordinate at the rebuild. */
export const carriedAt = (dimension: number, point: string, axis: number): string =>
  `carried[${dimension}u * ${point} + ${carriedWords.length + axis}u]`
export const carriedArray = (access: Resource['access']): Resource => ({ key: 'carried', access, type: 'f32' })
/** The same for shaders whose invocations all may note something: the bits of its numbers. */
export const notedArray: Resource = { ...carriedArray('read_write'), type: 'atomic<u32>' }
/** Where the host clears a word. */
export const carriedBytes: Readonly<Record<'held' | 'built', number>> = {
  held: 4 * carriedIndex('held'),
  built: 4 * carriedIndex('built'),
}
export const ownerField: Field = { name: 'owner', type: 'f32', note: 'the number of the owner of these lists' }

/**
 * The words of the array `rounds`, which say what a round does: whether it sorts points, whether at fresh positions or at the carried ones,
 * whether it then builds lists, and whether it visits lists. The first has the bits of the number of rounds so far.
 */
const roundWords = ['before', 'sorts', 'fresh', 'builds', 'listed'] as const
export type RoundWord = (typeof roundWords)[number]
export const roundsBytes: number = 4 * roundWords.length
export const roundWord = (word: RoundWord): string => `rounds[${roundWords.indexOf(word)}u]`
export const roundsArray = (access: Resource['access']): Resource => ({ key: 'rounds', access, type: 'u32' })

/** The place in the packed sources of the coordinates inside the box at the last rebuild, by places in the order. */
export const rebuiltField: Field = {
  name: 'rebuilt',
  type: 'u32',
  note: 'where packed has the coordinates of the rebuild',
}
export const rebuiltAt = (place: string): string => `packed[run.rebuilt + ${place}]`

/**
 * The lists. Each target has one for each of the invocations that share it. The lengths of all lists come first, then the first four sources
 * of all lists, the next four, and so on.
 */
export const listsArray = (access: Resource['access']): Resource => ({ key: 'lists', access, type: 'vec4u' })
export const listFields: readonly Field[] = [
  { name: 'listCount', type: 'u32', note: 'number of lists' },
  { name: 'listed', type: 'u32', note: 'where their sources start' },
  { name: 'mostListed', type: 'u32', note: 'the most sources of a list' },
]

export const listLength = (list: string): string => `lists[(${list}) / 4u][(${list}) % 4u]`

/** The four sources of a list that begin with source `n`, a multiple of 4. */
export const listedAt = (n: string, list: string): string => `lists[run.listed + ${n} / 4u * run.listCount + ${list}]`

/** The lists of a run. */
export interface ListSizes {
  /** How far targets look at a rebuild. */
  readonly reach: number
  /** The square of the longest displacement that lists allow; negative if they allow none. */
  readonly mostMoved2: number
  readonly listCount: number
  readonly listed: number
  readonly mostListed: number
  readonly bytes: number
}

/**
 * The lists for the parameters of a run; undefined if a source may come twice within reach of a target, or if they would be too large.
 *
 * @param slices number of lists of a target
 */
export function listSizes(
  rule: CellRule,
  parameters: FieldValues,
  points: number,
  slices: number,
): ListSizes | undefined {
  const { cutoff = 0 } = parameters
  const lengths = boxLengths(parameters)
  const skin = skinShare * cutoff
  const reach = cellReach(rule, { ...parameters, cutoff: cutoff + skin })
  if (lengths.some((length) => 2 * reach >= length * (1 - 2 ** -18))) return undefined
  // Roundings of coordinates may hide a displacement as long as the reach of a cutoff of 0.
  const moved = (skin / 2) * (1 - 2 ** -10) - cellReach(rule, { ...parameters, cutoff: 0 })
  const ball = rule.dimension === 2 ? Math.PI * reach ** 2 : (4 / 3) * Math.PI * reach ** 3
  const average = (points * ball) / lengths.reduce((product, length) => product * length, 1)
  const fours = Math.ceil((roomFactor * average) / slices / 4 + roomFours)
  const listCount = slices * points
  const listed = Math.ceil(listCount / 4)
  const bytes = 16 * (listed + fours * listCount)
  if (bytes > mostBytes) return undefined
  return { reach, mostMoved2: moved > 0 ? moved ** 2 : -1, listCount, listed, mostListed: 4 * fours, bytes }
}
