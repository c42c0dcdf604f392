// The work of a run by the driver of any design, without waiting for its code.

import type { ProgramDesign } from '../../src/design/design.ts'
import { allDrivers } from '../../src/run/drivers/all-drivers.ts'
import type { DesignedResult, DesignRun, LoopDriver, Work } from '../../src/run/drivers/driver.ts'
import { workOf } from '../../src/run/drivers/drivers.ts'

export const workIn = (design: ProgramDesign, run: DesignRun, results: readonly DesignedResult[]): Work =>
  workOf(allDrivers[design.driver] as LoopDriver<ProgramDesign>, design, run, results)
