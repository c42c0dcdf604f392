/**
 * The forces of a simulation as data: the user's description, its checked and complete form, and the workloads that compute it.
 *
 * @module
 */
import { describe, finite, hasNames, onlyNamed } from '../../ground/checks.ts'
import type { NewNames } from '../../problem/interactions/composed/sum-of.ts'
import { interactionOf, requireInteraction } from '../../problem/interactions/from-data.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import { domainOf, optionsOf } from '../../problem/workloads/define-domain.ts'
import {
  type Boundary,
  type Domain,
  type DomainOptions,
  hasOpenAxes,
  namedBox,
  requireEnd,
} from '../../problem/workloads/domain.ts'
import {
  accelerations,
  forces,
  methodOf,
  requireApproximable,
  type SumOptions,
  sum,
} from '../../problem/workloads/pair.ts'
import type { PairWorkload } from '../../problem/workloads/workload.ts'
import type { Summand } from '../numbers/pair-numbers.ts'
import {
  type AngleOptions,
  type Angular,
  anglesOf,
  type DihedralOptions,
  dihedralsOf,
  isAngles,
  isDihedrals,
} from './angles.ts'
import { type BondOptions, type Bonds, bondsOf, isBonds } from './bonds.ts'
import {
  type ComputedAttributes,
  type ComputedPart,
  checkedComputed,
  computedPartsOf,
  nestedIn,
  sumsOf,
} from './computed.ts'
import type { Looked } from './curve-scope.ts'
import { embeddings, writtenOut } from './embedded.ts'
import { membersOf } from './ends.ts'
import { type Slope, slopesOf } from './energy-slopes.ts'
import { withoutCalls } from './external-expressions.ts'
import { type ExternalForce, externalForceOf, isExternal } from './external-force.ts'
import { inOnePass } from './one-pass.ts'
import type { PairPart } from './pair-part.ts'

export type { PairPart }

/** A pair law with a domain, and a method if it may be approximated. Other forces may have others. */
export interface PairForceOptions extends SumOptions {
  readonly law: Interaction
  /** A factor of the force and its energy; 1 by default. */
  readonly scale?: number
}

/** A force on the points: a law between all pairs, a law with its domain, bonds, angles, dihedrals, or a force on each point by itself. */
export type Force = Interaction | PairForceOptions | BondOptions | AngleOptions | DihedralOptions | ExternalForce

/** Whether forces give accelerations, or, in first-order motion, velocities. */
export type Motion = 'second-order' | 'first-order'

/** The forces in a description: one law with its domain, or a list of forces. */
export interface ForceDescription {
  readonly law?: Interaction | undefined
  readonly domain?: SumOptions | undefined
  readonly forces?: readonly Force[] | undefined
  /**
   * Attributes that are computed before the forces, in this order, by their names: a sum over pairs, such as
   * `{ density: { law: kernel(), cutoff: 0.1 } }`, or an expression of a point, such as `{ pressure: '100*(density - 1)' }`.
   */
  readonly computed?: ComputedAttributes | undefined
}

/** A law over listed pairs. */
interface BondPart extends PairPart {
  readonly bonds: Bonds
}

/** The excluded pairs of a force with a mesh, as links. A grid adds their smooth parts, which a device then takes out. */
interface Correction {
  readonly of: PairPart
  readonly bonds: Bonds
}

/** A call of a tabulated function by an external force. */
export interface PointCall extends Looked {
  readonly force: number
}

export interface ForceParts {
  /** Attributes that are computed before the forces. */
  readonly computed: readonly ComputedPart[]
  readonly pairs: readonly PairPart[]
  /** The slopes of energies that read computed attributes, in the order of their stages. */
  readonly slopes: readonly Slope[]
  /** All sums over pairs: the forces, then those of computed attributes and of slopes. */
  readonly sums: readonly PairPart[]
  readonly bonds: readonly BondPart[]
  /** The laws of bonds without a bond: points may have their vectors. */
  readonly unused: readonly Interaction[]
  /** For devices that compute meshes within a step. */
  readonly corrections: readonly Correction[]
  /** Angles and dihedrals. */
  readonly angular: readonly Angular[]
  readonly external: readonly ExternalForce[]
  /** The tabulated functions of external forces, each with the place of its force. */
  readonly calls: readonly PointCall[]
  /** The attribute that divides forces. Only first-order motion may do without. */
  readonly inertia: string | undefined
}

/**
 * The description with checked forces and complete domains. A single law stays single, and a list stays a list. @throws TypeError,
 * RangeError
 */
