/**
 * The map that computes the terms of links: one element for each end of a link, with the numbers of all its points. It has the formulas
 * of simulations, but reads no point by an index: the host brings the numbers of the points to the ends. Positions are relative to
 * the first point that a formula reads, so that coordinates far from the origin lose no digits.
 *
 * @module
 */
import { axesOf } from '../../ground/axes.ts'
import { Remembered } from '../../ground/remember.ts'
import { toText } from '../../language/infix.ts'
import { constant, type Expr, symbolsOf } from '../../language/nodes.ts'
import { substitute } from '../../language/simplify.ts'
import { vectorsOf } from '../../problem/interactions/vectors.ts'
import { mapComponents } from '../../problem/workloads/bodies/map-components.ts'
import { map } from '../../problem/workloads/particle.ts'
import { attributesRead, termOf } from '../../problem/workloads/quantity.ts'
import type { Dimension, Gathered, MapWorkload } from '../../problem/workloads/workload.ts'
import { angleMap, legMap } from '../../simulation/forces/angle-stages.ts'
import type { Angular } from '../../simulation/forces/angles.ts'
import { angularEnergies, angularForces } from '../../simulation/forces/angular-forces.ts'
import { endMap } from '../../simulation/forces/bond-stages.ts'
import type { Bonds } from '../../simulation/forces/bonds.ts'
import type { KnownCall } from '../../simulation/forces/curve-scope.ts'
import { dihedralLegMap, dihedralMap } from '../../simulation/forces/dihedral-stages.ts'
import { type BondMap, endNames } from '../../simulation/forces/end-names.ts'
import { angularCallMaps, bondCallMaps, type CallMaps } from '../../simulation/forces/link-calls.ts'
import { type NumbersByName, ownerOf } from '../../simulation/numbers/numbers.ts'
import { bondWorkload, type LinkWorkload } from './over-links.ts'

/** The parts of a run that the map depends on, besides the workload. */
export interface LinkMapShape {
  readonly dimension: Dimension
  /** The vectors among the arrays of the points. */
  readonly vectors: readonly string[]
  /** The relative error of an operation of the device. */
  readonly rounding: number
  /** The numbers of the law. */
  readonly parameters: NumbersByName
}

/** A map of ends, and the arrays of the ends that it reads. */
export interface LinkStage {
  readonly workload: MapWorkload
  readonly arrays: readonly string[]
  /** The arrays with one number per component. */
  readonly vectors: readonly string[]
  /** The call of a tabulated function whose step this map finds, with its argument in the numbers that the first stage reads. The host brings the numbers of the step. */
  readonly call?: KnownCall
}

/** Maps of ends. Each may read the results of those before it, and the last one gives `term`. */
export interface LinkMap {
  readonly stages: readonly LinkStage[]
  /** The components of the term, with all stages in one. */
  readonly terms: readonly Expr[]
  readonly parameters: NumbersByName
  /** The arrays that the maps read of the points of a link, by their names in the maps. */
  readonly gathered: Readonly<Record<string, Gathered>>
  /** The point that positions are relative to: the array of ends that has its index. */
  readonly base: string
}

const maps = new Remembered<LinkWorkload, LinkMap>()

export function linkMap(workload: LinkWorkload, shape: LinkMapShape): LinkMap {
  return maps.of(workload, () => made(workload, shape), JSON.stringify(shape))
}

function made(workload: LinkWorkload, shape: LinkMapShape): LinkMap {
  const { links } = workload
  const { dimension } = shape
  const base = 'bonds' in links ? endNames.own : endNames.member(0)
  const owner = ownerOf('bonds' in links ? 'Bonds' : 'Angular', 0)
  const given = { ...shape, owner, numbers: { [owner]: shape.parameters } }
  const maps = 'bonds' in links ? bondStages(workload, links, given) : angularStages(workload, links, given)
  const named = maps.map(({ ends }) => ends)
  const gather: Readonly<Record<string, Gathered>> = Object.assign({}, ...named.map((stage) => stage.workload.gather))
  const parameters: NumbersByName = Object.assign({}, ...named.map((stage) => stage.workload.parameters))
  const names = Object.keys(gather)
  const zeros = Object.fromEntries(
    names
      .filter((name) => gather[name]?.of === 'position' && gather[name]?.at === base)
      .flatMap((name) => axesOf(dimension).map((axis) => [`${name}_${axis}`, constant(0)] as const)),
  )
  const stages = named.map((stage) => relative(stage, zeros, dimension))
  const vectors = named.flatMap((stage) => stage.vectors)
  const { terms, earlier } = joined(stages)
  const made = maps.map(({ ends: { workload: one }, call }, n) => {
    const stage = stageOf(stages[n] as Components, one.parameters, vectors)
    const argument = call && substitute(substitute(call.argument, zeros), earlier[n] as Named)
    return call && argument ? { ...stage, call: { looked: call.looked, argument } } : stage
  })
  const isRead = (name: string) => made.some(({ arrays }) => arrays.includes(name))
  return {
    stages: made,
    terms,
    parameters,
    gathered: Object.fromEntries(names.filter(isRead).map((name) => [name, gather[name] as Gathered])),
    base,
  }
}

