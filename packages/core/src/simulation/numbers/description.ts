/**
 * The description of a simulation and its numbers: the forces that read them, and the description with other numbers.
 *
 * @module
 */
import { interactionOf } from '../../problem/interactions/from-data.ts'
import type { Interaction } from '../../problem/interactions/interaction.ts'
import type { Boundary, DomainOptions } from '../../problem/workloads/domain.ts'
import { vectorsWithin } from '../../problem/workloads/vector-parameters.ts'
import { angularLawOf } from '../forces/angle-law.ts'
import { isAngles, isDihedrals } from '../forces/angles.ts'
import { isBonds } from '../forces/bonds.ts'
import type { ComputedAttribute } from '../forces/computed.ts'
import type { ForceLaw } from '../forces/define-law.ts'
import { type Links, membersOf } from '../forces/ends.ts'
import { externalForceOf, isExternal } from '../forces/external-force.ts'
import type { Force, PairForceOptions } from '../forces/force.ts'
import { isLinked } from '../forces/other-links.ts'
import type { ClockedState } from '../state.ts'
import { boundaryNow, numbersOfBox } from './box.ts'
import { cutoffNumbers, ofCutoff } from './cutoffs.ts'
import {
  type NumbersByName,
  type OwnerKind,
  ofBarostat,
  ofIntegrator,
  ownerOf,
  type SimulationNumbers,
  sameNumbers,
} from './numbers.ts'

/** A force that reads parameters. */
export interface Owner {
  readonly owner: string
  /** Its place in the list of forces. */
  readonly place: number
  /** As a caller names it: `forces[1]`, or `computed.density`. */
  readonly path: string
  readonly law: Interaction | ForceLaw
  /** The domain of its pairs, if it is a sum over pairs. */
  readonly domain?: DomainOptions
  /** Parameters with a number of their own for each link. */
  readonly ofLinks: readonly string[]
}

/** The forces of a description in its order, then the sums among its computed attributes. */
export function ownersIn({
  law,
  domain,
  forces,
  computed = {},
}: Pick<ClockedState, 'law' | 'domain' | 'forces' | 'computed'>): readonly Owner[] {
  const counts: Record<OwnerKind, number> = { Pair: 0, Bonds: 0, Angular: 0, External: 0 }
  const list = forces ?? [{ law: law as Interaction, ...domain }]
  const ofForces = list.flatMap((force, place): readonly Owner[] => {
    const kind = kindOf(force)
    if (!kind) return []
    const owner = ownerOf(kind, counts[kind]++)
    const path = `forces[${place}]`
    if (isExternal(force)) return [{ owner, place, path, law: force, ofLinks: [] }]
    const { law: own, attributes = {}, ...options } = force as PairForceOptions & { readonly attributes?: object }
    const ofLinks = Object.keys(attributes)
    return [{ owner, place, path, law: own, ofLinks, ...(kind === 'Pair' && { domain: options }) }]
  })
  const ofSums = Object.entries(computed).flatMap(([name, one], n): readonly Owner[] => {
    if (typeof one === 'string') return []
    const owner = ownerOf('Pair', counts.Pair++)
    return [{ owner, place: list.length + n, path: `computed.${name}`, law: one.law, ofLinks: [], domain: one }]
  })
  return [...ofForces, ...ofSums]
}

function kindOf(force: Force): OwnerKind | undefined {
  if (isExternal(force)) return 'External'
  if (!isLinked(force)) return 'Pair'
  if (membersOf(force as Links).length === 0) return undefined
  return isBonds(force) ? 'Bonds' : 'Angular'
}

type Described = Pick<ClockedState, 'domain' | 'forces' | 'computed' | 'constraints'>
type Bounded = { readonly boundary?: Boundary | undefined }

/** The periodic box of a description; undefined if it has none. */
export function boxIn({ domain, forces = [], computed = {}, constraints }: Described): Boundary | undefined {
  const parts = [domain, ...forces, ...Object.values(computed), constraints] as readonly (Bounded | undefined)[]
  const boundaries = parts.map((part) => Object(part).boundary as Boundary | undefined)
  return boundaries.find((boundary) => boundary?.kind === 'periodic')
}

