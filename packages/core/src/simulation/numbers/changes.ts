/**
 * Changes of the numbers of a running simulation, as a user gives them: by names, checked as when the simulation was made.
 *
 * @module
 */
import { describe, finite, hasNames, named, onlyNamed } from '../../ground/checks.ts'
import { checkedVector } from '../../ground/lists.ts'
import type { TableInput, Tables } from '../../ground/table.ts'
import type { ParameterInput } from '../../problem/interactions/interaction.ts'
import { tablesOf } from '../../problem/workloads/tables/run-tables.ts'
import { type Vectors, vectorTables } from '../../problem/workloads/vector-parameters.ts'
import { radauIn } from '../gauss-radau/ias15.ts'
import type { ClockedState } from '../state.ts'
import { clockAt } from '../stepping/clocks/clock-state.ts'
import { cutoffNumbers, ofCutoff, requireCutoffs } from './cutoffs.ts'
import { type Owner, ownersIn } from './description.ts'
import { type NumbersByName, ofBarostat, ofIntegrator, type SimulationNumbers } from './numbers.ts'

/** Numbers to change while a simulation runs. A name is a parameter's; where forces share it, `forces[1].k` tells which. */
export interface NumberChanges {
  /**
   * Parameters of the forces and of the integrator. Cutoffs that are numbers, and `switchDistance`, are among them. Vectors keep their length.
   * A text is an expression of `time`, such as `'1 + 0.1*time'`.
   */
  readonly parameters?: Readonly<Record<string, ParameterInput | string>>
  /** Tables of the forces, as large as before or larger. */
  readonly tables?: Readonly<Record<string, TableInput>>
  /** The temperature that a thermostat keeps, such as `langevin`: a number, or an expression of `time`. */
  readonly temperature?: number | string
  /** The pressure that a barostat keeps. */
  readonly pressure?: number
  /** The length of a step, if it has one. The time goes on from where it is. */
  readonly dt?: number
}

/** Something with numbers that have names. */
interface Named {
  /** As a caller names it: `forces[1]`. */
  readonly path: string
  readonly owner: string
  readonly title: string
  readonly parameters: NumbersByName
  /** Those that are vectors, whose numbers are in a table. */
  readonly vectors: Vectors
  readonly minimum: Readonly<Partial<Record<string, number>>>
  readonly tables: Tables | undefined
  readonly ofLinks: readonly string[]
}

const namedForce = ({ owner, path, law, ofLinks }: Owner): Named => ({
  ...{ owner, ofLinks, path, title: law.name, parameters: law.parameters },
  vectors: ('vectors' in law && law.vectors) || {},
  minimum: ('minimum' in law && law.minimum) || {},
  tables: 'tables' in law ? law.tables : undefined,
})

const none = { vectors: {}, minimum: {}, tables: undefined, ofLinks: [] }

/** The cutoff of a sum over pairs, if it is a number. */
function namedCutoff({ owner, path, law, domain = {} }: Owner): readonly Named[] {
  const parameters = cutoffNumbers(domain)
  return parameters ? [{ ...none, owner: ofCutoff(owner), path, title: law.name, parameters }] : []
}

/** Whether its numbers are parameters of a force or of the integrator. */
const isOfForce = ({ owner }: Named) => owner !== ofBarostat && !owner.endsWith(ofCutoff(''))

const parametersIn = ({ parameters, vectors }: Named) => [...Object.keys(parameters), ...Object.keys(vectors)]

const known = ['parameters', 'tables', 'temperature', 'pressure', 'dt']

/** Where a parameter is: the path of its force or of the integrator, its name there, and the title of that. */
export interface ParameterPlace {
  readonly path: string
  readonly own: string
  readonly title: string
}

/** Expressions of the time by the names of parameters, and numbers in place of earlier ones. */
export type TimeExpressions = Readonly<Record<string, string | number>>

/** A change in two parts: the numbers; and expressions of the time, or numbers in place of earlier expressions. */
interface ChangeParts {
  readonly numbers: NumberChanges
  readonly expressions: TimeExpressions | undefined
}

/** The names of the numbers that a caller may change in a simulation. */
export class NumberNames {
  readonly #all: readonly Named[]
  readonly #state: ClockedState

