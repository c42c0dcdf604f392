/**
 * The names of all subjects on the server. Each subject for questions or answers contains the address of the sender. The sender's rights
 * need not include the subjects of other keys. The server therefore vouches for the sender of every message.
 *
 * @module
 */
import { describe } from '@manybody/core/backend'
import type { Address } from './address.ts'

export interface Subjects {
  /** Asks all workers to describe themselves. */
  readonly hello: (coordinator: Address) => string
  readonly hellos: string
  /** Messages of a coordinator to a worker in a run. */
  readonly call: (worker: Address, coordinator: Address, run: string) => string
  readonly callsOf: (worker: Address) => string
  /** Answers of a worker in a run. */
  readonly result: (worker: Address, coordinator: Address, run: string) => string
  readonly resultsFor: (coordinator: Address) => string
  /** A worker takes no more work. */
  readonly leaving: (worker: Address) => string
  readonly farewells: string
  /** Arrays pushed to all workers at once; nobody keeps them. */
  readonly push: (coordinator: Address) => string
  readonly pushes: string
  /** The prefix under which a client receives the arrays that it reads. */
  readonly read: (reader: Address) => string
  /** The arrays for jobs of coordinators with this key. Nobody else can replace them. */
  readonly arrays: (key: string) => Shelf
  /** The checkpoints of all simulations. */
  readonly checkpoints: Pick<Shelf, 'stream' | 'all'>
  readonly checkpoint: (simulation: string) => CheckpointSubjects
}

/** A stream that keeps arrays in parts, under their hash. */
export interface Shelf {
  readonly stream: string
  /** All its subjects. */
  readonly all: string
  readonly part: (hash: string, part: number | '>') => string
}

export interface CheckpointSubjects extends Shelf {
  /** The entry that names the owner of the simulation and its latest states. */
  readonly entry: string
  /** The parts of all its states. */
  readonly parts: string
}

/** Stands for a worker where no particular one is meant. */
export const anyone: Address = '-.-'

/** @throws TypeError for a name that no subject can have */
export function subjectsOf(name: string): Subjects {
  requireToken(name, 'name')
  const under = `manybody.${name}`
  const checkpoints = { stream: `manybody_${name}_checkpoints`, all: `${under}.checkpoint.>` }
  return {
    hello: (coordinator) => `${under}.hello.${coordinator}`,
    hellos: `${under}.hello.>`,
    call: (worker, coordinator, run) => `${under}.call.${worker}.${coordinator}.${run}`,
    callsOf: (worker) => `${under}.call.${worker}.>`,
    result: (worker, coordinator, run) => `${under}.result.${worker}.${coordinator}.${run}`,
    resultsFor: (coordinator) => `${under}.result.*.*.${coordinator}.*`,
    leaving: (worker) => `${under}.leaving.${worker}`,
    farewells: `${under}.leaving.>`,
    push: (coordinator) => `${under}.push.${coordinator}`,
    pushes: `${under}.push.>`,
    read: (reader) => `${under}.read.${reader}`,
    arrays: (key) => ({
      stream: `manybody_${name}_arrays`,
      all: `${under}.array.>`,
      part: (hash, part) => `${under}.array.${key}.${hash}.${part}`,
    }),
    checkpoints,
    checkpoint: (simulation) => {
      requireToken(simulation, 'simulation')
      const of = `${under}.checkpoint.${simulation}`
      return {
        ...checkpoints,
        entry: `${of}.entry`,
        parts: `${of}.array.>`,
        part: (hash, part) => `${of}.array.${hash}.${part}`,
      }
    },
  }
}

/** The sender's address at the end of a subject: of a greeting, a push or a farewell. */
export function senderIn(subject: string): Address {
  const [, , , key = '', name = ''] = subject.split('.')
  return `${key}.${name}`
}

/** The sender, the receiver and the run in the subject of a call or a result. */
export function partiesIn(subject: string): {
  readonly worker: Address
  readonly coordinator: Address
  readonly run: string
} {
  const [, , , key = '', name = '', otherKey = '', otherName = '', run = ''] = subject.split('.')
  return { worker: `${key}.${name}`, coordinator: `${otherKey}.${otherName}`, run }
}

function requireToken(value: unknown, what: string): void {
  if (typeof value !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(value))
    throw new TypeError(`"${what}" expected 1 to 64 letters, digits, "-" or "_", got ${describe(value)}`)
}
