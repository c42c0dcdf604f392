/**
 * Programs of a cluster in order, as a simulation repeats them. The whole sequence runs at home if that takes less time than to send
 * the loops over pairs to the workers. The arrays then stay on the device at home.
 *
 * @module
 */
import type { Bindings, Device, FloatArray, RunOptions, Sequence, Stage } from '@manybody/core'
import { arraysAtHome, type InOrder, placed, plainArrays } from './cluster-array.ts'
import type { ClusterProgram } from './program.ts'

export interface ClusterStage extends Stage {
  readonly program: ClusterProgram
}

interface SequenceHost {
  readonly home: Device
  readonly order: InOrder
  /** Whether small runs go to the workers, too. */
  readonly always: boolean
  readonly team: { readonly size: number }
}

type Side = 'home' | 'spread'

/** In the first rounds, workers compile, and a GPU is not yet warm. */
const unusualRounds = 2

export class ClusterSequence implements Sequence {
  readonly #cluster: SequenceHost
  readonly #stages: readonly ClusterStage[]
  #atHome: Sequence | undefined
  /** How many rounds each side has run, and the milliseconds per round, without the first rounds. */
  readonly #ran: Record<Side, { rounds: number; each: number | undefined }> = {
    home: { rounds: 0, each: undefined },
    spread: { rounds: 0, each: undefined },
  }
  #workers = 0

  constructor(cluster: SequenceHost, stages: readonly ClusterStage[]) {
    this.#cluster = cluster
    this.#stages = stages
  }

  run(times: number, { signal, onProgress }: Pick<RunOptions, 'signal' | 'onProgress'> = {}): Promise<void> {
    return this.#cluster.order.run(async () => {
      for (let done = 0; done < times; ) {
        const side = await this.#sideFor(signal)
        const rounds =
          side === 'spread' ? 1 : this.#measured('home') ? times - done : Math.min(times - done, unusualRounds)
        const before = done / times
        const began = performance.now()
        if (side === 'spread') await this.#spread(signal)
        else await this.#runAtHome(rounds, signal, (fraction) => onProgress?.(before + (fraction * rounds) / times))
        const ran = this.#ran[side]
        if (ran.rounds >= unusualRounds) ran.each = (performance.now() - began) / rounds
        ran.rounds += rounds
        done += rounds
        onProgress?.(done / times)
      }
      onProgress?.(1)
    })
  }

  dispose(): void {
    this.#atHome?.dispose()
  }

  #measured(side: Side): boolean {
    return this.#ran[side].each !== undefined
  }

  /** Measured times decide. Before there are any, the estimates of the programs do. */
  async #sideFor(signal: AbortSignal | undefined): Promise<Side> {
    const { size } = this.#cluster.team
    if (size !== this.#workers) {
      this.#workers = size
      this.#ran.spread = { rounds: 0, each: undefined }
    }
    let [atHome, spread] = [0, 0]
    for (const { program, bindings, sources, targets } of this.#stages) {
      const options = { signal, ...(sources && { sources }), ...(targets && { targets }) }
      const estimate = await program.estimate(bindings, options)
      if (this.#cluster.always && program.isSpread(estimate, options)) return 'spread'
      atHome += estimate?.atHome ?? 0
      spread += estimate?.spread ?? 0
    }
    // No program has a choice.
    if (spread === 0) return 'home'
    return (this.#ran.spread.each ?? spread) < (this.#ran.home.each ?? atHome) ? 'spread' : 'home'
  }

  async #spread(signal: AbortSignal | undefined): Promise<void> {
    for (const { program, bindings, outputs, ...ranges } of this.#stages)
      await runInto(program, bindings, await plainArrays(outputs, { written: true }), { signal, ...ranges })
  }

  async #runAtHome(
    rounds: number,
    signal: AbortSignal | undefined,
    onProgress: (fraction: number) => void,
  ): Promise<void> {
    signal?.throwIfAborted()
    const stages: Stage[] = []
    for (const { program, bindings, outputs, ...ranges } of this.#stages)
      stages.push({
        ...ranges,
        program: program.home,
        bindings: await placed(bindings, arraysAtHome),
        outputs: await arraysAtHome(outputs, { written: true }),
      })
    this.#atHome ??= await this.#cluster.home.sequence(stages)
    await this.#atHome.run(rounds, { signal, onProgress })
    for (const { program } of this.#stages) program.ranInSequence()
  }
}

/** Runs a program at once and writes its results into these arrays. Where the types agree, nothing is copied. */
async function runInto(
  program: ClusterProgram,
  bindings: Bindings,
  outputs: Readonly<Record<string, FloatArray>>,
  options: RunOptions,
): Promise<void> {
  const alike = Object.entries(outputs).filter(([name, array]) => array.constructor === program.types.get(name)?.Type)
  const results = await program.now(bindings, { ...options, into: Object.fromEntries(alike) })
  for (const [name, output] of Object.entries(outputs))
    if (results[name] !== output) output.set(results[name] as FloatArray)
}
