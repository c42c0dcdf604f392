// All faults, in the order of the table.

import type { Fault } from './fault.ts'
import { abort } from './faults/abort.ts'
import { allocationRefused } from './faults/allocation-refused.ts'
import { contextLost } from './faults/context-lost.ts'
import { costlyFiles } from './faults/costly-files.ts'
import { deviceDestroyed } from './faults/device-destroyed.ts'
import { disposed } from './faults/disposed.ts'
import { enginesInNode } from './faults/engines-in-node.ts'
import { failingAnswers } from './faults/failing-answers.ts'
import { gpuProcessCrashed } from './faults/gpu-process-crashed.ts'
import { neverCompiles } from './faults/never-compiles.ts'
import { noIsolation } from './faults/no-isolation.ts'
import { soak } from './faults/soak.ts'
import { text } from './faults/text.ts'
import { workersKilled } from './faults/workers-killed.ts'
import { workersUnavailable } from './faults/workers-unavailable.ts'

export const faults: readonly Fault[] = [
  ...deviceDestroyed,
  ...contextLost,
  ...gpuProcessCrashed,
  failingAnswers,
  ...neverCompiles,
  ...workersKilled,
  workersUnavailable,
  noIsolation,
  ...allocationRefused,
  ...abort,
  ...disposed,
  ...text,
  costlyFiles,
  soak,
  enginesInNode,
]
