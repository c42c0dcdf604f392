/** Node as an environment of the record. */

import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import type { Environment } from '../record.ts'
import { timerResolution } from '../timer-resolution.ts'

export function nodeEnvironment(): Environment {
  const { node, v8 } = process.versions
  const { version } = createRequire(import.meta.url)('webgpu/package.json') as { version: string }
  return {
    name: `Node ${node}`,
    isolated: true,
    threads: availableParallelism(),
    timerResolution: timerResolution(),
    versions: { node, v8, webgpu: version },
  }
}
