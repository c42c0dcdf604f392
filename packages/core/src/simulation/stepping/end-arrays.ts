/**
 * The arrays of bonds, angles and dihedrals on one device: the ends of each list, which maps visit one by one.
 *
 * @module
 */
import type { Device, DeviceBuffer } from '../../contract/backend.ts'
import type { FloatArray } from '../../ground/checks.ts'
import { vectorsOf } from '../../problem/interactions/vectors.ts'
import type { PointArrays } from '../arrays.ts'
import { bendsOf } from '../forces/angle-stages.ts'
import type { Angular } from '../forces/angles.ts'
import { arraysOf } from '../forces/curve-calls.ts'
import { endNames } from '../forces/end-names.ts'
import { endTables } from '../forces/end-tables.ts'
import { type Ends, endsOf, type Links, otherOf } from '../forces/ends.ts'
import type { ForceParts } from '../forces/force.ts'
import { callsOfLinks, lookupsOfEnds } from '../forces/link-calls.ts'
import { type NumbersByName, ownerOf, type SimulationNumbers } from '../numbers/numbers.ts'
import { fill, type NamedBuffers } from './buffers.ts'
import { CurveBuffers } from './curve-buffers.ts'

/** Float32 counts whole numbers up to here. */
export const mostWhole: number = 2 ** 24

/** The vectors of the ends of angles, and of dihedrals. */
const angularVectors = {
  angles: [endNames.legU, endNames.legV, endNames.across, endNames.along],
  dihedrals: [endNames.legU, endNames.legV, endNames.legW, endNames.along],
}

/** The numbers that ends do not hold themselves: those of the simulation, and the arrays of the points. */
interface Read {
  readonly numbers: SimulationNumbers
  readonly arrays: PointArrays
}

export class EndArrays {
  /** All lists of bonds, angles and dihedrals. */
  readonly links: readonly Links[]
  /** How many rounds add up the ends of each. */
  readonly rounds: Map<Links, number> = new Map()
  readonly #buffers = new Map<Links, NamedBuffers>()
  readonly #curves = new Map<Links, CurveBuffers>()

  constructor(
    readonly device: Device,
    readonly parts: ForceParts,
    readonly count: number,
  ) {
    // Only a device that computes meshes within a step takes excluded pairs out of them.
    const corrections = device.gridSequence ? parts.corrections : []
    this.links = [...parts.bonds.map(({ bonds }) => bonds), ...parts.angular, ...corrections.map(({ bonds }) => bonds)]
  }

  of(links: Links): NamedBuffers {
    return this.#buffers.get(links) as NamedBuffers
  }

  /** The tabulated functions of the law of links. */
  curvesOf(links: Links): CurveBuffers {
    return this.#curves.get(links) as CurveBuffers
  }

  /** The point that an end pulls. */
  pointOf(links: Links, end: number): number {
    return endsOf(links, this.count).own[end] as number
  }

  async allocate(dimension: number, read: Read): Promise<void> {
    for (const links of this.links) await this.#allocate(links, dimension, read)
  }

