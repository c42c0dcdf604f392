/**
 * States in storage: turns a state into a snapshot with a version and checksums, and back.
 *
 * A stored description and attributes pass the same checks as typed input. Checksums detect valid data that replaced other
 * valid data. There is one for each part, so that a message can name the part.
 *
 * @module
 */
import {
  describe,
  type FloatArray,
  finite,
  hasNames,
  listOf,
  onlyNamed,
  takenArray,
  unexpected,
  whole,
} from '../ground/checks.ts'
import { foundArrays } from './arrays.ts'
import { boundSimulation } from './bound-simulation.ts'
import { checksumOfArray, checksumOfData } from './checksum.ts'
import { radauIn } from './gauss-radau/ias15.ts'
import type { BoundSimulation, Carried, ClockedState, SimulationOptions, SimulationState } from './state.ts'
import { type ClockState, clockAt } from './stepping/clocks/clock-state.ts'

/** The version of the fields of a snapshot and their meaning. In version 1, the time was `steps * dt` unless steps adapted. */
const version = 2

/** A copy of a state, for storage. */
export function stored(state: SimulationState): SimulationState {
  const versioned = { ...structuredClone(state), version }
  return { ...versioned, checksum: checksumOf(versioned) }
}

/** The checksum of each part by name: of each array, each part of the description, and the names of the arrays. */
function checksumOf({ arrays, carried = [], ...rest }: SimulationState): Readonly<Record<string, string>> {
  const carriedBy = carried.map((array, n) => [`carried.${n}`, array] as const)
  const numbers = [
    ...Object.entries(arrays).map(([name, array]) => [`arrays.${name}`, array] as const),
    ...carriedBy,
  ].flatMap(([name, array]) => (array ? [[name, checksumOfArray(array)]] : []))
  const description = Object.entries(rest).map(([name, value]) => [name, checksumOfData(value)])
  return Object.fromEntries([...description, ['arrays', checksumOfData(Object.keys(arrays).sort())], ...numbers])
}

const parts = ['integrator', 'dt', 'dimension', 'steps', 'arrays'] as const

/**
 * Checks a state from storage. A state without checksums may have been changed on purpose, so its accelerations are dropped and
 * computed again.
 *
 * @throws TypeError, RangeError
 */
export function restored(snapshot: SimulationState): BoundSimulation {
  if (!hasNames(snapshot?.arrays)) throw unexpected('snapshot', 'what simulation.snapshot() gave', snapshot)
  const described = snapshot.forces === undefined ? (['law', 'domain'] as const) : (['forces'] as const)
  onlyNamed(snapshot, 'part of a snapshot', [
    ...described,
    ...parts,
    'computed',
    'fixed',
    'capacity',
    'sources',
    'constraints',
    'barostat',
    'events',
    'settings',
    'clock',
    'carried',
    'predictor',
    'version',
    'checksum',
  ])
  for (const name of [...described, ...parts])
    if (snapshot[name] === undefined)
      throw new TypeError(`"${name}" expected what simulation.snapshot() gave, got nothing`)
  const { position, velocity, ...all } = snapshot.arrays
  const found = Object.entries(all).filter(([name]) => foundArrays.includes(name))
  const named = Object.fromEntries(Object.entries(all).filter(([name]) => !foundArrays.includes(name)))
  const {
    law,
    domain,
    forces,
    computed,
    fixed,
    capacity,
    sources,
    constraints,
    barostat,
    events,
    settings,
    clock,
    carried,
    predictor,
    integrator,
    dt,
    dimension,
    checksum,
  } = snapshot
  if (![undefined, 1, version].includes(snapshot.version))
    throw new RangeError(
      `"version" expected 1 or ${version}, got ${describe(snapshot.version)}; resume it with the release that made it`,
    )
  const firstOrder = Object(integrator).motion === 'first-order'
  const sums = Object.keys(Object(computed))
  const attributes = Object.fromEntries(Object.entries(named).filter(([name]) => !sums.includes(name)))
  const particles = { ...attributes, position, ...(firstOrder ? {} : { velocity }), dimension }
  const given = {
    ...(forces ? { forces } : { law, domain }),
    ...(computed && { computed }),
    ...(fixed !== undefined && { fixed }),
    ...{ integrator, dt },
    ...(capacity !== undefined && { capacity }),
    ...(sources !== undefined && { sources }),
    ...(constraints !== undefined && { constraints }),
    ...(barostat !== undefined && { barostat }),
    ...(events !== undefined && { events }),
    particles: particles as SimulationOptions['particles'],
  }
  const { state, ...derived } = boundSimulation(given)
  const moved: Record<string, FloatArray> = {}
  for (const [name, array] of [...found, ...(firstOrder ? [['velocity', velocity] as const] : [])])
    if (array !== undefined) moved[name] = takenArray(array, name, position.length)
  for (const name of sums)
    if (named[name] !== undefined) moved[name] = takenArray(named[name], name, state.arrays[name]?.length)
  const arrays = { ...state.arrays, ...moved }
  const steps = whole(snapshot.steps, 'steps', 0)
  const now: ClockedState = { ...state, steps, arrays, clock: clockNow(state, steps, clock) }
  if (checksum === undefined) {
    const { acceleration: _, ...others } = arrays
    const restarted = radauIn(integrator) && { clock: { ...now.clock, dt: dt as number } }
    return { state: { ...now, ...restarted, arrays: others as ClockedState['arrays'] }, ...derived }
  }
  const complete = {
    ...now,
    ...(settings && { settings }),
    ...(carried && { carried: checkedCarried(carried) }),
    ...(predictor && { predictor: takenArray(predictor, 'predictor') }),
  }
  const { clock: _, ...others } = complete
  const summed = { ...others, ...(clock !== undefined && { clock }), version: snapshot.version }
  requireSame(checksum, checksumOf(summed as SimulationState))
  return { state: complete, ...derived }
}

