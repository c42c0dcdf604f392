/**
 * A description of a simulation with the data derived from it: checks of a user's description, and the same simulation in another state.
 *
 * @module
 */

import { arrayTypes, type FloatArray, finite, onlyNamed, takenArray, unexpected, whole } from '../ground/checks.ts'
import { entriesOf } from '../ground/entries.ts'
import { mapComponents } from '../problem/workloads/bodies/map-components.ts'
import { isSet, type Named, noSet, pointSet } from '../problem/workloads/particles.ts'
import { attributesRead } from '../problem/workloads/quantity.ts'
import type { Dimension } from '../problem/workloads/workload.ts'
import { type AdaptiveRule, adaptiveRule, isAdaptive, limitMap, pairLimits } from './adaptive-step.ts'
import { foundArrays, pointNames, vectorsOf } from './arrays.ts'
import { checkedBarostat } from './barostat/barostat.ts'
import { boris4 } from './boris.ts'
import { longVectors, type PairReads, readsOf } from './check-forces.ts'
import { checkedIntegrator, requireMassOfNoise } from './check-integrator.ts'
import { checkedConstraints } from './constraints/constraints.ts'
import { requireEncounters } from './encounters.ts'
import { checkedEvents, removes } from './events/events.ts'
import { namesOf, requireOrder, zerosFor } from './forces/computed.ts'
import { checkedForces, type ForceParts, type PairPart, partsOf } from './forces/force.ts'
import { boxOfParts } from './forces/system-box.ts'
import { onlyTurns, turnsItself } from './forces/turning-forces.ts'
import { turnsVelocities, type VelocityForce, velocityForces } from './forces/velocity-forces.ts'
import { radauIn } from './gauss-radau/ias15.ts'
import { type Integrator, leapfrog } from './integrators.ts'
import { requireKnownReads } from './known-reads.ts'
import { requireNamed } from './require-named.ts'
import { rungeKutta4 } from './runge-kutta.ts'
import type { BoundSimulation, ClockedState, SimulationOptions, SimulationState } from './state.ts'
import { checkedSources } from './test-particles.ts'
import { keepsTurningSpeed } from './turning.ts'

/** The same simulation in another state. Its laws may have other parameters and tables. */
export function boundWith(bound: BoundSimulation, state: ClockedState): BoundSimulation {
  const same = (['law', 'forces', 'domain', 'computed'] as const).every((part) => state[part] === bound.state[part])
  if (same) return { ...bound, state }
  const parts = partsOf(state, state.integrator.motion ?? 'second-order')
  const before = [...bound.parts.sums, ...bound.parts.bonds]
  const reads = [...parts.sums, ...parts.bonds].map((part, n) => [part, readsIn(bound, before[n])] as const)
  return { state, parts, reads: new Map(reads) }
}

const readsIn = ({ reads }: BoundSimulation, part: PairPart | undefined): PairReads =>
  reads.get(part as PairPart) as PairReads

