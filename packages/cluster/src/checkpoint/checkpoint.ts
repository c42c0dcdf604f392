/**
 * Checkpoints of a simulation on the server, so that another process can continue when this one has died.
 *
 * A state is stored by the hashes of its parts. One entry names the latest state and its owner. It changes only by compare-and-set.
 * Opening a checkpoint raises its epoch. From then on, the previous owner cannot save.
 *
 * @module
 */
import type { SimulationState } from '@manybody/core'
import { held, onlyNamed } from '@manybody/core/backend'
import { JetStreamApiError, jetstream, jetstreamManager, StorageType } from '@nats-io/jetstream'
import { type ArrayRef, arrayOver } from '../wire/arrays.ts'
import { checkedLink, type Link, type LinkOptions, link, linkOptions } from '../wire/link.ts'
import { get, latest, openStream, put } from '../wire/store.ts'
import type { CheckpointSubjects } from '../wire/subjects.ts'
import { type Entry, entryFrom, hashesOf, partsOf, type StateRef, stateFrom } from './entry.ts'
import { insist } from './insist.ts'

export interface CheckpointOptions extends LinkOptions {
  /** Which simulation: letters, digits, "-" and "_". */
  readonly simulation: string
}

/** Somebody else continues the simulation. */
export class SupersededError extends Error {
  override readonly name = 'SupersededError'
  /** @param epoch of the process that continues */
  constructor(
    readonly simulation: string,
    readonly epoch: number,
  ) {
    super(`Cannot save "${simulation}": another process continues it (epoch ${epoch}); end this one`)
  }
}

/**
 * Takes a simulation over from its previous owner. `state` is the last saved state, or undefined for a new simulation.
 *
 * @throws TypeError for a wrong name; Error if no server answers, or if it has no JetStream
 */
export async function openCheckpoint(options: CheckpointOptions): Promise<Checkpoint> {
  onlyNamed(options, 'option of openCheckpoint', [...linkOptions, 'simulation'])
  const { simulation, ...linking } = options
  checkedLink(linking).subjects.checkpoint(simulation)
  const to = await link(linking)
  try {
    const subjects = to.subjects.checkpoint(simulation)
    const checkpoint = new Checkpoint(to, subjects, simulation)
    await checkpoint.claim()
    return held(checkpoint)
  } catch (error) {
    await to.connection.close()
    throw error
  }
}

/** The server's code for a message that is not the next after the expected one. */
const wrongLastSequence = 10071

export class Checkpoint {
  readonly #link: Link
  readonly #subjects: CheckpointSubjects
  readonly #owner: string = crypto.randomUUID()
  /** The parts that the server has. */
  readonly #kept = new Set<string>()
  #entry: Entry = { epoch: 0, owner: '', states: [] }
  /** The server's number of the entry; 0 before there is one. */
  #revision = 0
  #state: SimulationState | undefined

  /** Use {@link openCheckpoint}. */
  constructor(
    to: Link,
    subjects: CheckpointSubjects,
    readonly simulation: string,
  ) {
    this.#link = to
    this.#subjects = subjects
  }

  /** The state that was saved last when this checkpoint was opened. */
  get state(): SimulationState | undefined {
    return this.#state
  }

  /** How often the simulation was taken over, this time included. */
  get epoch(): number {
    return this.#entry.epoch
  }

  /** Takes the simulation over. Called when the checkpoint is opened. */
  async claim(): Promise<void> {
    await insist(`open "${this.simulation}"`, async () => {
      await this.#openStream()
      for (let taken = false; !taken; ) {
        const { entry, revision } = await this.#read()
        taken = await this.#replace({ ...entry, epoch: entry.epoch + 1, owner: this.#owner }, revision)
      }
    })
    this.#state = await this.#latestState()
  }