/** @throws TypeError, RangeError */
function checkedCarried(given: Carried): Carried {
  listOf(given, 'carried', 'typed arrays or null', (part) => part === null || ArrayBuffer.isView(part))
  return given.map((part, n) => part && takenArray(part, `carried.${n}`))
}

/**
 * The clock of a state with a `dt` that may differ from the snapshot's. Its steps then begin at the time of the snapshot.
 *
 * @throws TypeError, RangeError
 */
function clockNow({ dt, integrator }: SimulationState, steps: number, given: ClockState | undefined): ClockState {
  const adapts = typeof dt !== 'number'
  if (given === undefined) {
    if (adapts && steps > 0)
      throw new TypeError(
        '"clock" expected what simulation.snapshot() gave, got nothing; an older snapshot has the time steps * dt: add clock: { time: [steps * dt, 0], steps, dt } with its dt',
      )
    return { time: [0, 0], steps: 0, dt: adapts ? 0 : dt }
  }
  const clock = checkedClock(given, steps)
  if (clock.dt === dt || radauIn(integrator)) return clock
  return { ...clockAt(clock, steps), ...(!adapts && { dt }) }
}

/** In snapshots of version 1, only steps that adapt have a clock, and its time is the time after all steps. */
function checkedClock(given: ClockState, taken: number): ClockState {
  const { time, steps = taken, dt } = onlyNamed(given, 'part of clock', ['time', 'steps', 'dt'])
  listOf(time, 'clock.time', 'two numbers', (part) => typeof part === 'number')
  const [now, lost] = time
  if (whole(steps, 'clock.steps', 0) > taken)
    throw new RangeError(`"clock.steps" expected at most ${taken}, the steps taken, got ${steps}`)
  return { time: [finite(now, 'clock.time'), finite(lost, 'clock.time')], steps, dt: finite(dt, 'clock.dt') }
}

/** @throws RangeError, naming the first part that was changed */
function requireSame(given: unknown, expected: Readonly<Record<string, string>>): void {
  const known = Object(given) as Readonly<Record<string, unknown>>
  const changed = [...Object.keys(expected), ...Object.keys(known)].find((name) => known[name] !== expected[name])
  if (changed !== undefined)
    throw new RangeError(
      `"${changed}" does not match the checksum of the snapshot: it was changed or damaged; if you changed it on purpose, set "checksum" to undefined`,
    )
}

/** The state with other numbers in one array. Its acceleration must be computed again. @throws TypeError, RangeError */
export function rewritten(state: SimulationState, name: string, numbers: FloatArray): ClockedState {
  const { acceleration: _, previous: _p, ...arrays } = state.arrays
  const computed = [
    ...(state.integrator.motion === 'first-order' ? ['velocity'] : []),
    ...Object.keys(state.computed ?? {}),
  ]
  const names = Object.keys(arrays).filter((array) => !computed.includes(array))
  if (!names.includes(name)) throw unexpected('name', `one of ${names.join(', ')}`, name)
  takenArray(numbers, name, arrays[name]?.length, ', as before')
  return restored({ ...state, arrays: { ...state.arrays, [name]: numbers }, checksum: undefined }).state
}
