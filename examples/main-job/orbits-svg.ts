/** The picture of part one: each planet's first revolution and its path's end, seen from the north, as a small SVG. */

import type { PlanetResult, SolarSystemResult } from './solar-system.ts'
import { daysPerYear } from './solar-system-data.ts'

const size = 760
const top = 84
/** Pixels per AU; Pluto goes out to 50 AU. */
const scale = 7.2
const colours = ['#c4672f', '#b8923a', '#3f8f8b', '#3b62b0', '#7a5c93']

const x = (au: number): number => size / 2 + scale * au
const y = (au: number): number => top + size / 2 - scale * au
const px = (value: number): string => String(Math.round(value * 10) / 10)

export function orbitsSvg(result: SolarSystemResult): string {
  const { years, planets, integrator, dt, energyError } = result
  const start = planets.map((planet, p) => orbit(planet, colours[p] ?? '#000', result))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size + top}" font-family="system-ui, sans-serif" fill="#1c2430">
<title>The outer solar system over ${years} years</title>
<rect width="100%" height="100%" fill="#fcfbf8"/>
<text x="28" y="42" font-size="24" font-weight="600">The outer solar system over ${years.toLocaleString('en-US')} years</text>
<text x="28" y="66" font-size="14" fill="#5a6472">${integrator}, steps of ${dt} days, energy kept to ${energyError.toExponential(0)}. Line: one revolution. Ring: start. Dot: end.</text>
<circle cx="${px(x(0))}" cy="${px(y(0))}" r="5" fill="#f0b429" stroke="#b9820f"/>
${start.join('\n')}
${ruler()}
</svg>
`
}

function orbit({ planet, track }: PlanetResult, colour: string, { dt, steps }: SolarSystemResult): string {
  const lookDays = (dt * steps) / Math.max(track.length - 1, 1)
  const once = track.slice(0, Math.ceil((planet.period * daysPerYear) / lookDays) + 1)
  const every = Math.max(1, Math.floor(once.length / 160))
  const points = once.filter((_, n) => n % every === 0 || n === once.length - 1)
  const path = points.map(([px_, py_]) => `${px(x(px_))} ${px(y(py_))}`).join(' ')
  const [first = [0, 0], last = first] = [track[0], track.at(-1)]
  return `<g stroke="${colour}" fill="none">
<polyline points="${path}" stroke-width="1.6" stroke-linejoin="round"/>
<circle cx="${px(x(first[0]))}" cy="${px(y(first[1]))}" r="4.5" fill="#fcfbf8" stroke-width="1.6"/>
<circle cx="${px(x(last[0]))}" cy="${px(y(last[1]))}" r="5" fill="${colour}"/>
<text x="${px(x(last[0]) + 10)}" y="${px(y(last[1]) + 5)}" font-size="15" fill="${colour}" stroke="#fcfbf8" stroke-width="4" paint-order="stroke">${planet.name}</text>
</g>`
}

function ruler(): string {
  const [left, right, height] = [28, 28 + 10 * scale, size + top - 28]
  return `<g stroke="#5a6472"><path d="M${left} ${height}H${right}M${left} ${height - 4}v8M${right} ${height - 4}v8"/></g>
<text x="${right + 10}" y="${height + 5}" font-size="14" fill="#5a6472">10 AU, seen from the north of the ecliptic</text>`
}
