/**
 * Lists of what is near that last for several rounds of a sequence: what the host decides about them.
 *
 * The lists are those of the points where they were when the lists were made, within the cutoff and a skin. No pair comes closer
 * by more than the skin until some point has moved by half of it. Each round measures how far points have moved, so lists are
 * never too old: the round in which they are makes new ones.
 *
 * What a sequence carries determines the lists: how many rounds they have lasted, and the positions of which they are. Another
 * sequence that carries the same numbers makes the same lists, so a resumed simulation has the same bits. Where points move so
 * fast that lists seldom last, or these would be too large, some rounds go without.
 *
 * @module
 */
import type { FloatArray, Shape } from '@manybody/core'
import { spareBytes } from '../../design/list-layout.ts'
import type { DeviceArray } from '../host/buffer.ts'
import type { Arrangement } from './arrangement.ts'
import type { Regions } from './regions.ts'

/** The skin by the cutoff. */
const skinShare = 0.12
/** Rounds without lists, after lists that lasted for fewer rounds than `fewestRounds`, or were too large. */
const [resting, fewestRounds] = [32, 3]
/** The most bytes of lists, for a target and in all. */
const [mostOfTarget, mostBytes] = [768, 1.5 * 2 ** 28]
/** How many bytes the lists of a place take until lists have been made, and how much longer than before they may become. */
const [firstBytes, room] = [96, 1.125]
/** More than the roundings of a squared distance. */
const loose = 1 - 2 ** -10

/** What a sequence carries: the number of rounds that the lists have lasted, if positive, or of those to go without. Then positions. */
export const carriedNumbers = ({ targets, dimension }: Shape): number => 1 + targets * dimension

/** Whose lists are those of the positions that a sequence carries, and how often the host had written these before. */
const owners = new WeakMap<DeviceArray, { readonly lists: LastingLists; readonly writes: number }>()

export interface LastingOptions {
  readonly regions: Regions
  readonly arrangement: Arrangement
  readonly shape: Shape
  readonly cutoff: number
  readonly carried: DeviceArray
  /** Address of the positions. */
  readonly position: number
  /** Adds addresses to those that the module reads. */
  readonly enter: (entries: Readonly<Record<string, number>>) => void
}

export class LastingLists {
  readonly #options: LastingOptions
  readonly #skin: number
  /** Whether this round goes by lists. */
  listed = false
  /** Whether it makes them first, and whether these are of the positions that are carried. */
  making = false
  carriedOnes = false
  /** Whether lists must be made once more, because they did not fit. */
  again = false
  /** The most bytes that the lists of a place have taken, on average over its unit. */
  #bytesOfPlace = firstBytes

  constructor(options: LastingOptions) {
    this.#options = options
    this.#skin = skinShare * options.cutoff
    const { regions, arrangement, enter } = options
    regions.place({ listStarts: { bytes: 4 * (arrangement.units + 1) }, listNeeds: { bytes: 4 * arrangement.units } })
    const { listStarts, listNeeds } = regions.at as { listStarts: number; listNeeds: number }
    enter({ listStarts, listNeeds })
  }

  /** The skin of the walks of this round. */
  get skin(): number {
    return this.listed ? this.#skin : 0
  }

  /** Decides what this round does. */
  decide(): void {
    const { carried } = this.#options
    const numbers = carried.numbers()
    const [rounds = 0] = numbers
    const holds = rounds > 0 && !this.#moved(numbers)
    const rests = rounds < 0 || (rounds > 0 && !holds && rounds < fewestRounds)
    this.listed = !rests
    const owner = owners.get(carried)
    this.carriedOnes = holds && !(owner?.lists === this && owner.writes === carried.writes)
    this.making = this.listed && (!holds || this.carriedOnes)
    this.again = false
    if (this.making || rests) owners.delete(carried)
    numbers[0] = rests ? (rounds < 0 ? rounds + 1 : -resting) : holds ? Math.min(rounds + 1, 2 ** 20) : 1
    if (this.making && !this.carriedOnes) numbers.set(this.#positions(numbers), 1)
    if (this.carriedOnes) this.#readFrom(carried.address + numbers.BYTES_PER_ELEMENT)
    else this.leaveCarried()
  }

  /** Makes room for lists as long as those before, because each round divides points into units of other sizes. */
  reserve(): void {
    this.#reserve((unit) => spareBytes + room * this.#bytesOfPlace * this.#places(unit))
  }

  /** Makes room for the lists if they do not fit, or goes without if they are too large, whatever room there is. */
  fit(): void {
    const { arrangement, shape, carried } = this.#options
    const needs = this.#words('listNeeds', arrangement.units)
    const starts = this.#words('listStarts', arrangement.units + 1)
    const total = needs.reduce((sum, need) => sum + need, 0)
    const most = Math.min(mostBytes, mostOfTarget * shape.targets)
    this.listed = total <= most
    this.again =
      this.listed && needs.some((need, unit) => need > (starts[unit + 1] as number) - (starts[unit] as number))
    for (const [unit, need] of needs.entries()) {
      const bytes = Math.min(most / shape.targets, (need - spareBytes) / (this.#places(unit) || 1))
      this.#bytesOfPlace = Math.max(this.#bytesOfPlace, bytes)
    }
    if (!this.listed) carried.numbers()[0] = -resting
    else if (this.again) this.#reserve((unit) => needs[unit] as number)
    else this.made()
  }

  /** Ends the making of lists: points are where they are again. */
  made(): void {
    const { carried } = this.#options
    owners.set(carried, { lists: this, writes: carried.writes })
  }

  /** Reads the positions of points again, after those that are carried. */
  leaveCarried(): void {
    this.#readFrom(this.#options.position)
  }

  /** Whether some point has moved so far that another may have come near. */
  #moved(numbers: FloatArray): boolean {
    const { dimension } = this.#options.shape
    const [now, before] = [this.#positions(numbers), numbers.subarray(1)]
    const most = (this.#skin / 2) ** 2 * loose
    // Axis by axis, because a loop over the axes takes half as long again.
    for (let n = 0; n < now.length; n += dimension) {
      const x = (now[n] as number) - (before[n] as number)
      const y = (now[n + 1] as number) - (before[n + 1] as number)
      const z = dimension === 3 ? (now[n + 2] as number) - (before[n + 2] as number) : 0
      if (!(x * x + y * y + z * z <= most)) return true
    }
    return false
  }

  #reserve(bytesOf: (unit: number) => number): void {
    const { regions, arrangement, enter } = this.#options
    const starts = this.#words('listStarts', arrangement.units + 1)
    starts[0] = 0
    for (let unit = 0; unit < arrangement.units; unit++)
      starts[unit + 1] = (starts[unit] as number) + 4 * Math.ceil(bytesOf(unit) / 4)
    regions.place({ lists: { bytes: starts[arrangement.units] as number } })
    enter({ lists: regions.at.lists as number })
  }

  /** Number of places of a unit. */
  #places(unit: number): number {
    const [from, to] = this.#options.arrangement.placesOf(unit, unit + 1)
    return to - from
  }

  #positions({ length }: FloatArray): FloatArray {
    const { regions, position } = this.#options
    return regions.view('number', position, length - 1) as FloatArray
  }

  #readFrom(address: number): void {
    this.#options.enter({ 'target.position': address, 'source.position': address })
  }

  #words(name: string, length: number): Uint32Array {
    const { regions } = this.#options
    return regions.view('u32', regions.at[name] as number, length) as Uint32Array
  }
}