  constructor(state: ClockedState) {
    const { name, parameters = {}, minimum = {} } = state.integrator
    const { barostat } = state
    this.#state = state
    this.#all = [
      ...ownersIn(state).map(namedForce),
      ...ownersIn(state).flatMap(namedCutoff),
      { ...none, path: ofIntegrator, owner: ofIntegrator, title: name, parameters, minimum },
      ...(barostat
        ? [
            {
              ...none,
              path: ofBarostat,
              owner: ofBarostat,
              title: 'barostat',
              parameters: { pressure: barostat.pressure },
            },
          ]
        : []),
    ]
  }

  /** Whether it is the name of a table. */
  isTable(name: string): boolean {
    return this.#found(name, ({ tables = {} }) => Object.keys(tables)).length > 0
  }

  /** Whether it is the name of a parameter that is a vector. */
  isVector(name: string): boolean {
    return this.#found(name, ({ vectors }) => Object.keys(vectors)).length > 0
  }

  get parameters(): readonly string[] {
    return [...new Set(this.#all.flatMap(parametersIn))]
  }

  /** Tells expressions of the time from numbers. */
  apart(changes: NumberChanges): ChangeParts {
    const { parameters, temperature } = Object(changes) as NumberChanges
    if (!hasNames(parameters ?? {})) return { numbers: changes, expressions: undefined }
    const [inParameters, bath] = [
      Object.entries(parameters ?? {}).filter(([name, value]) => this.#isExpression(name, value)),
      this.#isExpression('temperature', temperature)
        ? [[this.#isComputed('temperature') ? 'temperature' : this.#bath(), temperature]]
        : [],
    ]
    if (inParameters.length + bath.length === 0) return { numbers: changes, expressions: undefined }
    const names = new Set(inParameters.map(([name]) => name))
    const others = Object.entries(parameters ?? {}).filter(([name]) => !names.has(name))
    const { temperature: _, ...rest } = changes
    return {
      numbers: { ...(bath.length > 0 ? rest : changes), parameters: Object.fromEntries(others) },
      expressions: Object.fromEntries([...inParameters, ...bath]),
    }
  }

  /** Whether it is an expression of the time, or takes the place of one. */
  #isExpression(name: string, value: unknown): boolean {
    return typeof value === 'string' || (typeof value === 'number' && this.#isComputed(name))
  }

  /** Whether an expression is computed under that name, and no parameter has it. */
  #isComputed(name: string): boolean {
    return typeof this.#state.computed?.[name] === 'string' && !this.parameters.includes(name)
  }

  /** Where a parameter is that an expression may replace. @throws TypeError */
  placeOf(name: string): ParameterPlace {
    const { one, own } = this.#only(name, 'parameter', parametersIn)
    this.#requireOne(name, { one, own })
    const { path, title } = one
    if (!Object.hasOwn(one.parameters, own) || !isOfForce(one))
      throw new TypeError(`"${name}" expected no text, as it takes no expression of the time; set it between steps`)
    const other = this.#found(own, parametersIn).find((found) => found.one !== one)
    if (other)
      throw new TypeError(
        `"${name}" expected a parameter that no other force has, if it is an expression, but ${other.one.path} (${other.one.title}) has ${own}, too; rename one of them`,
      )
    return { path, own, title }
  }

  /** @throws TypeError for a parameter with a number of its own for each link */
  #requireOne(name: string, { one, own }: Found): void {
    if (one.ofLinks.includes(own))
      throw new TypeError(`"${name}" expected one number, but each link of ${one.path} (${one.title}) has its own`)
  }

  /** The numbers after a change. @param steps the steps taken so far @throws TypeError, RangeError */
  changed(numbers: SimulationNumbers, changes: NumberChanges, steps: number): SimulationNumbers {
    const { parameters = {}, tables = {}, temperature, pressure, dt } = onlyNamed(changes, 'part of a change', known)
    named(parameters, 'parameters')
    named(tables, 'tables')
    let now = numbers
    if (temperature !== undefined) now = this.#withParameter(now, this.#bath(), temperature as number)
    if (pressure !== undefined) now = this.#withPressure(now, pressure)
    for (const [name, value] of Object.entries(parameters))
      now = this.#withParameter(now, name, value as ParameterInput)
    for (const [name, table] of Object.entries(tables)) now = this.#withTable(now, name, table)
    if (now !== numbers) requireCutoffs(now)
    return dt === undefined ? now : { ...now, clock: { ...clockAt(now.clock, steps), dt: this.#length(dt) } }
  }

  #withParameter(numbers: SimulationNumbers, name: string, given: ParameterInput): SimulationNumbers {
    const { one, own } = this.#only(name, 'parameter', parametersIn)
    if (Object.hasOwn(one.vectors, own)) return this.#withVector(numbers, one, { own, name, given })
    const value = given as number
    this.#requireOne(name, { one, own })
    finite(value, name, one.minimum[own])
    const { parameters } = numbers
    return { ...numbers, parameters: { ...parameters, [one.owner]: { ...parameters[one.owner], [own]: value } } }
  }

  #withVector(
    { tables, ...numbers }: SimulationNumbers,
    { owner, vectors }: Named,
    { own, name, given }: { readonly own: string; readonly name: string; readonly given: ParameterInput },
  ): SimulationNumbers {
    const value = checkedVector(given, name)
    const { length } = vectors[own] as readonly number[]
    if (value.length !== length)
      throw new RangeError(`"${name}" expected ${length} numbers, as before, got ${value.length}`)
    return { ...numbers, tables: { ...tables, [owner]: { ...tables[owner], ...vectorTables({ [own]: value }) } } }
  }

  #withTable(numbers: SimulationNumbers, name: string, table: TableInput): SimulationNumbers {
    const { one, own } = this.#only(name, 'table', ({ tables = {} }) => Object.keys(tables))
    const tables = tablesOf({ name: one.title, tables: numbers.tables[one.owner] as Tables }, { [own]: table })
    return { ...numbers, tables: { ...numbers.tables, [one.owner]: tables as Tables } }
  }

  /** The name of the temperature of the thermostat. @throws TypeError if there is none */
  #bath(): string {
    const { integrator } = this.#state
    if (integrator.parameters?.temperature === undefined)
      throw new TypeError(
        `"temperature" expected a thermostat, such as langevin(), but the integrator is ${integrator.name || 'another'}; call rescale(temperature) for one change of all velocities`,
      )
    return `${ofIntegrator}.temperature`
  }

  #withPressure(numbers: SimulationNumbers, pressure: number): SimulationNumbers {
    if (!this.#state.barostat)
      throw new TypeError(
        `"pressure" expected a simulation with a barostat, got ${describe(pressure)}; give simulate one: barostat: { pressure, ... }`,
      )
    return this.#withParameter(numbers, `${ofBarostat}.pressure`, pressure)
  }

  #length(dt: number): number {
    const { dt: before, integrator } = this.#state
    if (typeof before !== 'number' || radauIn(integrator))
      throw new TypeError(
        `"dt" expected nothing, because these steps adapt, got ${describe(dt)}; resume a snapshot with another dt`,
      )
    if (finite(dt, 'dt') === 0) throw new RangeError('"dt" expected a number other than 0, got 0')
    if (integrator.random && dt < 0)
      throw new RangeError(`"dt" expected a number > 0, because noise cannot be reversed, got ${dt}`)
    return dt
  }

  /** The only one with that name. @throws TypeError if none or several have it */
  #only(name: string, what: string, namesOf: (one: Named) => readonly string[]): Found {
    const found = this.#found(name, namesOf)
    const [first, second] = found
    if (!first) {
      const names = [...new Set(this.#all.flatMap(namesOf))].join(', ')
      const own = name.slice(name.lastIndexOf('.') + 1)
      const instead = this.#isComputed(own)
        ? `; ${own} is computed: write('${own}', 2) or set replaces its expression`
        : ''
      throw new TypeError(`"${name}" is not a ${what} of this simulation; expected ${names || 'none'}${instead}`)
    }
    if (second)
      throw new TypeError(
        `"${name}" expected the ${what} of one, but ${found.map(({ one }) => `${one.path} (${one.title})`).join(' and ')} have it; write ${first.one.path}.${first.own}`,
      )
    return first
  }

  #found(name: string, namesOf: (one: Named) => readonly string[]): readonly Found[] {
    return this.#all.flatMap((one) => {
      const own = name.startsWith(`${one.path}.`) ? name.slice(one.path.length + 1) : name
      return namesOf(one).includes(own) ? [{ one, own }] : []
    })
  }
}

interface Found {
  readonly one: Named
  /** The name without a path. */
  readonly own: string
}
