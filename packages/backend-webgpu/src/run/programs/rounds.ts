/**
 * The work of a sequence, round by round. Maps over the same points that follow each other run together, even if one ends a
 * round and the other begins the next.
 *
 * @module
 */
import type { GpuHost } from '../host/host.ts'
import type { Lease } from '../host/memory.ts'
import type { BoundStep } from './compiled-program.ts'
import { type MapStage, mapsStep, runTogether } from './map-stages.ts'

/** A step that is ready to be encoded many times, and the copies to make after it. */
export interface Piece {
  readonly step: BoundStep
  /** A result that shares its array with an input is written to a separate array, then copied. */
  readonly copies: readonly { readonly from: GPUBuffer; readonly to: GPUBuffer; readonly bytes: number }[]
}

type Item = Piece | MapStage
type Groups = readonly (Piece | readonly MapStage[])[]

const isMap = (item: Item): item is MapStage => 'map' in item

/** Divides the work into groups of maps that run together, and the rest. */
function groupsOf(host: GpuHost, items: readonly Item[]): Groups {
  const groups: (Piece | MapStage[])[] = []
  for (const item of items) {
    const group = groups.at(-1)
    if (!isMap(item)) groups.push(item)
    else if (Array.isArray(group) && runTogether([...group, item], host)) group.push(item)
    else groups.push([item])
  }
  return groups
}

/** Compiles the groups. */
function pieces(host: GpuHost, lease: Lease, groups: Groups): Promise<readonly Piece[]> {
  const piece = async (group: Piece | readonly MapStage[]): Promise<Piece> =>
    'step' in group ? group : { step: await (await mapsStep(host, lease, [group]))(), copies: [] }
  return Promise.all(groups.map(piece))
}

const interactionsIn = (work: readonly Piece[]) => work.reduce((sum, { step }) => sum + step.interactions, 0)

export class Rounds {
  private constructor(
    readonly begin: readonly Piece[],
    readonly middle: readonly Piece[],
    /** The end of one round and the begin of the next. */
    readonly between: readonly Piece[],
    readonly end: readonly Piece[],
  ) {}

  static async of(host: GpuHost, lease: Lease, round: readonly Item[]): Promise<Rounds> {
    const first = round.findIndex((item) => !isMap(item))
    const last = round.findLastIndex((item) => !isMap(item))
    const [head, middle, tail] = (
      first < 0 ? [[], round, []] : [round.slice(0, first), round.slice(first, last + 1), round.slice(last + 1)]
    ).map((items) => groupsOf(host, items)) as [Groups, Groups, Groups]
    const compiled = (groups: Groups) => pieces(host, lease, groups)
    const [ends, begins] = [tail.at(-1), head[0]].map((group) => group as readonly MapStage[] | undefined)
    if (!ends || !begins || !runTogether([...ends, ...begins], host)) {
      const [one, two, three] = await Promise.all([compiled(head), compiled(middle), compiled(tail)])
      return new Rounds(one, two, [...three, ...one], three)
    }
    const [work, joint, before, after] = await Promise.all([
      compiled(middle),
      mapsStep(host, lease, [ends, begins]),
      compiled(tail.slice(0, -1)),
      compiled(head.slice(1)),
    ])
    const part = async (only?: number): Promise<Piece> => ({ step: await joint(only), copies: [] })
    const [end, begin, both] = [await part(0), await part(1), await part()]
    return new Rounds([begin, ...after], work, [...before, both, ...after], [...before, end])
  }

  *order(times: number): Generator<Piece> {
    for (let n = 0; n < times; n++) {
      yield* n === 0 ? this.begin : this.between
      yield* this.middle
    }
    if (times > 0) yield* this.end
  }

  /** How many pieces of work there are. */
  length(times: number): number {
    return this.#total(times, (work) => work.length)
  }

  interactions(times: number): number {
    return this.#total(times, interactionsIn)
  }

  #total(times: number, of: (work: readonly Piece[]) => number): number {
    if (times === 0) return 0
    return of(this.begin) + times * of(this.middle) + (times - 1) * of(this.between) + of(this.end)
  }
}