export function checkedForces({ law, domain, forces: list, computed }: ForceDescription): ForceDescription {
  if (list === undefined) {
    const options = checkedOptions(domain)
    const attributes = checkedComputed(computed, options.boundary)
    return { law, domain: options, ...(attributes && { computed: attributes }) }
  }
  const other = law !== undefined ? 'law' : domain !== undefined ? 'domain' : undefined
  if (other !== undefined)
    throw new TypeError(`"${other}" belongs to a single force; with "forces", write { law, ...domain } in the list`)
  if (!Array.isArray(list) || list.length === 0)
    throw new TypeError(
      `"forces" expected a list of forces, such as [gravity()], got ${Array.isArray(list) ? 'an empty one' : describe(list)}`,
    )
  const box = boxOf(list)
  const attributes = checkedComputed(computed, box)
  const forces = list.map((force, n) => checkedForce(box ? inBox(force, box) : force, n))
  return { forces, ...(attributes && { computed: attributes }) }
}

/** The periodic box of a system: the box of all forces that name one. @throws TypeError, RangeError if they disagree */
function boxOf(list: readonly Force[]): Boundary | undefined {
  let [first, box]: [number, Boundary | undefined] = [0, undefined]
  for (const [n, force] of list.entries()) {
    const { boundary: given } = Object(force) as Partial<PairForceOptions>
    if (given === undefined) continue
    const { boundary } = domainOf({ boundary: given })
    if (boundary.kind === 'open') continue
    if (box && namedBox(boundary) !== namedBox(box))
      throw new RangeError(
        `"forces[${n}].boundary" expected the box of forces[${first}], ${namedBox(box)}, got ${namedBox(boundary)}; a system has one box`,
      )
    if (!box) [first, box] = [n, boundary]
  }
  return box
}

/** Gives a force without a boundary the box of the system. */
function inBox(force: Force, boundary: Boundary): Force {
  if (typeof force !== 'object' || force === null || isExternal(force)) return force
  const options = ('law' in force ? force : { law: force }) as PairForceOptions
  return { ...options, boundary: options.boundary ?? boundary }
}

/** The options of a sum with complete domain. @throws TypeError, RangeError */
function checkedOptions(options: SumOptions | undefined): SumOptions {
  const { method, ...domain } = (hasNames(options) ? options : {}) as SumOptions
  const checked = domainOf(method === undefined ? options : domain)
  if (method === undefined) requireEnd(checked)
  const complete = optionsOf(checked)
  return method === undefined ? complete : { ...complete, method: methodOf(method) }
}

const sumOptions = ['self', 'boundary', 'cutoff', 'switchDistance', 'shift', 'exclusions', 'method']

function checkedForce(force: Force, n: number): Force {
  if (isExternal(force)) return externalForceOf(force)
  if (isBonds(force)) return bondsOf(force, `forces[${n}]`)
  if (isAngles(force)) return anglesOf(force, `forces[${n}]`)
  if (isDihedrals(force)) return dihedralsOf(force, `forces[${n}]`)
  const given = typeof force === 'object' && force !== null && 'law' in force ? force : { law: force }
  const { law, scale = 1, ...domain } = onlyNamed(given, `part of forces[${n}]`, ['law', 'scale', ...sumOptions])
  const expected = 'an interaction such as gravity(), { law, ...domain }, bonds, angles, dihedrals or an external force'
  return {
    law: requireInteraction(law, `forces[${n}]`, expected),
    scale: finite(scale, `forces[${n}].scale`),
    ...checkedOptions(domain),
  }
}

