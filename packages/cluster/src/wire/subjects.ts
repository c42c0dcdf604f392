/**
 * The names of everything on the server. Each subject on which somebody answers or asks contains the address of the sender, whose rights
 * need not include the subjects of other keys. So the server vouches for the sender of every message.
 *
 * @module
 */
import { describe } from '@manybody/core/backend'
import type { Address } from './address.ts'

export interface Subjects {
  /** Asks all workers to describe themselves. */
  readonly hello: (coordinator: Address) => string
  readonly hellos: string
  /** What a coordinator asks of a worker in a run. */
  readonly call: (worker: Address, coordinator: Address, run: string) => string
  readonly callsOf: (worker: Address) => string
  /** What a worker answers in a run. */
  readonly result: (worker: Address, coordinator: Address, run: string) => string
  readonly resultsFor: (coordinator: Address) => string
  /** A worker says that it will take no more work. */
  readonly leaving: (worker: Address) => string
  readonly farewells: string
  /** Arrays for all workers at once, which nobody keeps for them. */
  readonly push: (coordinator: Address) => string
  readonly pushes: string
  /** Below it, a client gets the arrays that it reads. */
  readonly read: (reader: Address) => string
  /** The arrays of the jobs of coordinators with a key, which nobody else can replace. */
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
  /** Who continues the simulation, and from what. */
  readonly entry: string
  /** The parts of all its states. */
  readonly parts: string
}

/** In place of a worker, where no particular one is meant. */
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

/** The address in a subject that ends with one: who greets, pushes or leaves. */
export function senderIn(subject: string): Address {
  const [, , , key = '', name = ''] = subject.split('.')
  return `${key}.${name}`
}

/** Who a call or a result is from and for, and of which run. */
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
