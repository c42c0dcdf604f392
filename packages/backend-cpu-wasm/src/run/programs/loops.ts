/**
 * The loops of a program, each compiled when it is first needed, and the choice of a loop for a run.
 *
 * Some parameters of a law can make it singular at distance 0. Then a loop has two modules, with and without a guard, and the
 * parameters of each run decide which one it uses.
 *
 * @module
 */
import type {
  Bindings,
  DeviceBuffer,
  FloatArray,
  PairWorkload,
  Plan,
  RunOptions,
  Shape,
  Workload,
} from '@manybody/core'
import { Guarded, reachesVary, shapeOfBindings } from '@manybody/core/backend'
import type { nearShareOf } from '@manybody/core/near'
import type { ProgramDesign } from '../../design/design.ts'
import type { Designs } from '../../design/designs.ts'
import type { LoopPlan } from '../../design/loop-plan.ts'
import { HeldArray } from '../host/held-array.ts'
import type { Host } from '../host/host.ts'
import type { Memory } from '../host/memory.ts'
import type { LoadedProgram } from '../placement/loaded-program.ts'
import { withInertiaUnit } from '../plans/inertia.ts'
import { listsLast } from '../plans/lists-last.ts'
import { loopPlan, mayVisitBlocks, sharesForces } from '../plans/plan.ts'
import { takeModule } from './shared-modules.ts'

/** A way to visit the pairs of a workload, compiled when it is first needed. */
export interface Loop {
  readonly plan: LoopPlan
  readonly designs: Guarded<ProgramDesign>
  readonly loaded: Guarded<Promise<LoadedProgram>>
  /** The same loop for points that reach far and others that do not; undefined if pairs have no sizes. */
  readonly sized?: Loop
}

/** A loop, and the bindings that it takes. */
interface Chosen {
  readonly loop: Loop
  readonly bindings: Bindings
}

/** The share of all pairs below which blocks are faster, and the estimate of the share of a run. */
interface Found {
  readonly share: number
  readonly shareOf: typeof nearShareOf
}

/** The share for blocks once it is found, and a promise of it. */
interface MostShare {
  now?: Found
  readonly found: Promise<Found>
}

/** The loop for the points of a run. */
export const fittingLoop = (loop: Loop, { parameters }: Bindings): Loop =>
  loop.sized && reachesVary(parameters) ? loop.sized : loop

export class Loops {
  readonly #host: Host
  readonly #workload: Workload
  readonly #shape: Shape
  readonly #designs: Designs
  /** For whole runs and for sequences. */
  readonly whole: Loop
  /** For runs over ranges; it visits all pairs. */
  readonly plain: Loop
  /** For whole runs and sequences, by forces that both points share; undefined if the law has none. */
  readonly forces: Loop | undefined
  /** For whole runs where the points make blocks faster; undefined if a plan decides, or if blocks are never faster. */
  readonly blocks: Loop | undefined
  /** By blocks with Verlet lists, for sequences; undefined for loops without such lists. */
  readonly lasting: Loop | undefined
  /** How the estimate reads points. */
  readonly #reading: NonNullable<Parameters<typeof nearShareOf>[2]>
  readonly #mostShare: Guarded<MostShare>

