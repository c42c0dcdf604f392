// The contenders on a graphics card, for each problem. WebGPU takes part with its own plan and with others, within the limits that every
// device has, and with a law as a user types it; CUDA computes the same points. Arrays stay on the card. Sums with a tolerance stand beside
// all pairs. `calls/` has the waiting times of a caller.

import { webgpu } from '@manybody/backend-webgpu'
import type { Plan } from '@manybody/core'
import type { Contender } from '../src/contender.ts'
import { Devices } from '../src/contenders/backend.ts'
import { residentContender } from '../src/contenders/resident.ts'
import { simulationContender } from '../src/contenders/simulation.ts'
import { treeContender } from '../src/contenders/tree.ts'
import { withTypedLaw } from '../src/contenders/typed-law.ts'
import { wholeCallContender } from '../src/contenders/whole-call.ts'
import { liquid } from '../src/near-tasks.ts'
import type { ProblemSpec } from '../src/problem.ts'
import { turnsSession } from '../src/sessions/local-session.ts'
import type { Session } from '../src/sessions/session.ts'
import { sumsJudge } from '../src/tree/judge.ts'
import { type Cuda, cudaCall, cudaEnvironment } from './cuda.ts'
import { bestPlans, blockPlans, cellPlans, ladderPlans } from './ladder.ts'

/** Sets of plans to time beside the backend's own choice. */
export const planSets = ['all', 'chosen', 'best', 'ladder'] as const
export type PlanSet = (typeof planSets)[number]

interface Subject {
  readonly what: ProblemSpec['what']
  /** The most points for which it is timed. */
  readonly most: number
  /** Whether it is timed in many plans and beside CUDA. */
  readonly tuned?: true
  /** Whether it is timed beside CUDA, in the plan of the backend alone. */
  readonly rivals?: true
  /** Whether it is also timed within the limits that every device has. */
  readonly limited?: true
  /** Whether it has a cutoff. Blocks of near points are then also timed, and at the largest sizes nothing else. */
  readonly near?: true
  /** Whether steps of a simulation are timed. */
  readonly steps?: true
  /** Whether it is timed with tolerances. Such sums have their own numbers of points. */
  readonly approximate?: true
}

/**
 * From the first number of points on, only one law is timed, in one plan, because that is slow. Every variant is timed up to the second.
 */
const [many, mostLaddered] = [262144, 65536]
/** The most points for which a matrix fits a buffer. */
const wide = 16384
/** Sums with a tolerance are judged by this many targets. Above the second number of points, they have one tolerance and no rival. */
const [judges, vast] = [2048, 2 ** 21]

const subjects: Readonly<Record<string, Subject>> = {
  gravity: { what: { law: 'gravity' }, most: Infinity, tuned: true, limited: true },
  coulomb: { what: { law: 'coulomb' }, most: many, tuned: true },
  'lennard-jones-box': { what: { law: 'lennard-jones-box' }, most: Infinity, tuned: true, near: true },
  // For a million points, the backend finds the nearest by blocks.
  'nearest(8)': { what: { task: 'nearest(8)' }, most: Infinity, limited: true, rivals: true },
  'nearest(32)': { what: { task: 'nearest(32)' }, most: Infinity, rivals: true },
  'nearest(64)': { what: { task: 'nearest(64)' }, most: Infinity },
  'count within a radius': { what: { task: 'count within a radius' }, most: Infinity, rivals: true },
  'steps of a liquid': { what: { task: 'steps of a liquid' }, most: Infinity, rivals: true, steps: true },
  argmin: { what: { task: 'argmin' }, most: many, limited: true },
  matrix: { what: { task: 'matrix' }, most: wide },
  'kernel(10)': { what: { task: 'kernel(10)' }, most: 65536, rivals: true },
  'kernel(32)': { what: { task: 'kernel(32)' }, most: 65536, rivals: true },
  'kernel(100)': { what: { task: 'kernel(100)' }, most: 65536, rivals: true },
  'kernel matrix(100)': { what: { task: 'kernel matrix(100)' }, most: wide },
  tolerance: { what: { law: 'point-gravity' }, most: Infinity, approximate: true },
}

export const subjectNames: readonly string[] = Object.keys(subjects)

/** Those that look for near points. */
export const nearNames: readonly string[] = [
  'lennard-jones-box',
  'steps of a liquid',
  'nearest(8)',
  'nearest(32)',
  'count within a radius',
]

