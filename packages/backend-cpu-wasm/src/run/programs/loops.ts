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
import type { NearCode } from './near-code.ts'
import { takeModule } from './shared-modules.ts'

/** A way to visit the pairs of a workload, compiled when it is first needed. */
export interface Loop {
  readonly plan: LoopPlan
  readonly designs: Guarded<ProgramDesign>
  readonly loaded: Guarded<Promise<LoadedProgram>>
  /** The same loop for points that reach far and others that do not; undefined if pairs have no sizes. */
  readonly sized?: Loop
}

/** How a loop differs from others with its plan. */
interface LoopOptions {
  readonly divides?: boolean
  readonly lasts?: boolean
}

/** A loop, and the bindings that it takes. */
interface Chosen {
  readonly loop: Loop
  readonly bindings: Bindings
}

/** How a program takes its loops. */
export interface LoopChoice {
  readonly plan?: Plan | undefined
  /** Whether runs may take another variant than the plan's if their points make it faster; by default if there is no plan. */
  readonly chooses?: boolean | undefined
  /** Absent for programs that never visit blocks. */
  readonly near?: NearCode | undefined
}

/** The loop for the points of a run. */
export const fittingLoop = (loop: Loop, { parameters }: Bindings): Loop =>
  loop.sized && reachesVary(parameters) ? loop.sized : loop

export class Loops {
  readonly #host: Host
  readonly #workload: Workload
  readonly #shape: Shape
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
  readonly #reading: NonNullable<Parameters<NearCode['nearShareOf']>[2]>
  readonly #near: NearCode | undefined
  /** The share of all pairs below which blocks are faster; undefined if there is no such choice. */
  readonly #mostShare: Guarded<number> | undefined

  /** @throws TypeError if the plan visits blocks without the parts for them */
  constructor(
    host: Host,
    workload: Workload,
    shape: Shape,
    designs: Designs,
    { plan, chooses = plan === undefined, near: parts }: LoopChoice,
  ) {
    const { facts } = designs
    this.#near = parts
    this.#host = host
    this.#workload = workload
    this.#shape = shape
    const whole = loopPlan(plan, facts, shape, host)
    if (whole.visit === 'blocks' && !parts)
      throw new TypeError('Cannot visit blocks: only loops over all pairs are loaded')
    let kept: number | undefined
    const loop = (plan: LoopPlan, more?: LoopOptions) => this.#loop(designs, plan, more)
    this.plain = loop({ ...whole, visit: shape.ranged ? 'ranges' : 'all' })
    this.whole = whole.visit === this.plain.plan.visit ? this.plain : loop(whole)
    if (sharesForces(facts, whole)) this.forces = loop(whole, { divides: true })
    const { pair } = facts
    if (chooses && parts && pair && mayVisitBlocks(pair, shape, whole)) {
      this.blocks = loop(loopPlan({ variant: 'blocks' }, facts, shape, host))
      kept = pair.kept
      const { info, threads } = host
      this.#mostShare = this.usual.designs.map(({ pairTime = 1 }) =>
        parts.mostShare(workload as PairWorkload, pair, shape, {
          precision: info.precision,
          threads,
          once: whole.visit === 'once',
          pair: pairTime,
        }),
      )
    }
    this.#reading = { kept, picked: true, fewEqual: kept !== undefined, numbersOf: numbersIn(host.memory) }
    const near = this.blocks ?? (whole.visit === 'blocks' ? this.whole : undefined)
    if (near && designs.lasting && workload.loop === 'pair' && listsLast(workload, shape, host))
      this.lasting = loop(near.plan, { lasts: true })
  }

  /** The loop of whole runs, unless their points make another faster. */
  get usual(): Loop {
    return this.forces ?? this.whole
  }

  /** The loop for a run, and its bindings. */
  forRun(bindings: Bindings, { sources, targets, initial }: RunOptions): Chosen {
    return sources || targets || initial ? { loop: this.plain, bindings } : this.forWhole(bindings)
  }

  /** The loop for a whole run, and its bindings. */
  forWhole(bindings: Bindings): Chosen {
    const most = this.#mostShare?.of(bindings.parameters)
    if (this.blocks && most && this.#isNear(bindings, most))
      return { loop: fittingLoop(this.blocks, bindings), bindings }
    const weighted = this.forces && withInertiaUnit(this.#workload, bindings, this.#host.memory)
    return this.forces && weighted
      ? { loop: this.forces, bindings: weighted }
      : { loop: fittingLoop(this.whole, bindings), bindings }
  }

  /** Whether blocks are faster for the current points; undefined if that does not depend on them. */
  decision(bindings: Bindings): (() => boolean) | undefined {
    const most = this.#mostShare?.of(bindings.parameters)
    return most ? () => this.#isNear(bindings, most) : undefined
  }

  #isNear(bindings: Bindings, most: number): boolean {
    const { nearShareOf } = this.#near as NearCode
    return nearShareOf(shapeOfBindings(this.#shape, bindings), bindings, this.#reading) < most
  }

  /** Gives up all compiled modules. */
  release(): readonly Promise<LoadedProgram>[] {
    return [this.whole, this.forces, this.plain, this.blocks, this.lasting].flatMap((loop) => [
      ...(loop?.loaded.release() ?? []),
      ...(loop?.sized?.loaded.release() ?? []),
    ])
  }

  #loop({ facts, of }: Designs, plan: LoopPlan, { divides = false, lasts = false }: LoopOptions = {}): Loop {
    const host = this.#host
    const made = (sized?: true): Loop => {
      const designs = new Guarded(facts.guard, (guard) => of({ ...plan, guard, divides, lasts, sized }))
      const loaded = designs.map((design) => {
        const module = takeModule(design, host)
        // The runs that wait for it get the error. Later ones try again.
        module.catch(() => loaded.forget(module))
        return module
      })
      return { plan, designs, loaded }
    }
    return plan.visit === 'blocks' && facts.pair?.sized ? { ...made(), sized: made(true) } : made()
  }
}

/** Reads points on this device for the estimate. */
const numbersIn =
  (memory: Memory) =>
  (position: FloatArray | DeviceBuffer): FloatArray | undefined =>
    position instanceof HeldArray && position.isIn(memory) ? position.numbers() : undefined