  async #allocate(links: Links, dimension: number, read: Read): Promise<void> {
    const ends = endsOf(links, this.count)
    if (this.device.info.precision === 'f32' && Math.max(ends.count, this.count) > mostWhole)
      throw new RangeError(
        `"forces" expected at most ${mostWhole} ends of bonds between at most ${mostWhole} points, because float32 counts no further, got ${ends.count} between ${this.count}; use precision "f64"`,
      )
    const { own, first, rounds, attributes, count } = ends
    const sums = () => new Float32Array(count * dimension)
    const buffers: NamedBuffers = {}
    this.#buffers.set(links, buffers)
    this.rounds.set(links, rounds.length)
    const [calls, curves] = [callsOfLinks(links), new CurveBuffers(this.device)]
    this.#curves.set(links, curves)
    await curves.allocate(calls)
    await fill(this.device, buffers, {
      ...{ [endNames.own]: own, [endNames.first]: first },
      ...('bonds' in links ? { [endNames.other]: otherOf(ends) } : angularArrays(links, ends, sums)),
      ...this.#bendsOf(links, ends, read.numbers),
      ...Object.fromEntries(rounds.map((round, n) => [endNames.round(n), round])),
      ...Object.fromEntries(Object.entries(attributes).map(([name, list]) => [endNames.attribute(name), list])),
      ...Object.fromEntries(endNames.sums.map((name) => [name, sums()])),
      ...Object.fromEntries(calls.flatMap(arraysOf).map((name) => [name, new Float32Array(count)])),
      ...this.#tablesOf(links, ends, read),
    })
  }

  /** Takes other numbers. */
  async renumber(before: SimulationNumbers, read: Read): Promise<void> {
    const { numbers } = read
    for (const links of this.links) {
      const owner = this.#ownerOf(links)
      const same = (kind: 'parameters' | 'tables') => numbers[kind][owner] === before[kind][owner]
      if (!found(links) || (same('parameters') && same('tables'))) continue
      const ends = endsOf(links, this.count)
      await this.#write(links, { ...this.#bendsOf(links, ends, numbers), ...this.#tablesOf(links, ends, read) })
    }
  }

  /** Takes other attributes of the points, which choose numbers from tables. */
  async rewrite(read: Read): Promise<void> {
    for (const links of this.links.filter(found))
      await this.#write(links, this.#tablesOf(links, endsOf(links, this.count), read))
  }

  async #write(links: Links, arrays: Readonly<Record<string, FloatArray>>): Promise<void> {
    for (const [name, array] of Object.entries(arrays)) await this.of(links)[name]?.write(array)
  }

  /** Who reads the parameters of links. */
  #ownerOf(links: Links): string {
    const { bonds, angular } = this.parts
    if (!('bonds' in links)) return ownerOf('Angular', angular.indexOf(links))
    return ownerOf(
      'Bonds',
      bonds.findIndex((part) => part.bonds === links),
    )
  }

  /** The numbers that the ends of bonds read from tables, and sums over components of vectors, by name. */
  #tablesOf(links: Links, ends: Ends, { numbers, arrays }: Read): Readonly<Record<string, FloatArray>> {
    // Corrections of a mesh have neither.
    if (!('bonds' in links) || !this.parts.bonds.some(({ bonds }) => bonds === links)) return {}
    const owner = this.#ownerOf(links)
    const vectors = vectorsOf(links.law)?.groups.flat() ?? []
    const lengths = Object.fromEntries(vectors.map((name) => [name, (arrays[name]?.length ?? 0) / this.count]))
    const tables = numbers.tables[owner]
    const law = { ...links.law, ...(tables && { tables }) }
    const all = endTables({ law }, ends, arrays, { parameters: numbers.parameters[owner] ?? {}, lengths })
    return Object.fromEntries(all.map((numbers, n) => [endNames.table(n), numbers]))
  }

  #bendsOf(
    links: Links,
    { attributes, count }: Ends,
    { parameters }: SimulationNumbers,
  ): Readonly<Record<string, FloatArray>> {
    if (!('angles' in links)) return {}
    const own = parameters[this.#ownerOf(links)] as NumbersByName
    return { [endNames.bends]: bendsOf(links, attributes, count, own) }
  }

  dispose(): void {
    for (const curves of this.#curves.values()) curves.dispose()
    for (const buffers of this.#buffers.values())
      for (const buffer of Object.values<DeviceBuffer>(buffers)) buffer.dispose()
  }
}

/** Whether the host finds numbers of the ends by those of the run or of the points. */
const found = (links: Links): boolean => ('bonds' in links ? lookupsOfEnds(links.law).length > 0 : 'angles' in links)

/** The arrays of the ends of angles or dihedrals alone. @param sums an array of vectors */
function angularArrays(
  links: Angular,
  { place, members, count }: Ends,
  sums: () => FloatArray,
): Readonly<Record<string, FloatArray>> {
  const vectors = angularVectors['angles' in links ? 'angles' : 'dihedrals']
  return {
    ...Object.fromEntries(members.map((points, n) => [endNames.member(n), points])),
    ...Object.fromEntries(vectors.map((name) => [name, sums()])),
    ...{ [endNames.place]: place, [endNames.angle]: new Float32Array(count) },
  }
}
