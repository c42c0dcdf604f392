/**
 * Part one: the outer solar system for some centuries, and two checks of the run: periods against the known ones, and the conservation of
 * energy, momentum and angular momentum.
 */

import { type Engine, gravity, yoshida4 } from 'manybody'
import { type Revolutions, revolutions } from './revolutions.ts'
import { daysPerYear, G, type Planet, planets, sun } from './solar-system-data.ts'

/** Days; 1/173 of Jupiter's year. */
const dt = 25
/** Steps between two samples of the positions. */
const stride = 4
/** Samples between two energies: each energy costs as much as a step. */
const energyEvery = 10

/** Each planet's place relative to the Sun, AU: `[x, y]` per sample. */
export type Track = readonly (readonly [x: number, y: number])[]

export interface PlanetResult extends Revolutions {
  readonly planet: Planet
  readonly track: Track
}

export interface SolarSystemResult {
  readonly years: number
  readonly steps: number
  readonly dt: number
  readonly integrator: string
  readonly planets: readonly PlanetResult[]
  /** Largest `|E - E(0)| / |E(0)|` of all samples. */
  readonly energyError: number
  /** Relative change of the mean energy from the first tenth of the run to the last: the part that does not average out. */
  readonly energyDrift: number
  /** Change of the total momentum, relative to the sum of all `|m v|`. */
  readonly momentumError: number
  /** Change of the angular momentum, relative. */
  readonly angularMomentumError: number
  readonly milliseconds: number
}

/** @param onProgress called with the fraction done */
export async function solarSystem(
  engine: Engine<'f64'>,
  years: number,
  onProgress: (fraction: number) => void,
): Promise<SolarSystemResult> {
  const start = performance.now()
  await using simulation = await engine.simulate({
    law: gravity({ G }),
    particles: {
      position: Float64Array.from(bodies.flatMap((body) => body.position)),
      velocity: Float64Array.from(bodies.flatMap((body) => body.velocity)),
      mass: Float64Array.from(bodies, (body) => body.mass),
    },
    integrator: yoshida4,
    dt,
  })
  const [momentum, angularMomentum] = [await simulation.momentum(), await simulation.angularMomentum()]
  const times: number[] = []
  const energies: number[] = []
  const tracks = planets.map((): [number, number][] => [])
  const looks = Math.ceil((years * daysPerYear) / dt / stride)
  for (let look = 0; look <= looks; look++) {
    if (look > 0) await simulation.step(stride)
    times.push(simulation.time / daysPerYear)
    const position = await simulation.read('position')
    for (const [p, track] of tracks.entries()) track.push(seenFromSun(position, p + 1))
    if (look % energyEvery === 0) energies.push((await simulation.energy()).total)
    onProgress(look / looks)
  }
  return {
    years,
    steps: simulation.steps,
    dt,
    integrator: yoshida4.name,
    planets: planets.map((planet, p) => ({ planet, track: tracks[p] ?? [], ...revolutions(times, angles(tracks[p])) })),
    ...energyKept(energies),
    momentumError: distance(await simulation.momentum(), momentum) / allMomenta,
    angularMomentumError:
      distance(await simulation.angularMomentum(), angularMomentum) / Math.hypot(...angularMomentum),
    milliseconds: performance.now() - start,
  }
}

const bodies = [sun, ...planets]
const allMomenta = bodies.reduce((total, { mass, velocity }) => total + mass * Math.hypot(...velocity), 0)

function energyKept(energies: readonly number[]): Pick<SolarSystemResult, 'energyError' | 'energyDrift'> {
  const [first = Number.NaN] = energies
  const tenth = Math.ceil(energies.length / 10)
  return {
    energyError: Math.max(...energies.map((e) => Math.abs(e / first - 1))),
    energyDrift: (mean(energies.slice(-tenth)) - mean(energies.slice(0, tenth))) / Math.abs(first),
  }
}

type Vector = Float32Array | Float64Array

function seenFromSun(position: Vector, body: number): [x: number, y: number] {
  const [x = 0, y = 0] = position
  return [(position[3 * body] ?? 0) - x, (position[3 * body + 1] ?? 0) - y]
}

const angles = (track: Track = []): number[] => track.map(([x, y]) => Math.atan2(y, x))
const distance = (a: Vector, b: Vector): number => Math.hypot(...a.map((x, axis) => x - (b[axis] ?? 0)))
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
