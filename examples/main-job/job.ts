/** Three problems on real input, each compared with known results. */

import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createEngine } from 'manybody'
import type { Arguments } from './arguments.ts'
import { cityPotential } from './city-potential.ts'
import { orbitsSvg } from './orbits-svg.ts'
import { plummerEnergy } from './plummer-sphere.ts'
import { withProgress } from './progress.ts'
import { cityTable, plummerTable, selectionTable, solarSystemTable, summaryTable } from './report.ts'
import { solarSystem } from './solar-system.ts'

export async function mainJob({ backend, years, cities: cityCount, stars, output }: Arguments): Promise<void> {
  const start = performance.now()
  await mkdir(output, { recursive: true })
  await using exact = await createEngine({ precision: 'f64' })
  await using fast = await createEngine(backend === undefined ? {} : { backend })
  console.log(selectionTable('double precision, as orbits need', exact.selection))
  console.log(selectionTable('single precision, as sums over many points need', fast.selection))

  const solar = await withProgress('outer solar system  ', (bar) => solarSystem(exact, years, bar))
  console.log(solarSystemTable(solar))
  const cities = await withProgress('population potential', (bar) => cityPotential(fast, cityCount, bar))
  console.log(cityTable(cities))
  const plummer = await withProgress('Plummer sphere      ', (bar) => plummerEnergy(fast, stars, bar))
  console.log(plummerTable(plummer))
  console.log(summaryTable({ solar, solarDevice: exact.device.info, cities, plummer }))

  const picture = join(output, 'orbits.svg')
  await writeFile(picture, orbitsSvg(solar, exact.device.info))
  console.log(`\nThe orbits are drawn in ${picture}. All in ${((performance.now() - start) / 1000).toFixed(1)} s.`)
}