/** Checks a description and copies its arrays. @throws TypeError, RangeError */
export function boundSimulation(options: SimulationOptions): BoundSimulation {
  const known = [
    'law',
    'particles',
    'integrator',
    'dt',
    'time',
    'domain',
    'forces',
    'computed',
    'fixed',
    't0',
    'capacity',
    'sources',
    'events',
    'constraints',
    'barostat',
  ]
  const {
    particles,
    integrator: chosen,
    dt: length,
    time,
    t0 = time ?? 0,
    fixed,
    capacity: most,
    events: given,
    sources: acting,
    constraints: held,
    barostat: pressing,
    ...described
  } = onlyNamed(options, 'simulation option', known)
  if (time !== undefined && options.t0 !== undefined)
    throw new TypeError('"time" is another name of t0; give one of them')
  if (!isAdaptive(length) && finite(length, 'dt') === 0)
    throw new RangeError('"dt" expected a number other than 0, got 0')
  if (chosen !== undefined && !Array.isArray(chosen?.stages))
    throw unexpected('integrator', 'an imported one, such as yoshida4', chosen)
  if (!isSet(particles)) throw noSet('particles', '{ position, velocity, ... }', particles)
  const { motion = 'second-order', random } = chosen ?? {}
  if (random && Number(length) < 0)
    throw new RangeError(`"dt" expected a number > 0, because noise cannot be reversed, got ${length}`)
  const checked = checkedForces(described)
  const parts = partsOf(checked, motion)
  if ('targets' in particles || 'sources' in particles)
    throw new TypeError('"particles" expected one set, as all of them move, got targets and sources')
  const { velocity: start, ...others } = particles
  const set = pointSet(others, '', longVectors(parts))
  const { position, ...attributes } = set.arrays as { position: FloatArray; [name: string]: FloatArray }
  const sums = parts.computed.map(({ name }) => name)
  const computed = [...foundArrays, ...(motion === 'first-order' ? ['velocity'] : []), ...sums]
  for (const name of computed)
    if ((particles as Named)[name] !== undefined)
      throw new TypeError(`"${name}" is computed by the simulation; leave it out of the particles`)
  for (const name of [...Object.keys(attributes), ...sums]) {
    if (/^simulation[A-Z]/.test(name))
      throw new TypeError(`"${name}" is a name of the simulation's own arrays; rename the attribute`)
    if (start === undefined && /^vel(s|ocit(y|ies))?$/i.test(name))
      throw new TypeError(`"${name}" expected the name velocity; rename the attribute`)
  }
  if (start === undefined && 'velocity' in particles)
    throw new TypeError(
      `"velocity" expected ${arrayTypes}, got undefined; leave the name out if the points begin at rest`,
    )
  const why = `, ${set.dimension} numbers per point`
  const velocity =
    start === undefined
      ? new (position.constructor as Float64ArrayConstructor)(position.length)
      : takenArray(start, 'velocity', position.length, why)
  const { dimension } = set
  const arrays = { position, velocity, ...attributes, ...zerosFor(parts.computed, attributes, set.count) }
  requireOrder(parts.computed, pointNames({ arrays, dimension }))
  requireGiven(parts, dimension)
  const reads = readsOf({ ...set, arrays }, parts, motion === 'first-order')
  const reading = motion === 'first-order' ? [] : velocityForces(parts, arrays, dimension)
  const integrator = checkedIntegrator(chosen ?? fittingIntegrator(reading), arrays, dimension)
  requireKnownReads(parts, checked.forces ?? [], integrator)
  const turning = reading.find((force) => !(force.external && turnsItself(integrator)) && turnsVelocities(force))
  if (turning && !keepsTurningSpeed(integrator, arrays, dimension))
    throw new TypeError(
      `"integrator" expected one that evaluates forces with the velocities of their moment, such as ${turning.external ? 'boris4 or ' : ''}rungeKutta4, because "${turning.name}" turns velocities; with ${integrator.name || 'this one'} the speed would grow without end`,
    )
  if (radauIn(integrator)) requireForRadau(integrator, length, parts)
  const dt = isAdaptive(length) ? adaptiveRule(length, dimension) : length
  if (typeof dt === 'object') {
    requireRule(dt, { arrays, dimension })
    requireEncounters(pairLimits(dt, boxOfParts(parts)), { ...set, arrays })
  }
  const [only] = parts.pairs
  const law = checked.forces ? {} : { law: only?.workload.law, domain: checked.domain }
  if (most !== undefined && whole(most, 'capacity', 1) < set.count)
    throw new RangeError(`"capacity" expected at least ${set.count}, the number of points, got ${most}`)
  const watched = { arrays, dimension, parts, firstOrder: motion === 'first-order' }
  const events = given && checkedEvents(given, watched)
  const capacity = most ?? (events?.some(removes) && set.count > 0 ? set.count : undefined)
  const sources = checkedSources(acting, set.count, parts)
  const still = fixed === undefined ? {} : { fixed: fixedPoints(fixed, set.count, velocity, dimension) }
  requireMassOfNoise(integrator, arrays, still.fixed ?? [])
  const about = { arrays, dimension, parts, integrator, fixed: still.fixed ?? [], events: events ?? [] }
  const constraints = held === undefined ? undefined : checkedConstraints(held, about)
  const pressed = { ...about, dt: length, vectors: vectorsOf(arrays) }
  const barostat = pressing === undefined ? undefined : checkedBarostat(pressing, pressed)
  const state = {
    ...{
      ...law,
      ...(checked.forces && { forces: checked.forces }),
      ...(checked.computed && { computed: checked.computed }),
      dt,
      ...still,
      dimension,
      steps: 0,
    },
    ...(capacity !== undefined && { capacity }),
    ...(sources !== undefined && { sources }),
    ...(constraints && { constraints }),
    ...(barostat && { barostat }),
    ...(events && { events }),
    integrator,
    clock: {
      time: [finite(t0, time === undefined ? 't0' : 'time'), 0],
      steps: 0,
      dt: typeof dt === 'number' ? dt : 0,
    } as const,
    arrays,
  }
  return { state, parts, reads }
}

