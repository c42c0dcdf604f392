// Random laws of vectors: sums over components of random expressions, in terms of numbers, energies and forces, and in terms that are
// vectors. Each comes with the same law written out, where a component is an attribute or a parameter of its own. The written law tells the
// truth: it has no vectors.

import {
  type Attributes,
  countWithin,
  type DomainOptions,
  ExpressionError,
  energy,
  forces,
  type Interaction,
  matrix,
  nearest,
  type PairWorkload,
  type Particles,
  pairForce,
  pairPotential,
  pairTerm,
  potentials,
  reduce,
  sum,
  virial,
} from '@manybody/core'
import { readsVectors } from '@manybody/core/expression'
import { Dice } from './dice.ts'
import { expression, smooth } from './expressions.ts'
import { type RandomProblem, randomCuts, randomDomain } from './problem.ts'

export interface VectorProblem extends RandomProblem {
  readonly workload: PairWorkload
  /** Whether the term is a vector. Then only a device with `sumsVectors` runs it alone, and the reference has no whole truth. */
  readonly divided: boolean
  /** The law for each component of the term, or one if the term is a number. */
  readonly written: () => readonly PairWorkload[]
  /** The points as a written law reads them. */
  readonly apart: (particles: Particles) => Particles
}

/** Vectors of one length. Those that are parameters have no side. */
interface Group {
  readonly length: number
  readonly attributes: readonly string[]
  readonly parameters: Readonly<Record<string, readonly number[]>>
}

/** An expression of components, in a function that makes it a number or a vector. */
interface Part {
  readonly name: string
  /** The text in the law of vectors. */
  readonly text: string
  /** The text in the law of one component of the term. */
  readonly written: (component: number) => string
}

const counts = [1, 2, 3, 5, 8, 17, 33, 65] as const
const fewPoints = [1, 3, 17] as const
const lengths = [1, 2, 3, 4, 5, 7] as const
/** Vectors of terms may have more than one block of components. */
const longLengths = [31, 32, 33, 70] as const
const numbers = ['a', 'b'] as const

export function randomVectors(seed: number): VectorProblem {
  const problem = anyProblem(seed)
  // Vectors of a whole law may cancel, too. It is then one of numbers, which needs positions.
  return readsVectors(problem.workload) ? problem : randomVectors(seed + 3_000_000)
}