  /**
   * Saves a snapshot that `simulation.snapshot()` returned. The server also keeps the one before, in case the new one gets damaged.
   *
   * @throws {@link SupersededError} if another process has taken the simulation over; Error if the server stays away
   */
  async save(state: SimulationState): Promise<void> {
    const { ref, contents } = await partsOf(state)
    const before = this.#entry.states
    await insist(`save "${this.simulation}"`, async () => {
      let kept = before.slice(0, 1)
      for (;;) {
        if (await this.#openStream()) kept = []
        await this.#putParts(contents)
        if (await this.#replace({ ...this.#entry, states: [ref, ...kept] }, this.#revision)) return
        const { entry, revision } = await this.#read()
        if (revision > 0 && entry.owner !== this.#owner) throw new SupersededError(this.simulation, entry.epoch)
        this.#revision = revision
      }
    })
    await this.#forgetAll(before)
  }

  /** Deletes the states: the simulation begins again. @throws {@link SupersededError} */
  async remove(): Promise<void> {
    if (!(await this.#replace({ ...this.#entry, states: [] }, this.#revision)))
      throw new SupersededError(this.simulation, (await this.#read()).entry.epoch)
    const manager = await jetstreamManager(this.#link.connection)
    await manager.streams.purge(this.#subjects.stream, { filter: this.#subjects.parts })
    this.#kept.clear()
  }

  async close(): Promise<void> {
    await this.#link.connection.close()
  }

  /** Returns whether the server had nothing. */
  async #openStream(): Promise<boolean> {
    const { connection, subjects } = this.#link
    const isNew = await openStream(connection, subjects.checkpoints, { storage: StorageType.File })
    if (isNew) this.#kept.clear()
    return isNew
  }

  /** The entry on the server, and its number there. */
  async #read(): Promise<{ readonly entry: Entry; readonly revision: number }> {
    const found = await latest(this.#link.connection, this.#subjects, this.#subjects.entry)
    if (!found) return { entry: { epoch: 0, owner: '', states: [] }, revision: 0 }
    return { entry: entryFrom(found.data), revision: Number(found.headers?.get('Nats-Sequence')) }
  }

  /** Replaces the entry unless it has changed. Returns whether it had not. */
  async #replace(entry: Entry, revision: number): Promise<boolean> {
    const text = JSON.stringify(entry)
    const expect = { lastSubjectSequence: revision }
    try {
      const { seq } = await jetstream(this.#link.connection).publish(this.#subjects.entry, text, { expect })
      this.#revision = seq
    } catch (error) {
      if (!(error instanceof JetStreamApiError && error.code === wrongLastSequence)) throw error
      // The answer to an earlier attempt may have been lost.
      const now = await this.#read()
      if (JSON.stringify(now.entry) !== text) return false
      this.#revision = now.revision
    }
    this.#entry = entry
    return true
  }

  async #putParts(contents: ReadonlyMap<string, Uint8Array>): Promise<void> {
    for (const [hash, bytes] of contents) {
      if (this.#kept.has(hash)) continue
      await put(this.#link, hash, bytes, this.#subjects)
      this.#kept.add(hash)
    }
  }

  /** Deletes parts of old states that no kept state uses. A part that cannot be deleted only takes room. */
  async #forgetAll(states: readonly StateRef[]): Promise<void> {
    const needed = hashesOf(this.#entry.states)
    const manager = await jetstreamManager(this.#link.connection).catch(() => undefined)
    for (const hash of hashesOf(states)) {
      if (needed.has(hash)) continue
      this.#kept.delete(hash)
      const filter = this.#subjects.part(hash, '>')
      await manager?.streams.purge(this.#subjects.stream, { filter }).catch(() => {})
    }
  }

  async #latestState(): Promise<SimulationState | undefined> {
    const read = async (ref: ArrayRef) => arrayOver(await get(this.#link, ref, this.#subjects), ref)
    const reasons: unknown[] = []
    for (const ref of this.#entry.states) {
      try {
        return await stateFrom(ref, read)
      } catch (error) {
        reasons.push(error)
      }
    }
    if (reasons.length === 0) return undefined
    throw new Error(
      `Cannot continue "${this.simulation}": the server has lost its states (${reasons.join('; ')}); remove it to begin again`,
    )
  }
}