/** The parts of the force of a checked description. @throws TypeError if they do not fit the motion or each other */
export function partsOf({ law, domain, forces: list, computed: named }: ForceDescription, motion: Motion): ForceParts {
  const all = list ?? [{ law: law as Interaction, ...domain }]
  const given = all.filter(isExternal)
  const isAngular = (force: Force) => isAngles(force) || isDihedrals(force)
  const angular = all.filter((force): force is Angular => isAngular(force))
  const laws = all.filter((force): force is PairForceOptions | Bonds => !isExternal(force) && !isAngular(force))
  const inertias = [...[...laws, ...angular].map((force) => force.law), ...given].flatMap(
    (force) => force?.inertia ?? [],
  )
  const [inertia, ...others] = [...new Set(inertias)]
  if (others.length > 0)
    throw new TypeError(
      `"forces" expected the same inertia in all, got ${[inertia, ...others].join(' and ')}; a point has one mass`,
    )
  if (!inertia && motion === 'second-order' && laws.every(({ law: own }) => own?.kind && own.kind !== 'term'))
    throw new TypeError(`"forces" expected a force with inertia; define one with { inertia: 'mass' }`)
  const partOf = (
    { law: own, scale = 1 }: { law: Interaction; scale?: number },
    domain: DomainOptions,
    summands: readonly Summand[],
  ): PairPart => {
    const inherits = inertia !== undefined && own?.inertia === undefined && own?.kind !== 'term'
    const full = inherits ? interactionOf({ ...own, inertia }) : own
    return { law: full, summands, domain, scale, workload: workloadFor(full, domain, motion) }
  }
  const ofPairs = laws.filter((force): force is PairForceOptions => !isBonds(force))
  const pairs = ofPairs.map(({ law: own, scale = 1, method, ...options }, place) => {
    const part = partOf({ law: own, scale }, options, [{ place }])
    if (method) requireApproximable(part.law)
    return { ...part, method }
  })
  const listed = laws.filter((force): force is Bonds => isBonds(force))
  const bonds = listed
    .filter((one) => one.bonds.length > 0)
    .map((one, place) => ({
      ...partOf(one, { boundary: one.boundary }, [{ place }]),
      bonds: one,
    }))
  const corrections = pairs.flatMap((of): readonly Correction[] => {
    const { law: own, method, workload } = of
    const { boundary, exclusions } = workload.domain
    // With open axes, the host computes the grid.
    if (method?.kind !== 'mesh' || exclusions.length === 0 || hasOpenAxes(boundary)) return []
    return [{ of, bonds: { law: own, scale: 1, boundary, attributes: {}, bonds: eachOnce(exclusions) } }]
  })
  const computed = computedPartsOf(named, pairs.length)
  const inPasses = inOnePass<PairPart>(pairs, ({ law: whole, names }, parts) => {
    const [{ domain: common, scale }] = parts as readonly [PairPart]
    const summands = parts.flatMap(({ summands: own }, n) =>
      own.map(({ place }) => ({ place, names: names[n] as NewNames })),
    )
    return partOf({ law: whole, scale }, common, summands)
  })
  requireNoneRead(bonds, computed)
  const calls: PointCall[] = []
  const external = given.map((force, n) => {
    const plain = withoutCalls(force, calls.length)
    calls.push(...plain.calls.map((call) => ({ ...call, force: n })))
    return writtenOut(plain.force, computed)
  })
  const slopes = slopesOf(computed, external, pairs)
  const pushed = embeddings(computed, slopes).map(({ of, law: own, domain: pushes }) => ({
    ...partOf({ law: own }, pushes, of.summands),
    embedded: true,
  }))
  const forces = [...inPasses, ...pushed]
  return {
    computed,
    slopes,
    pairs: forces,
    sums: allSums({ pairs: forces, computed, slopes }),
    bonds,
    unused: listed.filter((one) => one.bonds.length === 0).map((one) => one.law),
    corrections,
    angular: angular.filter((one) => membersOf(one).length > 0),
    external,
    calls,
    inertia,
  }
}

/** The sums over pairs of some parts, in one order. */
export const allSums = ({
  pairs,
  computed,
  slopes,
}: Pick<ForceParts, 'pairs' | 'computed' | 'slopes'>): ForceParts['sums'] => [
  ...pairs,
  ...sumsOf(computed),
  ...slopes.flatMap(({ sums }) => sums.map(({ pair }) => pair)),
]

/** Excluded pairs of different points, each once in one direction. */
function eachOnce(exclusions: Domain['exclusions']): readonly (readonly [number, number])[] {
  const pairs = exclusions.filter(([a, b]) => a !== b).map(([a, b]) => [Math.min(a, b), Math.max(a, b)] as const)
  return [...new Map(pairs.map((pair) => [pair.join(), pair])).values()]
}

/** @throws TypeError for an energy of bonds that reads a computed attribute: its derivative would be incomplete */
function requireNoneRead(parts: readonly PairPart[], computed: readonly ComputedPart[]): void {
  if (computed.length === 0) return
  for (const { law } of parts) {
    const read = law?.kind === 'potential' ? nestedIn({ law }, computed) : undefined
    if (read)
      throw new TypeError(
        `"forces" expected potentials of bonds that read given attributes, but ${law.name} reads ${read}, which changes with the places of points; give its force with pairForce`,
      )
  }
}

function workloadFor(law: Interaction, domain: DomainOptions, motion: Motion): PairWorkload {
  if (motion === 'second-order') return accelerations(law, domain)
  if (law?.kind === 'term') return sum(law, domain)
  return law?.inertia === undefined ? forces(law, domain) : accelerations(law, domain)
}