function anyProblem(seed: number): VectorProblem {
  const dice = new Dice(seed)
  const ofTerm = dice.chance(0.4)
  const first = group(dice, ['u', 'v'], 'g', dice.pick(lengths))
  const long = ofTerm && dice.chance(0.3)
  const second = group(dice, ['w', 'z'], 'h', dice.pick(long ? longLengths : lengths))
  const groups = [first, second]
  const placed = dice.chance(0.4)
  const dimension = dice.pick([1, 2, 3] as const)
  const count = () => dice.pick(long ? fewPoints : counts)
  const [targets, sources] = dice.chance(0.4) ? [count(), count()] : [count(), undefined]
  const set = (points: number) => ({
    dimension,
    count: points,
    ...(placed ? { position: dice.array(dimension * points, -1, 1) } : {}),
    ...Object.fromEntries(numbers.map((name) => [name, dice.array(points, 0.2, 1.5)])),
    ...Object.fromEntries(
      groups.flatMap(({ attributes, length }) => attributes.map((name) => [name, dice.array(points * length, -1, 1)])),
    ),
  })
  const particles = sources === undefined ? set(targets) : { targets: set(targets), sources: set(sources) }
  const given = randomDomain(dice, dimension, targets, sources ?? targets)
  const { self, exclusions } = given
  const domain: DomainOptions = placed ? given : { ...(self ? { self } : {}), ...(exclusions ? { exclusions } : {}) }
  const meets = (sources ?? targets) - (sources === undefined && domain.self !== 'include' ? 1 : 0)

  // A long vector is not written out: no function adds up its components.
  const added = long ? [first] : groups
  const folds = dice.list(dice.whole(ofTerm ? 0 : 1, 3), (n) => some(() => addedUp(dice, `F${n}`, dice.pick(added))))
  const own = ofTerm ? dice.list(dice.whole(1, 2), (n) => some(() => component(dice, `V${n}`, second))) : []
  const parts = [...folds, ...own]
  const names = [...numbers.flatMap((name) => [`${name}_i`, `${name}_j`]), 'p', 'q']
  const space = placed ? ['r', 'r2', ...['dx', 'dy', 'dz'].slice(0, dimension)] : []
  const rest = expression(dice, [...parts.map(({ name }) => name), ...names, ...space], dice.whole(1, 3))
  // Each part counts.
  const all = [`(${rest})`, ...parts.map(({ name }) => name)].join(dice.pick([' + ', '*', ' - ']))
  const scalars = { p: dice.uniform(0.3, 1.5), q: dice.uniform(-1, 1) }
  const used = groups.filter((one) => parts.some(({ text }) => Object.keys(one.parameters).some((g) => reads(text, g))))
  const made = placed && !ofTerm ? ofSpace(new Dice(seed + 2_000_000), domain) : undefined
  const { make = pairTerm } = made ?? {}
  const law = make(
    filled(all, parts, ({ text }) => text),
    {
      parameters: { ...scalars, ...Object.assign({}, ...used.map(({ parameters }) => parameters)) },
    },
  )()
  const componentsApart = Object.fromEntries(
    groups.flatMap(({ parameters }) =>
      Object.entries(parameters).flatMap(([name, values]) => values.map((value, c) => [`${name}${c}`, value])),
    ),
  )
  const writtenLaw = (c: number) =>
    make(
      filled(all, parts, ({ written }) => written(c)),
      { parameters: { ...scalars, ...componentsApart } },
    )()
  const reduced = ofTerm ? (one: Interaction) => sum(one, domain) : reduction(dice, domain, meets)
  const of = made?.of ?? reduced
  return {
    workload: of(law),
    particles: particles as Particles,
    divided: ofTerm,
    ...(dice.chance(0.3) ? { targets: randomCuts(dice, targets) } : {}),
    ...(dice.chance(0.3) && !listed(of(law)) ? { sources: randomCuts(dice, sources ?? targets) } : {}),
    written: () => Array.from({ length: ofTerm ? second.length : 1 }, (_, c) => of(writtenLaw(c))),
    apart: (given) =>
      'targets' in given
        ? {
            targets: setApart(given.targets as Attributes, groups),
            sources: setApart(given.sources as Attributes, groups),
          }
        : setApart(given as Attributes, groups),
  }
}

function group(dice: Dice, names: readonly string[], parameter: string, length: number): Group {
  const attributes = names.slice(0, dice.whole(1, names.length))
  return { length, attributes, parameters: { [parameter]: dice.list(length, () => dice.uniform(-1, 1)) } }
}

/** Whether sources have results of their own, which parts of them do not add up to. */
const listed = ({ reduction }: PairWorkload): boolean => reduction === 'none'

/** Whether a text has a name. */
const reads = (text: string, name: string): boolean => new RegExp(`\\b${name}\\b`).test(text)

/** The text with the parts in place of their names. */
const filled = (text: string, parts: readonly Part[], ofPart: (part: Part) => string): string =>
  text.replace(/\b[FV]\d\b/g, (name) => ofPart(parts.find((part) => part.name === name) as Part))

/** An expression of vectors, component by component, which reads at least one attribute. */
function body(dice: Dice, { attributes, parameters }: Group): string {
  const sides = attributes.flatMap((name) => [`${name}_i`, `${name}_j`])
  const names = [...sides, ...sides, ...Object.keys(parameters), 'p']
  const free = dice.chance(0.4) ? expression(dice, names, dice.whole(1, 2), dice.chance(0.7) ? smooth : undefined) : ''
  const [a, b] = [dice.pick(sides), dice.pick(names)]
  const simple = dice.pick([a, `${a} - ${b}`, `${a}*${b}`, `(${a} - ${b})^2`])
  return free === '' ? simple : `${simple} + (${free})`
}

