/**
 * FIRE as stages on the device: points slide downhill with inertia. As long as they do, steps get longer and velocities turn towards the
 * forces; when they go uphill, they stop, half a step back, and begin again with shorter steps.
 *
 * With the length of a velocity and of an acceleration weighted by the inertia, the mean direction is that of the paper in coordinates
 * multiplied by the root of the mass. No point moves farther than a reach in one step.
 *
 * @source E. Bitzek et al., Phys. Rev. Lett. 97 (2006) 170201; J. Guénolé et al., Comput. Mater. Sci. 175 (2020) 109584: FIRE 2.0
 * @module
 */
import { axesOf } from '../../ground/axes.ts'
import { pairTerm } from '../../problem/interactions/define.ts'
import { reduce, sum } from '../../problem/workloads/pair.ts'
import { map } from '../../problem/workloads/particle.ts'
import type { Dimension } from '../../problem/workloads/workload.ts'
import type { PlannedStage } from '../forces/planned-stage.ts'
import { workNames } from '../forces/work-names.ts'
import type { Integrator } from '../integrators.ts'
import type { Clock } from '../stepping/clocks/clock.ts'
import { spread, tick } from '../stepping/clocks/single-numbers.ts'

/** The velocity of the descent. That of the simulation stays. */
const slide = 'simulationFireVelocity'

/** Numbers of each point. */
const ofPoint = {
  power: 'simulationFirePower',
  speeds: 'simulationFireSpeeds',
  slopes: 'simulationFireSlopes',
  force: 'simulationFireForce',
  pull: 'simulationFirePull',
  speed: 'simulationFireSpeed',
  keep: 'simulationFireKeep',
  push: 'simulationFirePush',
  step: 'simulationFireStep',
  back: 'simulationFireBack',
} as const

/** Single numbers that tell how far the descent is. */
export const fireNames = {
  /** The largest force on a point. */
  force: 'fireForce',
  /** Steps taken. */
  taken: 'fireTaken',
  /** 1 once nothing moves any more. */
  done: 'fireDone',
} as const

const { force, taken, done } = fireNames

/** The values of the second paper. Steps may get longer than there, in case the first one is short. */
const numbers = { delay: 20, longer: 1.1, shorter: 0.5, turning: 0.25, straighter: 0.99, longest: 100 }

/** A step: points move by the velocities that the stages before have chosen, then the forces follow. */
export const fireSteps = (motion: Integrator['motion'], target: string): Integrator => ({
  name: 'FIRE',
  order: 1,
  scratch: [slide],
  ...(motion && { motion }),
  stages: [
    {
      kind: 'map',
      fraction: 1,
      outputs: {
        [slide]: `${ofPoint.keep}*${slide} + ${ofPoint.push}*${target}`,
        position: `position - ${ofPoint.back}*${slide} + ${ofPoint.step}*(${ofPoint.keep}*${slide} + ${ofPoint.push}*${target})`,
      },
    },
    { kind: 'force' },
  ],
})

export interface FireOptions {
  /** The largest force of a minimum. */
  readonly force: number
  /** The most steps. */
  readonly steps: number
  /** The length of the first step. */
  readonly dt: number
  /** The farthest that a point moves in a step; may be infinite. */
  readonly reach: number
  readonly dimension: Dimension
  /** The array that the forces give. */
  readonly target: string
  /** The attribute that divided the forces. */
  readonly inertia: string | undefined
  /** So large numbers of each point may be added up. */
  readonly most: number
}

/** The clock of FIRE: before each step, it finds how the points go on. Time stands still. @param held a clock of the time now */
export function fireClock(held: Clock, options: FireOptions): Clock {
  const single = { force: 0, taken: 0, done: 0, power: 0, speeds: 0, slopes: 0, pull: 0, speed: 0, streak: 0 }
  const moves = { kick: 0, keep: 0, push: 0, step: 0, back: 0, mix: numbers.turning, dt: options.dt }
  const all = Object.entries({ ...single, ...moves }).map(([name, at]) => [singleOf(name), at] as const)
  return {
    ...held,
    ofPoints: {
      ...held.ofPoints,
      ...Object.fromEntries(Object.values(ofPoint).map((name) => [name, 0])),
      [workNames.zero]: 0,
    },
    single: Object.fromEntries(all),
    before: [...measured(options), ...decided(options), ...told],
    after: [],
    at: () => held.at(0),
  }
}