/** A description with the box of now in all its parts. */
function withBox<D extends Described>(description: D, numbers: Pick<SimulationNumbers, 'parameters'>): D {
  const now = <T>(part: T): T => {
    const { boundary } = Object(part) as Bounded
    return boundary?.kind === 'periodic' ? { ...part, boundary: boundaryNow(boundary, numbers) } : part
  }
  const { domain, forces, computed, constraints } = description
  return {
    ...description,
    ...(domain && { domain: now(domain) }),
    ...(forces && { forces: forces.map(now) }),
    ...(computed && { computed: Object.fromEntries(Object.entries(computed).map(([name, one]) => [name, now(one)])) }),
    ...(constraints && { constraints: now(constraints) }),
  }
}

function cutoffOf({ owner, domain = {} }: Owner): readonly (readonly [string, NumbersByName])[] {
  const numbers = cutoffNumbers(domain)
  return numbers ? [[ofCutoff(owner), numbers]] : []
}

/** The numbers that a description gives. */
export function numbersOf(state: ClockedState): SimulationNumbers {
  const owners = ownersIn(state)
  const tabled = owners.flatMap(({ owner, law }) =>
    'tables' in law && law.tables ? [[owner, law.tables] as const] : [],
  )
  return {
    parameters: {
      ...Object.fromEntries(owners.map(({ owner, law }) => [owner, law.parameters])),
      ...Object.fromEntries(owners.flatMap(cutoffOf)),
      [ofIntegrator]: state.integrator.parameters ?? {},
      ...numbersOfBox(boxIn(state)),
      ...(state.barostat && { [ofBarostat]: { pressure: state.barostat.pressure } }),
    },
    tables: Object.fromEntries(tabled),
    clock: state.clock,
  }
}

/** The description with these numbers. */
export function withNumbers(state: ClockedState, { parameters, tables, clock }: SimulationNumbers): ClockedState {
  const owners = new Map(ownersIn(state).map(({ owner, place }) => [place, owner]))
  const lawAt = <L extends Interaction | ForceLaw>(place: number, law: L, made: (data: L) => L): L => {
    const owner = owners.get(place)
    const own = owner === undefined ? law.parameters : (parameters[owner] as NumbersByName)
    const given = owner === undefined ? undefined : tables[owner]
    const same = own === law.parameters && given === ('tables' in law ? law.tables : undefined)
    const vectors = given && 'vectors' in law && law.vectors && vectorsWithin(given, law.vectors)
    return same ? law : made({ ...law, parameters: own, ...(given && { tables: given }), ...(vectors && { vectors }) })
  }
  const cutoffAt = (place: number) => parameters[ofCutoff(owners.get(place) ?? '')]
  const forceAt = (force: Force, place: number): Force => {
    if (isExternal(force)) return lawAt(place, force, externalForceOf)
    if (isAngles(force)) return { ...force, law: lawAt(place, force.law, angularLawOf) }
    if (isDihedrals(force)) return { ...force, law: lawAt(place, force.law, angularLawOf) }
    const linked = force as PairForceOptions
    return { ...linked, law: lawAt(place, linked.law, interactionOf), ...cutoffAt(place) }
  }
  if (sameNumbers(numbersOf(state), { parameters, tables, clock })) return state
  const boxed = withBox(state, { parameters })
  const { law, forces, computed, integrator, barostat } = boxed
  const ofSum = ([name, one]: readonly [string, ComputedAttribute], n: number) => {
    const place = (forces?.length ?? 1) + n
    return [
      name,
      typeof one === 'string' ? one : { ...one, law: lawAt(place, one.law, interactionOf), ...cutoffAt(place) },
    ] as const
  }
  const { [ofIntegrator]: own = {}, [ofBarostat]: kept } = parameters
  return {
    ...boxed,
    ...(barostat && { barostat: { ...barostat, ...kept } }),
    ...(forces
      ? { forces: forces.map(forceAt) }
      : { law: lawAt(0, law as Interaction, interactionOf), domain: { ...boxed.domain, ...cutoffAt(0) } }),
    ...(computed && { computed: Object.fromEntries(Object.entries(computed).map(ofSum)) }),
    integrator: integrator.parameters === undefined ? integrator : { ...integrator, parameters: own },
    ...(typeof state.dt === 'number' && { dt: clock.dt, clock }),
  }
}
