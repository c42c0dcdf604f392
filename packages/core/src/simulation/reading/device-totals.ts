/**
 * The totals of a simulation on its device: the energies and virials of its forces, and expressions of its points.
 *
 * @module
 */

import { Remembered } from '../../ground/remember.ts'
import { toText } from '../../language/infix.ts'
import type { Expr } from '../../language/nodes.ts'
import { energy, virial } from '../../problem/workloads/pair.ts'
import { map } from '../../problem/workloads/particle.ts'
import type { MapWorkload, PairWorkload } from '../../problem/workloads/workload.ts'
import { angularEnergies } from '../forces/angular-forces.ts'
import { atTime, type Moment } from '../forces/at-time.ts'
import { endMap } from '../forces/bond-stages.ts'
import { energyOfPoint, type ForceValues } from '../forces/external-expressions.ts'
import type { ExternalForce } from '../forces/external-force.ts'
import type { PairPart } from '../forces/force.ts'
import { type NumbersByName, ownerOf } from '../numbers/numbers.ts'
import { parametersIn, symbolsFor } from '../numbers/symbols.ts'
import type { Unplaced } from '../stepping/stage-numbers.ts'
import type { Stages } from '../stepping/stages.ts'
import { countedOnce } from '../test-particles.ts'
import { StraySum } from './stray-sum.ts'
import { type Addition, finiteSum, Sums } from './sums.ts'
import type { TotalRequest, Totals } from './total-request.ts'

/** A workload that gives one number per point or end, and the factor of their sum. */
type Addend = Unplaced & { readonly factor: number; readonly ranges?: Addition['ranges'] }

export class DeviceTotals {
  readonly #stages: Stages
  readonly #sums: Sums

  constructor(stages: Stages) {
    this.#stages = stages
    this.#sums = new Sums(stages.device)
  }

  /** The potential energy, counting each pair once. @throws TypeError if a force has none */
  async potential(now: Moment): Promise<number> {
    const { parameters: numbers } = this.#stages.arrays.numbers
    const ofPoints = this.#stages.parts.external.map((force, n) => {
      const owner = ownerOf('External', n)
      const values = (...read: readonly Expr[]) => symbolsFor(owner, numbers[owner] as NumbersByName, ...read)
      const energy = atTime(potentialOf(force, values), now)
      const parameters = { ...parametersIn([energy], numbers), ...now.numbersIn([energy]) }
      return { workload: map({ energy: toText(energy) }, parameters), factor: 1 }
    })
    const ofAngles = this.#stages.parts.angular.map((links, n) => {
      const { workload, vectors } = angularEnergies(links, ownerOf('Angular', n), numbers)
      const ends = { links, visits: 'ends', gathers: 'points', vectors } as const
      return { workload, ends, factor: links.scale / ('angles' in links ? 3 : 4) }
    })
    return this.#total('energy', [...this.#addendsOf(energy), ...ofPoints, ...ofAngles])
  }

  /** The sum over pairs of F . (x_i - x_j), counting each pair once. Angles and dihedrals have none, because they do not depend on distances. */
  virial(): Promise<number> {
    return this.#total('virial', this.#addendsOf(virial))
  }

  /** Sums over points, as `request` describes them. */
  of(request: TotalRequest): Promise<Totals> {
    const [workload] = request.maps as [MapWorkload]
    const bindings = { ...this.#stages.bindings({ workload }), parameters: {} }
    return this.#sums.totals(request, { shape: this.#stages.arrays.of({ workload }).shape, bindings })
  }

  /** The number of each law for each point, or for each end of its bonds. Both points of a pair have the number of the pair. */
  #addendsOf(quantity: typeof energy | typeof virial): readonly Addend[] {
    const { parts, arrays } = this.#stages
    // What follows from a workload is kept with it, so each part has one.
    const of = (part: PairPart) =>
      workloads.of(part, () => quantity(part.law, part.domain), String(quantity === virial))
    // An external potential that reads a sum has the energy itself.
    const pairs = parts.pairs.filter(({ embedded }) => !embedded || quantity === virial)
    return [
      ...pairs.flatMap((pair) =>
        countedOnce(arrays.state.sources).map(({ factor, ranges }) => ({
          ...{ workload: of(pair), pair, factor: factor * pair.scale, ranges },
        })),
      ),
      ...parts.bonds.map((part, n) => {
        const { workload, vectors } = endMap(of(part), part.bonds, {
          ...{ dimension: arrays.state.dimension, vectors: arrays.vectors },
          ...{ owner: ownerOf('Bonds', n), numbers: arrays.numbers.parameters },
        })
        const ends = { links: part.bonds, visits: 'ends', gathers: 'points', vectors } as const
        return { workload, ends, factor: 0.5 * part.scale }
      }),
    ]
  }

  /** Adds up the numbers that workloads give. @throws {@link StraySum} */
  async #total(name: StraySum['quantity'], addends: readonly Addend[]): Promise<number> {
    let total = 0
    if (this.#stages.arrays.count === 0) return total
    for (const [n, { factor, ...stage }] of addends.entries()) total += factor * (await this.#addend(name, n, stage))
    return total
  }

  async #addend(
    name: StraySum['quantity'],
    n: number,
    { ranges = {}, ...stage }: Omit<Addend, 'factor'>,
  ): Promise<number> {
    const { workload, pair, ends } = stage
    const { tolerances, arrays } = this.#stages
    const stray = (value: number, index: number) =>
      new StraySum(name, value, ends ? arrays.ends.pointOf(ends.links, index) : index)
    if (pair?.method && workload.loop === 'pair' && tolerances)
      return finiteSum(await tolerances.total(workload, pair, await arrays.ofPairs()), stray)
    return this.#sums.of(`${name} ${n}`, () => this.#addition(stage, ranges), stray)
  }

  async #addition(stage: Unplaced, ranges: Addition['ranges']): Promise<Addition> {
    const program = await this.#stages.program(stage)
    const [result = ''] = stage.workload.results
    const { shape } = this.#stages.arrays.of(stage)
    return {
      program,
      bindings: this.#stages.bindings(stage),
      result,
      length: ranges.targets?.[1] ?? shape.targets,
      ranges,
    }
  }

  /** Sums over forces are prepared again for other numbers. */
  renumber(): void {
    this.#sums.forgetAdditions()
  }

  dispose(): void {
    this.#sums.dispose()
  }
}

const workloads = new Remembered<PairPart, PairWorkload>()

function potentialOf(force: ExternalForce, values: ForceValues): Expr {
  if (force.kind === 'external potential') return energyOfPoint(force, values)
  throw new TypeError(`"energy" expected a potential, got ${force.name}, which gives a force and has no energy`)
}
