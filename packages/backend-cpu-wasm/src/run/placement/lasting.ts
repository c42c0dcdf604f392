/**
 * Verlet lists: neighbour lists with a skin, reused for several rounds of a sequence. This file decides when to rebuild them.
 *
 * A list holds all pairs within the cutoff plus the skin, at the positions of its rebuild. Until some point has moved by half
 * of the skin, no other pair can come within the cutoff. Each round measures how far points have moved, and rebuilds expired
 * lists before it uses them.
 *
 * The state that a sequence carries determines the lists: for how many rounds they have held, and the positions of their
 * rebuild. Another sequence that carries the same numbers rebuilds the same lists, so a resumed simulation has the same bits.
 * If points move so fast that lists expire early, or if lists would be too large, some rounds go without.
 *
 * @module
 */
import type { Bindings, FloatArray, Shape } from '@manybody/core'
import { usualCutoff, usualReach } from '@manybody/core/backend'
import { carriedNumbers, displacementBytes, displacementRecord } from '../../design/list-layout.ts'
import { spareBytes } from '../../design/loaded-at-once.ts'
import type { HeldArray } from '../host/held-array.ts'
import type { Job } from '../threads/job.ts'
import type { Arrangement } from './arrangement.ts'
import { lastingJobs, type OrderedPhases } from './lasting-jobs.ts'
import type { Regions } from './regions.ts'

/** The skin as a share of the cutoff, or of the usual reach if each pair has its own. */
const skinShare = 0.12
/** Rounds without lists, after lists that held for fewer rounds than `fewestRounds`, or were too large. */
const [resting, fewestRounds] = [32, 3]
/** The most bytes of lists, for each target and in all. */
const [mostOfTarget, mostBytes] = [768, 1.5 * 2 ** 28]
/** Bytes for the lists of a place before the first rebuild, and how much longer than before the lists of a rebuild may become. */
const [firstBytes, room] = [96, 1.125]
/** Shrinks a squared distance by more than its roundings. */
const loose = 1 - 2 ** -10

/** The owner of the lists built for the carried positions, and the write count of the array at that time. */
const owners = new WeakMap<HeldArray, { readonly lists: LastingLists; readonly writes: number }>()

export interface LastingOptions {
  readonly regions: Regions
  readonly arrangement: Arrangement
  readonly shape: Shape
  /** With the longest reach of a pair and, if pairs reach differently far, the usual one. */
  readonly parameters: Bindings['parameters']
  readonly carried: HeldArray
  /** Address of the positions. */
  readonly position: number
  /** Adds addresses to those that the module reads. */
  readonly enter: (entries: Readonly<Record<string, number>>) => void
}

export class LastingLists {
  readonly #options: LastingOptions
  #parameters: Bindings['parameters']
  /** Whether this round uses lists. */
  listed = false
  /** Whether it first rebuilds them, and whether from the carried positions. */
  making = false
  carriedOnes = false
  /** Whether the rebuild must run again, because the lists did not fit. */
  again = false
  /** The most bytes of lists for one place so far, averaged over its unit. */
  #bytesOfPlace = firstBytes

  constructor(options: LastingOptions) {
    this.#options = options
    this.#parameters = options.parameters
    const { regions, arrangement, enter } = options
    regions.place({
      listStarts: { bytes: 4 * (arrangement.units + 1) },
      listNeeds: { bytes: 4 * arrangement.units },
      displacements: { bytes: displacementBytes },
    })
    const { listStarts = 0, listNeeds = 0, displacements = 0 } = regions.at
    enter({ listStarts, listNeeds, displacements })
  }

  get #skin(): number {
    return skinShare * (usualReach(this.#parameters) ?? 0)
  }

  /** Takes other parameters. Lists for another cutoff are no longer right, and sizes of points may have changed. */
  renumber(parameters: Bindings['parameters']): void {
    const before = this.#parameters
    const sized = before[usualCutoff] !== undefined || parameters[usualCutoff] !== undefined
    if (!sized && parameters.cutoff === before.cutoff) return
    this.#parameters = parameters
    owners.delete(this.#options.carried)
  }

  /** The skin of the walks of this round. */
  get skin(): number {
    return this.listed ? this.#skin : 0
  }

  /** The jobs of a round. */
  jobs(of: OrderedPhases): readonly Job[] {
    return lastingJobs(this, of)
  }

  /** Whether lists have held, so that displacements decide. */
  get held(): boolean {
    return (this.#options.carried.numbers()[0] as number) > 0
  }

  /** Prepares the phase `displacements`. */
  measure(): void {
    const { carried, position, enter } = this.#options
    const record = this.#record
    record.setFloat64(displacementRecord.most2, (this.#skin / 2) ** 2 * loose, true)
    record.setUint32(displacementRecord.far, 0, true)
    enter({ positionNow: position, positionOfLists: carried.address + carried.numbers().BYTES_PER_ELEMENT })
  }

  /** Decides whether this round uses, rebuilds or skips the lists. */
  decide(): void {
    const { carried } = this.#options
    // A program for more points carries more numbers.
    const numbers = carried.numbers().subarray(0, carriedNumbers(this.#options.shape))
    const [rounds = 0] = numbers
    const holds = rounds > 0 && this.#record.getUint32(displacementRecord.far, true) === 0
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

  /** Makes room for lists as long as before. Their regions move in each rebuild, because units change their sizes. */
  reserve(): void {
    this.#reserve((unit) => spareBytes + room * this.#bytesOfPlace * this.#places(unit))
  }

  /** Checks whether the rebuilt lists fit. If not, makes room for another rebuild; if they are too large, goes without lists. */
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

  /** Ends a rebuild: records this object as the owner of the lists. */
  made(): void {
    const { carried } = this.#options
    owners.set(carried, { lists: this, writes: carried.writes })
  }

  /** Reads the positions of points again, instead of the carried ones. */
  leaveCarried(): void {
    this.#readFrom(this.#options.position)
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

  get #record(): DataView {
    const { regions } = this.#options
    return new DataView(regions.memory.memory.buffer, regions.at.displacements, displacementBytes)
  }

  #words(name: string, length: number): Uint32Array {
    const { regions } = this.#options
    return regions.view('u32', regions.at[name] as number, length) as Uint32Array
  }
}
