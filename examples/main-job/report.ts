/** The output of the main job: one table per question. It computes nothing. */

import type { DeviceInfo, RunReport, Selection, Verification } from 'manybody'
import type { CityResult } from './city-potential.ts'
import { fittedTable } from './fitted-table.ts'
import type { PlummerResult } from './plummer-sphere.ts'
import type { SolarSystemResult } from './solar-system.ts'

type Cell = string | number

/** Columns where the output has no terminal: a file, a pipe. */
const usualWidth = 120

/** The first column is text, the others are numbers unless `text` counts more. */
function table(head: readonly string[], rows: readonly (readonly Cell[])[], text = 1): string {
  const colAligns = head.map((_, column): 'left' | 'right' => (column < text ? 'left' : 'right'))
  return fittedTable(
    head,
    colAligns,
    rows.map((row) => row.map(String)),
    process.stdout.columns || usualWidth,
  )
}

const heading = (text: string): string => `\n${text}\n`
const error = (value: number): string => value.toExponential(1)
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`
const whole = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 })

/** The chosen backend, and the reasons against the others. */
export function selectionTable(precision: string, selection: Selection): string {
  const rows = selection.verdicts.map((v) => [
    `${v.outcome === 'chosen' ? '*' : ' '} ${v.backend}`,
    v.outcome,
    v.device ?? '-',
    v.reason,
  ])
  return heading(`Backends for ${precision}`) + table(['backend', 'verdict', 'device', 'reason'], rows, 4)
}

export function solarSystemTable(result: SolarSystemResult): string {
  const title = `1. Outer solar system, ${whole(result.years)} years: ${result.integrator}, ${whole(result.steps)} steps of ${result.dt} days`
  const rows = result.planets.map(({ planet, turns, period }) => [
    planet.name,
    turns,
    turns ? period.toFixed(3) : '-',
    planet.period.toFixed(3),
    turns ? `${(100 * (period / planet.period - 1)).toFixed(3)}%` : '-',
  ])
  const kept = [
    ['largest energy error', error(result.energyError)],
    ['energy drift, first to last tenth', error(result.energyDrift)],
    ['momentum change, of all |m v|', error(result.momentumError)],
    ['angular momentum change', error(result.angularMomentumError)],
  ]
  return [
    heading(title) + table(['planet', 'whole turns', 'period, years', 'known', 'difference'], rows),
    'known: JPL, from mean elements; the planets pull on each other, so no two turns take the same time',
    table(['kept by the run', 'relative'], kept),
  ].join('\n')
}

/** The number of places to list. */
const listed = 10

export function cityTable({ peaks, targets, sources, softening }: CityResult): string {
  const title = `2. Population potential at the ${whole(targets)} largest cities, of ${whole(sources)} cities, softened at ${softening} km`
  const rows = peaks
    .slice(0, listed)
    .map(({ name, country, population, potential }, n) => [n + 1, name, country, whole(population), whole(potential)])
  return heading(title) + table(['', 'city', 'country', 'its people', 'people per km'], rows, 3)
}

export function plummerTable({ count, energy, expected, standardError }: PlummerResult): string {
  const title = `3. Plummer sphere of ${whole(count)} stars: potential energy, G = M = a = 1`
  const rows = [
    ['computed', energy.toFixed(6)],
    ['closed form, -3 pi/32 (1 - 1/N)', expected.toFixed(6)],
    ['standard error of such a sample', standardError.toFixed(6)],
    ['difference, in standard errors', ((energy - expected) / standardError).toFixed(2)],
  ]
  return heading(title) + table(['potential energy', ''], rows)
}

interface Summary {
  readonly solar: SolarSystemResult
  readonly solarDevice: DeviceInfo
  readonly cities: CityResult
  readonly plummer: PlummerResult
}

/** The device of each part, its error and its time. */
export function summaryTable({ solar, solarDevice, cities, plummer }: Summary): string {
  const row = (what: string, report: RunReport, { max, bound }: Verification, milliseconds: number): Cell[] => [
    what,
    `${report.backend}, ${report.precision}`,
    `error ${error(max)}, bound ${error(bound)}`,
    `${(report.interactionsPerSecond / 1e6).toFixed(1)} M/s`,
    seconds(milliseconds),
  ]
  const rows = [
    [
      'outer solar system',
      `${solarDevice.backend}, ${solarDevice.precision}`,
      `energy ${error(solar.energyError)}`,
      `${whole((1000 * solar.steps) / solar.milliseconds)} steps/s`,
      seconds(solar.milliseconds),
    ],
    row('population potential', cities.report, cities.verification, cities.milliseconds),
    row('Plummer sphere', plummer.report, plummer.verification, plummer.milliseconds),
  ]
  return heading('Summary') + table(['what', 'ran on', 'how exact', 'how fast', 'took'], rows, 3)
}
