// All simulations that every backend must get right, and their physics.

import { simulations } from '../simulations.ts'
import { adaptiveSimulations } from './adaptive.ts'
import { angleSimulations } from './angles.ts'
import { approximatedSimulations } from './approximated.ts'
import { barostatSimulations } from './barostat.ts'
import { coincidentSimulations } from './coincident.ts'
import { computedSimulations } from './computed.ts'
import { constraintSimulations } from './constraints.ts'
import { cutoffSimulations } from './cutoffs.ts'
import { dihedralSimulations } from './dihedrals.ts'
import { eventSimulations } from './events.ts'
import { linkedFunctions } from './linked-functions.ts'
import { lowPartSimulations } from './low-parts.ts'
import { masslessSimulations } from './massless.ts'
import { measures } from './measures.ts'
import { minimizingSimulations } from './minimizing.ts'
import { nestedSums } from './nested-sums.ts'
import { notFinite } from './not-finite.ts'
import { numberSimulations } from './numbers.ts'
import { timedParameters } from './of-time.ts'
import { lineSimulations } from './on-a-line.ts'
import type { PhysicsCase } from './physics/effort.ts'
import { manyPoints } from './physics/many-points.ts'
import { orbits } from './physics/orbits.ts'
import { populationSimulations } from './population.ts'
import { smallCellSimulations } from './small-cells.ts'
import { testParticleSimulations } from './test-particles.ts'
import { timeSimulations } from './time.ts'
import { turningSimulations } from './turning.ts'
import { writeSimulations } from './writes.ts'

/** The simulations that are short on every engine. */
export const shortSimulations: readonly PhysicsCase[] = [
  ...simulations,
  ...measures,
  ...notFinite,
  ...angleSimulations,
  ...dihedralSimulations,
  ...linkedFunctions,
  ...constraintSimulations,
  ...barostatSimulations,
  ...smallCellSimulations,
  ...computedSimulations,
  ...nestedSums,
  ...lineSimulations,
  ...adaptiveSimulations,
  ...lowPartSimulations,
  ...masslessSimulations,
  ...testParticleSimulations,
  ...timeSimulations,
  ...turningSimulations,
  ...minimizingSimulations,
  ...numberSimulations,
  ...timedParameters,
  ...cutoffSimulations,
  ...writeSimulations,
  ...populationSimulations,
  ...eventSimulations,
  ...approximatedSimulations,
  ...coincidentSimulations,
]

export const everySimulation: readonly PhysicsCase[] = [...shortSimulations, ...orbits, ...manyPoints]