/**
 * Runs sizes from few points to many, each with its own points.
 *
 * @param treeSizes the sizes for sums with a tolerance
 */
export function gpuProblems(
  laws: readonly string[],
  sizes: readonly number[],
  treeSizes: readonly number[],
): readonly ProblemSpec[] {
  return [...new Set([...sizes, ...treeSizes])]
    .sort((a, b) => a - b)
    .flatMap((count) =>
      Object.entries(subjects).flatMap(([name, { what, most, approximate }]) =>
        laws.includes(name) && (approximate ? treeSizes : sizes).includes(count) && count <= most
          ? [{ what, count, seed: count }]
          : [],
      ),
    )
}

/** @param version the version of the package webgpu */
export function gpuSession(version: string, set: PlanSet, cuda: Cuda): Session {
  const devices = { own: new Devices(), least: new Devices() }
  return turnsSession(
    cudaEnvironment(version, cuda),
    async (problem, spec) => {
      const { tuned, near, rivals: beside, approximate } = subjectOf(spec)
      if (approximate) return { groups: [treeContenders(spec, devices.own)], judge: sumsJudge(problem, judges) }
      const rivals = beside || near || (tuned && spec.count <= many) ? await cuda.open(problem) : undefined
      return { groups: [residents(spec, set, devices, rivals?.contenders ?? [])], end: () => rivals?.dispose() }
    },
    {
      async dispose() {
        cuda.dispose()
        for (const some of Object.values(devices)) await some.dispose()
      },
    },
  )
}

function subjectOf({ what }: ProblemSpec): Subject {
  const subject = Object.values(subjects).find((one) => one.what === what)
  if (!subject) throw new RangeError(`expected one of ${subjectNames.join(', ')}, got ${JSON.stringify(what)}`)
  return subject
}

/** The tolerance of a tree and of a mesh side by side. */
const small = 1e-4

function treeContenders({ count }: ProblemSpec, devices: Devices): readonly Contender[] {
  const tolerances = count > vast ? [2e-3] : [1e-2, 2e-3, small]
  return [
    ...(count > vast ? [] : [residentContender('webgpu', webgpu(), devices)]),
    ...tolerances.map((tolerance) => treeContender('webgpu', webgpu(), devices, tolerance)),
    ...(count > vast
      ? []
      : [wholeCallContender(`webgpu mesh, tolerance ${small}`, webgpu(), { tolerance: small, method: 'mesh' })]),
  ]
}

/** The contenders with arrays that stay on the device. They share one device. */
function residents(
  spec: ProblemSpec,
  set: PlanSet,
  { own, least }: Readonly<Record<'own' | 'least', Devices>>,
  rivals: readonly Contender[],
): readonly Contender[] {
  const { count, what } = spec
  const isGravity = what === subjects.gravity?.what
  const { limited, near, steps } = subjectOf(spec)
  const chosen = steps
    ? simulationContender('webgpu', webgpu(), { dt: liquid.dt })
    : residentContender('webgpu', webgpu(), own)
  return [
    ...(near && count > many ? [] : [chosen]),
    ...(isGravity && count <= many ? [withTypedLaw(residentContender('webgpu, typed law', webgpu(), own))] : []),
    ...plansOf(spec, set).map((plan) => residentContender('webgpu', webgpu(), own, plan)),
    ...(limited && count <= many && set !== 'chosen'
      ? [residentContender('webgpu, default limits', webgpu({ defaultLimits: true }), least)]
      : []),
    ...rivals.filter(({ name }) => name !== cudaCall),
  ]
}

/** The only near subject is in a periodic box. */
const nearPlans: readonly Plan[] = [...cellPlans, ...blockPlans]

/** Every variant is timed only for gravity, unless the caller asks for variants alone. */
function plansOf(spec: ProblemSpec, set: PlanSet): readonly Plan[] {
  const { count, what } = spec
  const { tuned, near } = subjectOf(spec)
  if (near && count > many) return set === 'chosen' ? [...cellPlans.slice(0, 1), ...blockPlans.slice(0, 1)] : nearPlans
  if (!tuned || count > many) return []
  const isGravity = what === subjects.gravity?.what
  const best = set === 'all' || set === 'best' ? bestPlans(count) : []
  const ladder = (set === 'all' && isGravity && count <= mostLaddered) || set === 'ladder' ? ladderPlans(count) : []
  return [...best, ...(near && best.length > 0 ? nearPlans : []), ...ladder]
}