/** The text of a component. */
const at = (text: string, { attributes, parameters }: Group, c: number): string =>
  [...attributes, ...Object.keys(parameters)].reduce(
    (all, name) => all.replace(new RegExp(`\\b${name}(?=_[ij]\\b|\\b)`, 'g'), `${name}${c}`),
    text,
  )

/** The first part with something left of its attributes: in `norm(u_i - u_i + g)` they cancel, which laws refuse. */
function some(make: () => Part): Part {
  for (;;) {
    const part = make()
    try {
      pairTerm(part.text, { parameters: { p: 1, g: [1], h: [1] } })()
      return part
    } catch (error) {
      if (!(error instanceof ExpressionError) || !/got numbers alone|the same for any/.test(error.message)) throw error
    }
  }
}

/** A function of vectors that is a number. */
function addedUp(dice: Dice, name: string, of: Group): Part {
  const total = (text: string) => Array.from({ length: of.length }, (_, c) => `(${at(text, of, c)})`).join(' + ')
  const [one, other] = [body(dice, of), body(dice, of)]
  const side = dice.pick(of.attributes)
  const [from, to] = dice.chance(0.5) ? [`${side}_i`, `${side}_j`] : [one, other]
  const part = dice.pick([
    [`dot(${one}, ${other})`, `(${total(`(${one})*(${other})`)})`],
    [`sqdist(${from}, ${to})`, `(${total(`((${from}) - (${to}))^2`)})`],
    [`norm(${one})`, `sqrt(${total(`(${one})^2`)})`],
    [`sum(${one})`, `(${total(one)})`],
  ] as const)
  return { name, text: part[0], written: () => part[1] }
}

/** A vector. */
function component(dice: Dice, name: string, of: Group): Part {
  const text = body(dice, of)
  return { name, text: `vector(${text})`, written: (c) => `(${at(text, of, c)})` }
}

/** For half of the problems with positions, an energy or a force. They have their own dice, so that the other problems stay the same. */
function ofSpace(
  dice: Dice,
  domain: DomainOptions,
): { readonly make: typeof pairPotential; readonly of: (law: Interaction) => PairWorkload } | undefined {
  if (dice.chance(0.5)) return undefined
  const ofForce = dice.pick([forces, virial] as const)
  const quantity = dice.pick([forces, forces, potentials, energy, virial] as const)
  const isForce = dice.chance(0.3)
  // The numbers of each target, also for workloads that add them up.
  const of = (law: Interaction) => ({ ...(isForce ? ofForce : quantity)(law, domain), total: false })
  return { make: isForce ? pairForce : pairPotential, of }
}

/** A random reduction of terms that are numbers. */
function reduction(dice: Dice, domain: DomainOptions, meets: number): (law: Interaction) => PairWorkload {
  const k = Math.min(meets, dice.pick([1, 2, 8]))
  const limit = dice.uniform(-1, 1)
  const value = dice.pick(['min', 'max', 'logsumexp'] as const)
  const index = dice.pick(['argmin', 'argmax'] as const)
  return dice.pick([
    (law) => sum(law, domain),
    (law) => sum(law, domain),
    (law) => reduce(value, law, domain),
    (law) => reduce(index, law, domain),
    (law) => (k > 0 ? nearest(k, law, domain) : matrix(law, domain)),
    (law) => countWithin(limit, law, domain),
    (law) => matrix(law, domain),
  ])
}

/** A set with an array for each component. Positions are needed, though no written law of a term without them reads them. */
function setApart(set: Attributes, groups: readonly Group[]): Attributes & { readonly position: Float64Array } {
  const { count, ...rest } = set as Readonly<Record<string, Float64Array>> & {
    readonly count: number
    readonly dimension: number
  }
  const arrays = groups.flatMap(({ attributes, length }) =>
    attributes.flatMap((name) =>
      Array.from(
        { length },
        (_, c) =>
          [
            `${name}${c}`,
            Float64Array.from({ length: count }, (_, n) => rest[name]?.[n * length + c] as number),
          ] as const,
      ),
    ),
  )
  const others = Object.entries(rest).filter(([name]) => !groups.some(({ attributes }) => attributes.includes(name)))
  return { position: new Float64Array(count * rest.dimension), ...Object.fromEntries([...others, ...arrays]) }
}
