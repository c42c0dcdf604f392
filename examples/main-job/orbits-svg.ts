/** The picture of part one: each planet's first revolution and its places at both ends, as a small SVG. */

import type { Engine } from 'manybody'
import type { PlanetResult, SolarSystemResult, Track } from './solar-system.ts'
import { daysPerYear } from './solar-system-data.ts'

const size = 760
/** Room for the title above and the ruler below. */
const [top, bottom] = [88, 56]
const margin = 36
const colours = ['#c4672f', '#a8842c', '#3f8f8b', '#3b62b0', '#7a5c93']
/** A revolution is drawn with about this many points. */
const pointsPerLine = 160

/** From AU to pixels. */
interface View {
  readonly scale: number
  readonly x: (au: number) => string
  readonly y: (au: number) => string
}

export function orbitsSvg(result: SolarSystemResult, device: Engine['device']['info']): string {
  const { years, planets, integrator, dt, energyError } = result
  const lines = planets.map((planet) => firstRevolution(planet, result))
  const view = viewOf(lines)
  const title = `The outer solar system over ${years.toLocaleString('en-US')} years`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${top + size + bottom}" font-family="system-ui, sans-serif" fill="#1c2430">
<title>${title}</title>
<rect width="100%" height="100%" fill="#fcfbf8"/>
<text x="${margin}" y="46" font-size="24" font-weight="600">${title}</text>
<text x="${margin}" y="72" font-size="14" fill="#5a6472">${integrator}, steps of ${dt} days, energy kept to ${energyError.toExponential(0)}. Line: one revolution. Ring: start. Dot: end.</text>
<circle cx="${view.x(0)}" cy="${view.y(0)}" r="6" fill="#f0b429" stroke="#b9820f"/>
${planets.map((planet, p) => orbit(planet, lines[p] ?? [], colours[p] ?? '#000', view)).join('\n')}
${ruler(view, `${device.backend}, ${device.precision}`)}
</svg>
`
}

function firstRevolution({ planet, track }: PlanetResult, { dt, steps }: SolarSystemResult): Track {
  const daysPerLook = (dt * steps) / Math.max(track.length - 1, 1)
  const once = track.slice(0, Math.ceil((planet.period * daysPerYear) / daysPerLook) + 1)
  const every = Math.ceil(once.length / pointsPerLine)
  return once.filter((_, look) => look % every === 0 || look === once.length - 1)
}

/** The smallest square around the Sun and all lines, as large as the picture. */
function viewOf(lines: readonly Track[]): View {
  const points = [[0, 0] as const, ...lines.flat()]
  const range = (axis: 0 | 1) => {
    const values = points.map((point) => point[axis])
    return [Math.min(...values), Math.max(...values)] as const
  }
  const [[left, right], [low, high]] = [range(0), range(1)]
  const scale = (size - 2 * margin) / Math.max(right - left, high - low, 1)
  const px = (value: number) => String(Math.round(value * 10) / 10)
  return {
    scale,
    x: (au) => px(size / 2 + scale * (au - (left + right) / 2)),
    y: (au) => px(top + size / 2 - scale * (au - (low + high) / 2)),
  }
}

function orbit({ planet, track }: PlanetResult, line: Track, colour: string, { x, y }: View): string {
  const [first = [0, 0], last = first] = [track[0], track.at(-1)]
  return `<g stroke="${colour}" fill="none">
<polyline points="${line.map((point) => `${x(point[0])} ${y(point[1])}`).join(' ')}" stroke-width="1.8" stroke-linejoin="round"/>
<circle cx="${x(first[0])}" cy="${y(first[1])}" r="5" fill="#fcfbf8" stroke-width="1.8"/>
<circle cx="${x(last[0])}" cy="${y(last[1])}" r="5.5" fill="${colour}"/>
<text x="${x(last[0])}" y="${y(last[1])}" dx="11" dy="5" font-size="15" fill="${colour}" stroke="#fcfbf8" stroke-width="4" paint-order="stroke">${planet.name}</text>
</g>`
}

function ruler({ scale }: View, computedOn: string): string {
  const height = top + size + 22
  const right = Math.round(margin + 10 * scale)
  return `<path d="M${margin} ${height}H${right}M${margin} ${height - 4}v8M${right} ${height - 4}v8" stroke="#5a6472"/>
<text x="${right + 10}" y="${height + 5}" font-size="14" fill="#5a6472">10 AU, around the Sun, seen from the north of the ecliptic; on ${computedOn}</text>`
}
