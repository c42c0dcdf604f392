// A small run of the main job: it prints right numbers, writes a picture, and rejects wrong arguments in one line.
// No test checks that the full job takes under two minutes.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plummerSphere } from 'manybody/initial'
import { afterAll, describe, expect, test } from 'vitest'
import { ArgumentError, argumentsOf } from '../../../examples/main-job/arguments.ts'
import { fittedTable } from '../../../examples/main-job/fitted-table.ts'
import { revolutions } from '../../../examples/main-job/revolutions.ts'
import { G, planets, sun } from '../../../examples/main-job/solar-system-data.ts'
import { installed } from '../../../scripts/support/install.mjs'
import { patience } from '../../../tools/patience.ts'
import { root } from '../../../tools/pnpm.mjs'

const output = mkdtempSync(join(tmpdir(), 'manybody-main-job-'))
afterAll(() => rmSync(output, { recursive: true }))

// Draw a picture outside the tested run, because the output of that run is compared.
await installed('the main job')

function mainJob(...args: string[]) {
  const command = [join(root, 'scripts/start.mjs'), ...args]
  return spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8', timeout: patience })
}

/** The potential energy of the job's stars, pair by pair in float64. */
function plummerEnergy(count: number): number {
  const { position, mass } = plummerSphere({ count, seed: 1911 })
  let energy = 0
  for (let i = 0; i < count; i++)
    for (let j = 0; j < i; j++) {
      const [dx, dy, dz] = [0, 1, 2].map(
        (axis) => (position[3 * j + axis] as number) - (position[3 * i + axis] as number),
      )
      energy -= ((mass[i] as number) * (mass[j] as number)) / Math.hypot(dx as number, dy as number, dz as number)
    }
  return energy
}

test('a small run prints right results and draws the orbits', () => {
  const { stdout, stderr, status } = mainJob('--years', '30', '--cities', '5', '--stars', '64', '--output', output)
  // Dawn would write warnings here if there were no Vulkan loader, or if it rejected a driver.
  expect(stderr).toBe('')
  expect(status).toBe(0)
  for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(120)
  for (const control of ['\r', '\u001b']) expect(stdout).not.toContain(control)
  expect(stdout).toMatch(/\* \S+ +│ chosen/)
  expect(stdout).toMatch(/Jupiter │ +2 │ +11\.861 │ +11\.863 │ +-0\.014%/)
  expect(stdout).toMatch(/Saturn +│ +1 │ +29\.460/)
  expect(stdout).toMatch(/largest energy error +│ +1\.\de-7/)
  expect(stdout).toMatch(/1 │ Shanghai +│ China +│ 22,315,474 │ +1,909,6\d\d/)
  expect(Number(stdout.match(/computed +│ (\S+)/)?.[1])).toBeCloseTo(plummerEnergy(64), 6)
  const svg = readFileSync(join(output, 'orbits.svg'), 'utf8')
  expect(svg).toContain('<title>The outer solar system over 30 years</title>')
  expect(svg.match(/<polyline/g)).toHaveLength(planets.length)
  expect(svg).not.toContain('NaN')
  expect(svg).toMatch(/on (cpu-wasm|reference), f64</)
})

test('a job that fails shows everything written to stderr, also by drivers', () => {
  const { stderr, status } = mainJob('--output', join(root, 'package.json'))
  expect(stderr).toMatch(/main job: EEXIST.*package\.json/)
  expect(status).toBe(1)
})

test('a table is at most as wide as the terminal, and wraps its widest columns to fit', () => {
  const rows = [['cpu-wasm', 'one reason that is much longer than all the other cells of the table']]
  const at = (width: number) => fittedTable(['backend', 'reason'], ['left', 'left'], rows, width).split('\n')
  expect(at(120)).toEqual(at(83))
  expect(at(120).map((line) => line.length)).toEqual([83, 83, 83, 83, 83].slice(0, at(120).length))
  const narrow = at(50)
  for (const line of narrow) expect(line).toHaveLength(50)
  const words = narrow.join(' ').replace(/[^a-z]+/g, ' ')
  for (const word of rows[0]?.[1]?.split(' ') ?? []) expect(words).toContain(word)
})

describe('wrong arguments', () => {
  test('get one line and exit code 2', () => {
    const { stdout, stderr, status } = mainJob('mars')
    expect(stderr).toBe("main job: Unexpected argument 'mars'; see --help\n")
    expect(stdout).toBe('')
    expect(status).toBe(2)
  })

  test.for([
    [['--years', '0'], '--years expected a whole number from 1 to 100000, got "0"'],
    [['--stars', '1e3'], '--stars expected a whole number from 2 to 1000000, got "1e3"'],
    [['--backend', 'cuda'], '--backend expected one of webgpu, webgl, cpu-wasm, reference, got "cuda"'],
    [['--colour'], "Unknown option '--colour'"],
  ] as const)('are reported: %s', ([args, message]) => {
    expect(() => argumentsOf(args)).toThrow(new ArgumentError(message))
  })
})

test('--help prints every option', () => {
  const { stdout, status } = mainJob('--help')
  expect(status).toBe(0)
  for (const option of ['backend', 'years', 'cities', 'stars', 'output']) expect(stdout).toContain(`--${option} `)
})

test('the initial values are the published ones, about the barycentre of all bodies but Pluto, and bound', () => {
  const bodies = [sun, ...planets.filter(({ name }) => name !== 'Pluto')]
  for (const axis of [0, 1, 2] as const) {
    const momentum = bodies.reduce((sum, { mass, velocity }) => sum + mass * velocity[axis], 0)
    const centre = bodies.reduce((sum, { mass, position }) => sum + mass * position[axis], 0)
    expect(Math.abs(momentum)).toBeLessThan(1e-19)
    expect(Math.abs(centre)).toBeLessThan(1e-16)
  }
  for (const { mass, position, velocity, period } of planets) {
    const mu = G * (sun.mass + mass)
    const r = Math.hypot(...position.map((x, axis) => x - (sun.position[axis] ?? 0)))
    const v = Math.hypot(...velocity.map((x, axis) => x - (sun.velocity[axis] ?? 0)))
    const semiMajorAxis = 1 / (2 / r - v ** 2 / mu)
    const years = (2 * Math.PI * Math.sqrt(semiMajorAxis ** 3 / mu)) / 365.25
    expect(Math.abs(years / period - 1)).toBeLessThan(0.015)
  }
})

test('only whole revolutions are counted, also across the jump at half a turn', () => {
  const times = Array.from({ length: 101 }, (_, n) => n)
  const angles = times.map((t) => Math.atan2(Math.sin(1 + 0.2 * t), Math.cos(1 + 0.2 * t)))
  const { turns, period } = revolutions(times, angles)
  expect(turns).toBe(3)
  expect(period).toBeCloseTo(2 * Math.PI * 5, 10)
  expect(revolutions([0, 1], [0, 0.1])).toEqual({ turns: 0, period: Number.NaN })
})