/** @throws TypeError if a force with a tolerance reads an attribute that is computed */
function requireGiven({ pairs, computed }: ForceParts, dimension: Dimension): void {
  for (const { workload, method } of pairs) {
    const { sources, targets } = attributesRead(workload, dimension)
    const read = computed.find((one) => method && namesOf(one).some((name) => [...sources, ...targets].includes(name)))
    if (read)
      throw new TypeError(
        `"method" expected a law of given attributes, but ${workload.law.name} reads ${read.name}, which is computed; leave out the method`,
      )
  }
}

/** @throws TypeError for steps of a rule, and for forces that are too coarse */
function requireForRadau({ name }: Integrator, dt: unknown, { pairs }: ForceParts): void {
  if (isAdaptive(dt))
    throw new TypeError(
      `"dt" expected the length of the first step, as those of ${name} adapt by themselves, got a rule`,
    )
  const approximated = pairs.find(({ method }) => method)
  if (approximated)
    throw new TypeError(
      `"method" expected nothing with ${name}, got one for ${approximated.law.name}: an approximation would spoil its digits`,
    )
}

/** The integrator for forces that read velocities. @param reading those forces */
function fittingIntegrator(reading: readonly VelocityForce[]): Integrator {
  if (reading.length === 0) return leapfrog
  return reading.every(({ external, components }) => external && onlyTurns(components)) ? boris4 : rungeKutta4
}

/** Checks that the points have all names in a rule for steps. @throws TypeError, RangeError */
function requireRule(rule: AdaptiveRule, state: Pick<SimulationState, 'arrays' | 'dimension'>): void {
  const [workload, points] = [limitMap(rule), pointNames(state)]
  requireNamed(workload, points)
  const [[, components] = ['', []]] = mapComponents(workload, points)
  if (components.length !== 1)
    throw new TypeError(
      '"dt.step" expected one number per point, got an expression of vectors; name components, such as velocity_x',
    )
}

/** The points that stay where they are, ascending. @param velocity must be 0 for them @throws TypeError, RangeError */
export function fixedPoints(
  given: unknown,
  count: number,
  velocity?: FloatArray,
  dimension: number = 0,
): readonly number[] {
  if (typeof Object(given)[Symbol.iterator] !== 'function' || typeof given === 'string')
    throw unexpected('fixed', 'a list of indices of points', given)
  const listed = entriesOf(given as Iterable<number>, 'fixed')
  const points = [...new Set(listed.map((point) => whole(point, 'fixed', 0)))].sort((a, b) => a - b)
  for (const point of points) {
    if (point >= count) throw new RangeError(`"fixed" expected indices of the ${count} points, got ${point}`)
    const moved = velocity?.subarray(point * dimension, (point + 1) * dimension).some((v) => v !== 0)
    if (moved) throw new RangeError(`"fixed" expected points without velocity, got point ${point}, which moves`)
  }
  return points
}