/** The components of each result of a stage. */
type Components = Readonly<Record<string, readonly Expr[]>>

/** A stage with coordinates of the base at 0. The one result of the last stage is the term. */
function relative(
  { workload, vectors }: BondMap,
  zeros: Readonly<Record<string, Expr>>,
  dimension: Dimension,
): Components {
  const components = [...mapComponents(workload, { dimension, vectors })]
  return Object.fromEntries(
    components.map(([name, list]) => [name === 'sum' ? 'term' : name, list.map((e) => substitute(e, zeros))]),
  )
}

function stageOf(stage: Components, parameters: NumbersByName, vectors: readonly string[]): LinkStage {
  const texts = Object.entries(stage).map(([name, list]) => [name, list.map(toText)] as const)
  const symbols = [...symbolsOf(...Object.values(stage).flat())].filter((name) => !Object.hasOwn(parameters, name))
  const isOf = (vector: string) => (name: string) => name.startsWith(`${vector}_`) && name.length === vector.length + 2
  const read = vectors.filter((vector) => symbols.some(isOf(vector)))
  const plain = symbols.filter((name) => !read.some((vector) => isOf(vector)(name)))
  return { workload: map(Object.fromEntries(texts), parameters), arrays: [...plain, ...read], vectors: read }
}

type Named = Readonly<Record<string, Expr>>

/** The components of the last stage, and the results that each stage may read, in the numbers that the first one reads. */
function joined(stages: readonly Components[]): {
  readonly terms: readonly Expr[]
  readonly earlier: readonly Named[]
} {
  const earlier: Named[] = [{}]
  let terms: readonly Expr[] = []
  for (const stage of stages) {
    const before = earlier.at(-1) as Named
    const named = Object.entries(stage).flatMap(([name, list]) => {
      terms = list.map((e) => substitute(e, before))
      return terms.map((e, n) => [list.length === 1 ? name : `${name}_${'xyz'[n]}`, e] as const)
    })
    earlier.push({ ...before, ...Object.fromEntries(named) })
  }
  return { terms, earlier }
}

/** A map of ends, and the call whose step it finds, if it finds one. */
interface EndStage {
  readonly ends: BondMap
  readonly call?: KnownCall
}

const ofCalls = (calls: readonly CallMaps[]): readonly EndStage[] =>
  calls.map(({ call: looked, argument, step }) => ({ ends: step, call: { looked, argument } }))

type Given = Parameters<typeof endMap>[2] & Pick<LinkMapShape, 'rounding'>

/** The stages of bonds, from the points to the terms. */
const bondStages = ({ reduction }: LinkWorkload, links: Bonds, given: Given): readonly EndStage[] => [
  ...ofCalls(bondCallMaps(links, given.dimension)),
  { ends: endMap(bondWorkload(reduction, links), links, given) },
]

/** The stages of angles and dihedrals, from the points to the terms. */
function angularStages({ reduction }: LinkWorkload, links: Angular, given: Given): readonly EndStage[] {
  const { dimension, rounding, owner, numbers } = given
  const force = reduction === 'force' || reduction === 'acceleration'
  const turned =
    'angles' in links
      ? [legMap(links, dimension), angleMap(dimension, rounding)]
      : [dihedralLegMap(links), dihedralMap(rounding)]
  const term = force
    ? angularForces(links, reduction === 'acceleration' ? links.law.inertia : undefined, given)
    : angularEnergies(links, owner, numbers)
  return [...turned.map((ends) => ({ ends })), ...ofCalls(angularCallMaps(links, owner, numbers)), { ends: term }]
}

/** A map over points that reads the attributes that the links read, to check the arrays of the points. It never runs. */
export function asMapOfPoints(workload: LinkWorkload, dimension: Dimension): MapWorkload {
  const vectors = 'bonds' in workload.links ? (vectorsOf(workload.links.law)?.groups.flat() ?? []) : []
  const names = namesRead(workload, dimension).filter((name) => !vectors.includes(name))
  return map(Object.fromEntries(names.length > 0 ? names.map((name, n) => [`read${n}`, name]) : [['none', '0']]))
}

/** The attributes that the links read, by their names in expressions of a point. */
export function namesRead(
  { links, reduction }: Pick<LinkWorkload, 'links' | 'reduction'>,
  dimension: Dimension,
): readonly string[] {
  const position = axesOf(dimension).map((axis) => `position_${axis}`)
  if (!('bonds' in links)) {
    const { inertia } = links.law
    return [...position, ...(reduction === 'acceleration' && inertia !== undefined ? [inertia] : [])]
  }
  const workload = bondWorkload(reduction, links)
  const { targets, sources } = attributesRead(workload, dimension)
  const placed = [...targets, ...sources].find((name) => /^position_[xyz]$/.test(name))
  if (placed !== undefined)
    throw new TypeError(
      `"links.law" expected a law of displacements, such as dx or r, got ${links.law.name}, which reads ${placed}; copy it to an attribute with another name`,
    )
  const term = termOf(workload, dimension)
  const displaced =
    term.form === 'radial' || ['dx', 'dy', 'dz', 'r2'].some((name) => symbolsOf(...term.components).has(name))
  return [...new Set([...targets, ...sources, ...(displaced ? position : [])])]
}