  /** @param chooses whether runs may take another variant than the plan's if their points make it faster */
  constructor(
    host: Host,
    workload: Workload,
    shape: Shape,
    designs: Designs,
    plan: Plan | undefined,
    chooses: boolean,
  ) {
    const { facts } = designs
    this.#designs = designs
    this.#host = host
    this.#workload = workload
    this.#shape = shape
    const whole = loopPlan(plan, facts, shape, host)
    let kept: number | undefined
    this.plain = this.#loop({ ...whole, visit: shape.ranged ? 'ranges' : 'all' })
    this.whole = whole.visit === this.plain.plan.visit ? this.plain : this.#loop(whole)
    if (sharesForces(facts, whole)) this.forces = this.#loop(whole, { divides: true })
    if (chooses && facts.pair && mayVisitBlocks(facts.pair, shape, whole)) {
      this.blocks = this.#loop(loopPlan({ variant: 'blocks' }, facts, shape, host))
      kept = facts.pair.kept
    }
    this.#reading = { kept, picked: true, fewEqual: kept !== undefined, numbersOf: numbersIn(host.memory) }
    this.#mostShare = this.usual.loaded.map((loaded) => {
      const most: MostShare = {
        found: this.#shareOf(loaded).then((found) => {
          most.now = found
          return found
        }),
      }
      return most
    })
    const near = this.blocks ?? (whole.visit === 'blocks' ? this.whole : undefined)
    if (near && designs.lasting && workload.loop === 'pair' && listsLast(workload, shape, host))
      this.lasting = this.#loop(near.plan, { lasts: true })
  }

  /** The loop of whole runs, unless their points make another faster. */
  get usual(): Loop {
    return this.forces ?? this.whole
  }

  /** The loop for a run, and its bindings. It waits only for the share for blocks. */
  forRun(bindings: Bindings, { sources, targets, initial }: RunOptions): Chosen | Promise<Chosen> {
    if (sources || targets || initial) return { loop: this.plain, bindings }
    const found = () => this.forWhole(bindings) ?? this.#forAllPairs(bindings)
    return this.forWhole(bindings) ?? this.#mostShare.of(bindings.parameters).found.then(found)
  }

  /** The loop for a whole run, and its bindings; undefined while the share for blocks is still unknown. */
  forWhole(bindings: Bindings): Chosen | undefined {
    if (this.blocks) {
      const { now } = this.#mostShare.of(bindings.parameters)
      if (!now) return undefined
      if (now.share > 0 && this.#isNear(bindings, now)) return { loop: fittingLoop(this.blocks, bindings), bindings }
    }
    return this.#forAllPairs(bindings)
  }

  #forAllPairs(bindings: Bindings): Chosen {
    const weighted = this.forces && withInertiaUnit(this.#workload, bindings, this.#host.memory)
    return this.forces && weighted
      ? { loop: this.forces, bindings: weighted }
      : { loop: fittingLoop(this.whole, bindings), bindings }
  }

  /** Whether blocks are faster for the current points; undefined if that does not depend on them. */
  async decision(bindings: Bindings): Promise<(() => boolean) | undefined> {
    if (!this.blocks) return undefined
    const most = await this.#mostShare.of(bindings.parameters).found
    return most.share === 0 ? undefined : () => this.#isNear(bindings, most)
  }

  #isNear(bindings: Bindings, { share, shareOf }: Found): boolean {
    return shareOf(shapeOfBindings(this.#shape, bindings), bindings, this.#reading) < share
  }

  async #shareOf(usual: Promise<LoadedProgram>): Promise<Found> {
    const { info, threads } = this.#host
    const [{ design }, { mostShare, nearShareOf }] = await Promise.all([usual, import('../plans/blocks-model.ts')])
    const share = mostShare(this.#workload as PairWorkload, this.#designs.facts.pair ?? {}, this.#shape, {
      precision: info.precision,
      threads,
      once: this.whole.plan.visit === 'once',
      pair: design.pairTime ?? 1,
    })
    return { share, shareOf: nearShareOf }
  }

  /** Gives up all compiled modules. */
  release(): readonly Promise<LoadedProgram>[] {
    return [this.whole, this.forces, this.plain, this.blocks, this.lasting].flatMap((loop) => [
      ...(loop?.loaded.release() ?? []),
      ...(loop?.sized?.loaded.release() ?? []),
    ])
  }

  #loop(plan: LoopPlan, { divides = false, lasts = false } = {}): Loop {
    const host = this.#host
    const { facts, of } = this.#designs
    const made = (sized?: true): Loop => {
      const designs = new Guarded(facts.guard, (guard) => of({ ...plan, guard, divides, lasts, sized }))
      return { plan, designs, loaded: designs.map((design) => takeModule(design, host)) }
    }
    return plan.visit === 'blocks' && facts.pair?.sized ? { ...made(), sized: made(true) } : made()
  }
}

/** Reads points on this device for the estimate. */
const numbersIn =
  (memory: Memory) =>
  (position: FloatArray | DeviceBuffer): FloatArray | undefined =>
    position instanceof HeldArray && position.isIn(memory) ? position.numbers() : undefined