const singleOf = (name: string): string => `fire${name[0]?.toUpperCase()}${name.slice(1)}`

/** Measures forces and velocities: for each point, then the sums and maxima over all. */
function measured({ dimension, target, inertia = '1', most }: FireOptions): readonly PlannedStage[] {
  const product = (a: string, b: string) =>
    `(${axesOf(dimension)
      .map((axis) => `${a}_${axis}*${b}_${axis}`)
      .join(' + ')})`
  const below = (text: string) => `max(-most, min(most, ${inertia}*${text}))`
  const pull = `sqrt${product(target, target)}`
  const ofAll = (name: keyof typeof ofPoint, of: 'sum' | 'max'): PlannedStage => {
    const term = pairTerm(`${ofPoint[name]}_j`, { name: `the ${name} of a point` })()
    return {
      workload: of === 'sum' ? sum(term) : reduce('max', term),
      outputs: { value: singleOf(name) },
      clock: 'least',
    }
  }
  return [
    onPoints(
      {
        [ofPoint.power]: below(product(target, slide)),
        [ofPoint.speeds]: below(product(slide, slide)),
        [ofPoint.slopes]: below(product(target, target)),
      },
      { most },
    ),
    onPoints({
      [ofPoint.force]: `${inertia}*${pull}`,
      [ofPoint.pull]: pull,
      [ofPoint.speed]: `sqrt${product(slide, slide)}`,
    }),
    ...(['power', 'speeds', 'slopes'] as const).map((name) => ofAll(name, 'sum')),
    ...(['force', 'pull', 'speed'] as const).map((name) => ofAll(name, 'max')),
  ]
}

/** Decides from these single numbers how all points go on. */
function decided({ force: enough, steps, dt, reach }: FireOptions): readonly PlannedStage[] {
  const { delay, longer, shorter, turning, straighter, longest } = numbers
  const slow = { slow: 1 / reach }
  return [
    tick(
      {
        [done]: `select(${force} <= enough, 1, select(${taken} < steps, 0, 1))`,
        fireStreak: 'select(0 < firePower, fireStreak + 1, 0)',
      },
      { enough, steps },
    ),
    tick(
      {
        fireDt: `select(firePower < 0, shorter*fireDt, select(delay < fireStreak, min(longest, longer*fireDt), fireDt))`,
        fireMix: `select(firePower < 0, turning, select(delay < fireStreak, straighter*fireMix, fireMix))`,
        [taken]: `${taken} + 1 - ${done}`,
      },
      { delay, longer, shorter, turning, straighter, longest: longest * dt },
    ),
    tick(
      {
        fireKick: 'fireDt/max(1, fireDt*sqrt(slow*firePull))',
        fireBack: `select(firePower < 0, (1 - ${done})*fireStep/2, 0)`,
      },
      slow,
    ),
    tick({
      fireKeep: `select(firePower < 0, 0, (1 - ${done})*(1 - fireMix))`,
      firePush:
        `(1 - ${done})*((1 - fireMix)*fireKick + fireMix*sqrt(max(0, kept)/max(fireSlopes, 1e-36) + fireKick^2))` +
        '; kept = select(firePower < 0, 0, fireSpeeds + 2*fireKick*firePower)',
    }),
    tick({ fireStep: 'fireDt/max(1, slow*fireDt*(fireKeep*fireSpeed + firePush*firePull))' }, slow),
  ]
}

/** Tells all points. */
const told: readonly PlannedStage[] = [
  spread({ [ofPoint.keep]: 'fireKeep', [ofPoint.push]: 'firePush' }),
  spread({ [ofPoint.step]: 'fireStep', [ofPoint.back]: 'fireBack' }),
]

/** A map over the points. */
function onPoints(
  outputs: Readonly<Record<string, string>>,
  parameters: Readonly<Record<string, number>> = {},
): PlannedStage {
  const places = Object.fromEntries(Object.keys(outputs).map((name) => [name, name]))
  return { workload: map(outputs, parameters), outputs: places }
}
